import { KneepointError } from '../../../shared/model/problem.ts';
import type { ServerControl, ServerPlace } from '../../../shared/model/target.ts';
import { targetByKind } from '../targets/index.ts';
import { commandsControl } from './commands.ts';
import { createServer } from './create-server.ts';
import { managedControl, managedSettings } from './managed/index.ts';
import { notPossible } from './problems.ts';
import type { Control, Controlled, Server, ServersContext, SettingsFile } from './server.ts';
import { createSettingsFile } from './settings-file.ts';
import { systemdControl } from './systemd.ts';

export { runCommand } from './commands.ts';
export { findPrograms } from './managed/program.ts';

const LIMIT_SECONDS = 120;

/**
 * The server of a saved target, on its host. Does not contact the host yet. Throws `not-found`, and `bad-request` for a target without the
 * server's place.
 */
export function openServer(context: ServersContext, target: string): Server {
  const spec = context.targets.spec(target);
  const place = spec.server;
  if (!place) {
    throw new KneepointError({
      code: 'bad-request',
      target,
      message: `Target “${target}” has no server host.`,
      next: 'Edit the target, and choose the host of its server.',
    });
  }
  const machine = context.machines.get(place.host);
  const at: Controlled = { context, spec, machine, limitMs: (place.limitSeconds ?? LIMIT_SECONDS) * 1000 };
  const { control } = place;
  if (control.kind === 'managed') {
    const settings = managedSettings(at, control);
    return createServer(at, managedControl(at, control, settings), settings);
  }
  return createServer(at, controlOf(at, control), settingsFileOf(at, place));
}

function controlOf(at: Controlled, control: Exclude<ServerControl, { kind: 'managed' }>): Control {
  switch (control.kind) {
    case 'systemd':
      return systemdControl(at, control);
    case 'commands':
      return commandsControl(at, control);
    case 'none':
      return noControl(at);
  }
}

function settingsFileOf(at: Controlled, { control, settingsFile }: ServerPlace): SettingsFile | undefined {
  const format = targetByKind(at.spec.kind).settingsFormat;
  if (settingsFile === undefined || !format) return undefined;
  return createSettingsFile(at, { path: settingsFile, sudo: control.kind === 'systemd' && control.sudo }, format);
}

/** A server that Kneepoint may only monitor. */
function noControl(at: Controlled): Control {
  const no = (): Promise<never> =>
    Promise.reject(
      notPossible(
        at,
        `Kneepoint does not control the server of target “${at.spec.name}”: its target has no server control.`,
        'Edit the target: choose systemd, custom commands, or a managed server as its control.',
      ),
    );
  return {
    kind: 'none',
    reportsEarlyExit: false,
    present: () => Promise.resolve(undefined),
    start: no,
    stop: no,
    logEnd: () => Promise.resolve(''),
  };
}
