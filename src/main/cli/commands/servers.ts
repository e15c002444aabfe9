import type { ServerLook, ServerState, Target } from '../../../shared/model/target.ts';
import { formatDateTime } from '../../../shared/util/format.ts';
import { EXIT, UsageError } from '../exit.ts';
import { print, printJson, printStatus } from '../terminal.ts';
import { type Common, type EngineClient, withEngine } from '../with-engine.ts';
import { type PlaceOptions, readPlace } from './server-place.ts';

/** The saved target with this name. */
export async function targetNamed(engine: EngineClient, name: string): Promise<Target> {
  const target = (await engine.targets.list({})).find((entry) => entry.spec.name === name);
  if (target) return target;
  throw new UsageError(`There is no target named “${name}”.`);
}

/** Sets the location of a saved target's server, or marks it as unknown. */
export async function targetPlaceCommand(
  name: string,
  options: Common & PlaceOptions & { unknown?: boolean; giveUp?: string },
): Promise<number> {
  const { server: place, behind } = await readPlace(options);
  if (place === undefined && behind === undefined && options.unknown !== true)
    throw new UsageError(
      'Specify the server host with --server or --server-file, the server behind a proxy with --behind, or pass --unknown.',
    );
  if (place !== undefined && options.unknown === true)
    throw new UsageError('Use either --unknown or --server and --server-file, not both.');
  return withEngine(options, async (engine) => {
    const { id, spec } = await targetNamed(engine, name);
    const { server: before, behind: earlier, ...rest } = spec;
    const server = options.unknown === true ? undefined : (place ?? before);
    const now = behind ?? earlier;
    const target = await engine.targets.save({
      ...{ id, spec: { ...rest, ...(server && { server }), ...(now !== undefined && now !== '' && { behind: now }) } },
      ...(options.giveUp !== undefined && { giveUp: options.giveUp }),
    });
    if (options.json) printJson(target);
    else {
      if (behind !== undefined)
        printStatus(
          behind === '' ? `“${name}” is not a proxy.` : `“${name}” is a proxy that leads to the server of “${behind}”.`,
        );
      if (place)
        printStatus(`The server of “${name}” runs on ${place.host}. Check it with: kneepoint target server "${name}"`);
      else if (options.unknown) printStatus(`The server host of “${name}” is now unknown.`);
    }
    return EXIT.done;
  });
}

export async function targetServerCommand(name: string, options: Common): Promise<number> {
  return withEngine(options, async (engine) => {
    const { id, spec } = await targetNamed(engine, name);
    const look = await engine.targets.lookAtServer({ id });
    if (options.json) printJson(look);
    else for (const line of stateLines(look, spec.server?.host)) print(line);
    return EXIT.done;
  });
}

const STATES: Readonly<Record<ServerState, string>> = {
  running: 'running',
  starting: 'starting: the process runs but does not respond yet',
  stopped: 'stopped',
};

function stateLines({ state, product, upSince, untold, claims }: ServerLook, host = ''): string[] {
  const facts = [product, upSince === undefined ? undefined : `up since ${formatDateTime(upSince)}`, untold];
  return [
    [`${STATES[state]} on ${host}`, ...facts].filter(Boolean).join(', '),
    ...claims.map(({ place, by }) => `Settings of its ${place} are being varied by ${by}.`),
  ];
}

const ACTS = { start: 'startServer', stop: 'stopServer', restart: 'restartServer' } as const;

/** Starts, stops or restarts the server of a saved target, and waits until this is complete. */
export const serverActCommand =
  (act: keyof typeof ACTS) =>
  (name: string, options: Common): Promise<number> =>
    withEngine(options, async (engine) => {
      const { id } = await targetNamed(engine, name);
      const { state } = await engine.targets[ACTS[act]]({ id });
      if (options.json) printJson({ state });
      else print(`The server of “${name}” is ${STATES[state]}.`);
      return EXIT.done;
    });

/** Lists programs on a host with which Kneepoint could start a server of a kind. */
export async function targetProgramsCommand(host: string, options: Common & { kind: string }): Promise<number> {
  return withEngine(options, async (engine) => {
    const found = await engine.targets.findPrograms({ kind: options.kind, host });
    if (options.json) printJson(found);
    else for (const { name, path, version } of found) print(path ? `${path}: ${version ?? ''}` : `${name}: not found`);
    return found.some(({ path }) => path !== undefined) ? EXIT.done : EXIT.runFailed;
  });
}
