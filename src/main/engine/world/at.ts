import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { At, ChangePlace, DesiredSetting } from '../factors/change.ts';
import type { Machine } from '../hosts/machine.ts';
import { pauseFor, serverTarget, untilReachable, untilTargetReachable, type Waiting } from '../runs/index.ts';
import { targetByKind } from '../targets/index.ts';
import type { WorldContext } from './context.ts';

export type PlaceContext = Pick<WorldContext, 'machines' | 'targets' | 'servers'>;

/** The host of a target's server. Throws `change-not-possible` if the target does not name it. */
function hostOf({ targets }: Pick<PlaceContext, 'targets'>, target: string): string {
  const { server } = targets.spec(target);
  if (server) return server.host;
  throw new KneepointError({
    code: 'change-not-possible',
    message: `The server host of target “${target}” is unknown.`,
    target,
    safe: 'Nothing was changed.',
    next: 'Set the server host on the page of the target.',
  });
}

/**
 * The place of a desired setting. A proxy has settings of its own only if its kind knows one that reports them (PgBouncer); any other one passes
 * queries on to the server behind it.
 */
export function placeOf(context: PlaceContext, { place }: Pick<DesiredSetting, 'place'>): ChangePlace {
  if (place.kind === 'host') return place;
  if (place.kind === 'host-of-server')
    return { kind: 'host', name: hostOf(context, serverTarget(context, place.name)) };
  const answers = targetByKind(context.targets.spec(place.name).kind).managed?.pooler !== undefined;
  return answers ? place : { ...place, name: serverTarget(context, place.name) };
}

/** Whether two targets may be one server, as far as their settings show. */
export function mayBeOneServer({ targets }: PlaceContext, one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [targets.spec(one), targets.spec(other)];
  if (a.server && b.server && a.server.host !== b.server.host) return false;
  return a.kind === b.kind && endOf(a) === endOf(b);
}

/** Where a server listens, on whichever host. */
export const endOf = ({ config }: TargetSpec): unknown => config.port ?? config.path ?? config.socket;

/** A place as a sentence names it: “host db-01”, “server mysql-8.0”. */
export const placeWords = ({ kind, name }: ChangePlace): string => `${kind} “${name}”`;

/** Access to a place, for changers. */
export function atPlace(context: PlaceContext, place: ChangePlace, signal: AbortSignal): At {
  const notAServer = (): KneepointError =>
    new KneepointError({ code: 'internal', message: `${placeWords(place)} is not a server.`, host: place.name });
  return {
    place,
    signal,
    machine: () => context.machines.get(place.kind === 'host' ? place.name : hostOf(context, place.name)),
    server() {
      if (place.kind === 'host') throw notAServer();
      return context.servers.of(place.name);
    },
    target() {
      if (place.kind === 'host') throw notAServer();
      return context.targets.spec(place.name);
    },
    async connected(use) {
      const session = place.kind === 'server' ? await context.targets.open(place.name, signal) : undefined;
      if (!session) throw notAServer();
      try {
        return await use(session);
      } finally {
        await session.close();
      }
    },
  };
}

/** Machines between the app and a place: the host itself; for a server its host, if known. */
function machinesTo(context: PlaceContext, { kind, name }: ChangePlace): Machine[] {
  if (kind === 'host') return [context.machines.get(name)];
  const { server } = context.targets.spec(name);
  return server ? [context.machines.get(server.host)] : [];
}

/** How long a server that is reached without a host is retried: a broken link is indistinguishable from a server that is down. */
const TIMEOUT_MS = 30_000;
const BETWEEN_ATTEMPTS_MS = 500;

async function untilAnswered<T>({ signal, notice }: Waiting, act: () => Promise<T>): Promise<T> {
  const end = performance.now() + TIMEOUT_MS;
  for (let isLogged = false; ; isLogged = true) {
    try {
      return await act();
    } catch (error) {
      const { code, message } = problemOf(error);
      if (signal.aborted || code !== 'target-unreachable' || performance.now() > end) throw error;
      if (!isLogged) notice?.('warn', `${message} Trying again for ${TIMEOUT_MS / 1000} s.`);
      await pauseFor(BETWEEN_ATTEMPTS_MS, signal);
    }
  }
}

/** Repeats an act that fails only because a link to the place is down. Changers may be called again after any interruption. */
export function whilePlaceReachable<T>(
  context: PlaceContext,
  place: ChangePlace,
  waiting: Waiting,
  act: () => Promise<T>,
): Promise<T> {
  const isDirect = place.kind === 'server' && context.targets.spec(place.name).via === null;
  const direct = (): Promise<T> => {
    if (isDirect) return untilAnswered(waiting, act);
    return place.kind === 'server' ? untilTargetReachable(context, place.name, waiting, act) : act();
  };
  return machinesTo(context, place).reduce<() => Promise<T>>(
    (inner, machine) => () => untilReachable(machine, waiting, inner),
    direct,
  )();
}
