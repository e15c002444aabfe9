import { KneepointError } from '../../../shared/model/problem.ts';
import type { ServerLook, ServerState, TargetSpec } from '../../../shared/model/target.ts';
import { openServer } from '../servers/index.ts';
import type { Server } from '../servers/server.ts';
import type { Store } from '../store/store.ts';
import { targetByKind } from '../targets/index.ts';
import { claimedElsewhere } from '../world/index.ts';
import type { ApiContext } from './context.ts';
import { refuseWhileServerUsed } from './in-use.ts';

type Act = (server: Server, signal: AbortSignal) => Promise<void>;

/**
 * Starts and stops servers, one act at a time on each. An act continues when its caller is gone: a restart whose page was closed would leave the
 * server down. Throws `conflict` while a session uses the server, or another act is under way.
 */
export function controlServers({ store, runs }: Pick<ApiContext, 'store' | 'runs'>) {
  const underWay = new Set<string>();
  const lasting = new AbortController().signal;
  return async (target: string, act: Act): Promise<{ state: ServerState }> => {
    refuseWhileServerUsed(store, target);
    const server = openServer(runs, target);
    if (underWay.has(target))
      throw new KneepointError({
        code: 'conflict',
        message: `The server of target “${target}” is already being started or stopped.`,
        target,
        safe: 'Nothing else was done to it.',
        next: 'Wait until that is done, then check again.',
      });
    underWay.add(target);
    try {
      await act(server, lasting);
      return { state: await server.state(lasting) };
    } finally {
      underWay.delete(target);
    }
  };
}

/** Current state of a saved target's server. Throws `bad-request` for a target without a server host. */
export async function inspectServer(context: ApiContext, target: string, signal: AbortSignal): Promise<ServerLook> {
  const state = await openServer(context.runs, target).state(signal);
  const reported = state === 'running' ? await describeRunning(context, target, signal) : {};
  return { state, ...reported, claims: await claimsOf(context, target, signal), readAt: context.now() };
}

type Reported = Pick<ServerLook, 'product' | 'upSince' | 'untold'>;

/** Product and uptime reported by the server. A server that refuses the account is running anyway. */
async function describeRunning({ runs, now }: ApiContext, target: string, signal: AbortSignal): Promise<Reported> {
  try {
    const session = await runs.targets.open(target, signal);
    if (!session) return {};
    try {
      const { product, version, middleware } = await session.describe();
      if (middleware) return { product: [middleware.product, middleware.version].filter(Boolean).join(' ') };
      const up = (await (await session.settingsControl?.())?.shared())?.upSeconds;
      return {
        product: `${product} ${version}`,
        ...(up !== undefined && { upSince: Math.round(now() - up * 1000) }),
      };
    } finally {
      await session.close();
    }
  } catch (error) {
    if (error instanceof KneepointError && error.code !== 'cancelled') return { untold: error.message };
    throw error;
  }
}

async function claimsOf({ runs }: ApiContext, target: string, signal: AbortSignal): Promise<ServerLook['claims']> {
  const host = runs.targets.spec(target).server?.host;
  const places = [
    { kind: 'server', name: target } as const,
    ...(host === undefined ? [] : [{ kind: 'host', name: host } as const]),
  ];
  const claims: ServerLook['claims'] = [];
  for (const place of places) {
    const by = await claimedElsewhere(runs, place, signal);
    if (by !== undefined) claims.push({ place: place.kind, by });
  }
  return claims;
}

/** Throws `bad-request` for a place that cannot be that of this target's server. `before`: the target as it is saved. */
export function checkServerPlace(store: Store, spec: TargetSpec, before: TargetSpec | undefined): void {
  if (before) refuseRename(spec, before);
  checkBehind(store, spec);
  const { server } = spec;
  if (!server) return;
  const refuse = refusal(spec.name);
  const type = targetByKind(spec.kind);
  if (!type.open) refuse(`A target of kind ${type.title} has no server.`, 'Remove the server host.');
  if (!store.hosts.byName(server.host)) refuse(`There is no host named “${server.host}”.`, 'Add it on the Hosts page.');
  if (server.settingsFile !== undefined && !type.settingsFormat)
    refuse(`Servers of kind ${type.title} do not support a settings file.`, 'Remove the settings file.');
  if (server.settingsFile !== undefined && !server.settingsFile.startsWith('/'))
    refuse('The path of the settings file is not absolute.', 'Begin it with a slash.');
  if (server.control.kind === 'managed') checkManaged(spec);
}

function checkManaged({ name, kind, server }: TargetSpec): void {
  const refuse = refusal(name);
  const type = targetByKind(kind);
  if (!type.managed) refuse(`Kneepoint cannot start servers of kind ${type.title}.`, 'Choose another control.');
  if (server?.settingsFile !== undefined)
    refuse('A managed server already has its own settings file.', 'Remove the settings file.');
}

/** A proxy speaks the protocol of the server behind it. */
function checkBehind(store: Store, { name, kind, behind }: TargetSpec): void {
  if (behind === undefined) return;
  const refuse = refusal(name);
  const type = targetByKind(kind);
  if (type.via !== 'connection') refuse(`A target of kind ${type.title} is not a proxy.`, 'Remove “behind”.');
  if (behind === name || store.targets.byName(behind)?.spec.kind !== kind)
    refuse(
      `The server behind it, “${behind}”, is not another target of kind ${type.title}.`,
      'Choose the target that leads to the server directly.',
    );
  for (let next: string | undefined = behind, passed = 0; next !== undefined; passed += 1) {
    next = store.targets.byName(next)?.spec.behind;
    if (next === name || passed > MOST_PROXIES)
      refuse(`“${name}” and “${behind}” would each be behind the other.`, 'Choose the target of the server itself.');
  }
}

/** Proxies in a chain. */
const MOST_PROXIES = 10;

/** Folder and mark on the host contain the name: under another one the server would not be found again. */
function refuseRename(spec: TargetSpec, before: TargetSpec): void {
  if (spec.name === before.name || before.server?.control.kind !== 'managed') return;
  refusal(before.name)(
    `The folder of the managed server is named after “${before.name}”, so the target cannot be renamed.`,
    'Add a target with the other name, and remove this one and its folder.',
  );
}

const refusal =
  (target: string) =>
  (message: string, next: string): never => {
    throw new KneepointError({ code: 'bad-request', message, target, safe: 'Nothing was saved.', next });
  };
