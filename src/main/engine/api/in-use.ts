import { type HostSpec, LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { GiveUp } from '../../../shared/model/restore.ts';
import { ENDED_SESSION, SessionState } from '../../../shared/model/session.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { JournalEntry, SessionRow, Store } from '../store/store.ts';
import { valueWords } from '../world/index.ts';
import type { ApiContext } from './context.ts';

const SAFE = 'Nothing was changed.';
const END_IT = 'Wait until it has ended, or stop it.';

const NOT_ENDED = SessionState.options.filter((state) => !ENDED_SESSION.includes(state));

/** A session that has not ended and needs one of these; archived ones run too. */
const userOf = (store: Store, needs: (where: Pick<SessionRow, 'id' | 'generators' | 'targets'>) => boolean) =>
  store.sessions.inState(NOT_ENDED).find(needs);

/** Whether a program of Kneepoint monitors the host for this session. */
const isWatchedBy = (store: Store, sessionId: number, host: string): boolean =>
  store.sources.ofSession(sessionId).some(({ kind, about }) => kind !== 'generator' && about?.host === host);

const words = (session: SessionRow): string => `Session ${session.id} (“${session.name}”)`;

/** A test of its disks would disturb measurements there. */
export function refuseWhileMeasured(store: Store, name: string): void {
  const user = userOf(store, ({ id, generators }) => generators.includes(name) || isWatchedBy(store, id, name));
  if (user)
    throw new KneepointError({
      code: 'conflict',
      message: `${words(user)} is using this host, and the test would disturb it.`,
      host: name,
      safe: SAFE,
      next: END_IT,
    });
}

/** A host that is still needed cannot be removed or renamed: the runs of a session could never be fetched to their end. */
export function refuseWhileHostUsed(store: Store, name: string): void {
  if (name === LOCAL_HOST_NAME)
    throw new KneepointError({ code: 'bad-request', message: 'This computer cannot be removed.' });
  const refuse = (message: string, next: string): never => {
    throw new KneepointError({ code: 'conflict', message, host: name, safe: SAFE, next });
  };
  const through = store.targets.list().filter(({ spec }) => spec.via === name);
  const user = userOf(
    store,
    ({ generators, targets }) =>
      generators.includes(name) || through.some(({ spec }) => includesTarget(store, targets, spec.name)),
  );
  if (user) refuse(`${words(user)} is using this host.`, END_IT);
  const watcher = userOf(store, ({ id }) => isWatchedBy(store, id, name));
  if (watcher) refuse(`${words(watcher)} is watching this host.`, END_IT);
  const jumper = store.hosts.list().find(({ spec }) => spec.kind === 'ssh' && spec.jumps.includes(name));
  if (jumper) refuse(`Kneepoint connects to “${jumper.spec.name}” via this host.`, 'Change its jump hosts first.');
  if (through[0])
    refuse(`Kneepoint connects to the target “${through[0].spec.name}” via this host.`, 'Change its connection first.');
  const living = store.targets.list().find(({ spec }) => spec.server?.host === name);
  if (living) refuse(`The server of target “${living.spec.name}” runs on this host.`, 'Change its server host first.');
  const tunnel = store.hosts.tunnels().find(({ spec }) => spec.host === name);
  if (tunnel) refuse(`The tunnel “${tunnel.spec.name}” leads through this host.`, 'Remove the tunnel first.');
}

export const changesAt = (store: Store, places: readonly JournalEntry['place'][]): readonly JournalEntry[] =>
  places.flatMap((place) => store.journal.open(place));

interface Kept {
  /** The host or target that is removed or changed, whose name a user types to give its entries up. */
  readonly name: string;
  readonly kind: 'host' | 'target';
  readonly places: readonly JournalEntry['place'][];
  /** The name that the user typed. */
  readonly giveUp: string | undefined;
}

/**
 * Changes could never be restored if their host or target were removed, or led elsewhere. A user who types its name gives them up: returns the
 * entries to close afterwards.
 */
export function changesToGiveUp(context: Pick<ApiContext, 'store' | 'sessions'>, kept: Kept): readonly JournalEntry[] {
  const { store, sessions } = context;
  const { name, kind, places, giveUp } = kept;
  const entries = changesAt(store, places);
  const [first] = entries;
  if (!first) return [];
  const under = entries.find(({ sessionId }) => sessionId !== null && sessions.isActive(sessionId));
  if (!under && giveUp === name) return entries;
  const sessionIds = [...new Set(entries.flatMap(({ sessionId }) => sessionId ?? []))];
  throw new KneepointError({
    code: 'conflict',
    message: `Sessions changed settings there that have not been restored yet. ${changeWords(entries)}`,
    ...(kind === 'host' ? { host: name } : { target: name }),
    safe: SAFE,
    next: under
      ? `Session ${under.sessionId} is running and restores them when it ends. ${END_IT}`
      : `Restore them first, with ${sessionIds.map((id) => `“kneepoint restore ${id}”`).join(' and ') || '“kneepoint restore”'} or in the app. Or type “${name}” to keep the changes and forget the original values.`,
    ...(!under && { details: { giveUp: name } satisfies GiveUp }),
  });
}

export function giveUpChanges({ store, events, now }: ApiContext, entries: readonly JournalEntry[]): void {
  for (const { id } of entries) store.journal.close(id, 'given-up', now());
  if (entries.length > 0) events.changed('hosts');
}

/** “Session 7 on host “db1”: vm.swappiness (was “60”, set to “1”).” */
const changeWords = (entries: readonly JournalEntry[]): string =>
  Object.values(
    Object.groupBy(
      entries,
      ({ sessionId, place }) => `${sessionId ?? 'A removed session'} ${place.kind} ${place.name}`,
    ),
  )
    .map((group = []) => {
      const [first] = group;
      const session = first?.sessionId == null ? 'A removed session' : `Session ${first.sessionId}`;
      const settingWords = group.map(({ what, oldValue, wanted, undo }) =>
        undo.kind === 'put-back' ? `${what} (was ${valueWords(oldValue)}, set to ${valueWords(wanted)})` : what,
      );
      return `${session} on ${first?.place.kind} “${first?.place.name}”: ${settingWords.join('; ')}.`;
    })
    .join(' ');

/** A host, and the servers that are reached through it or run on it. */
export const placesAtHost = (store: Store, name: string): JournalEntry['place'][] => [
  { kind: 'host', name },
  ...store.targets
    .list()
    .filter(({ spec }) => spec.via === name || spec.server?.host === name)
    .map(({ spec }) => ({ kind: 'server', name: spec.name }) as const),
];

/** Whether a host leads to another machine or account than before; a different login method leads to the same. */
export const pointsElsewhere = (before: HostSpec, after: HostSpec): boolean => {
  const where = (spec: HostSpec): string => JSON.stringify(sorted({ ...spec, auth: undefined }));
  return where(before) !== where(after);
};

/** Whether a target leads to another server than before; its control and its login may change. */
export const measuresElsewhere = (before: TargetSpec, after: TargetSpec): boolean => {
  const where = ({ name, kind, via, config, server, behind }: TargetSpec): string => {
    const { address, url, host, port, path, socket } = config;
    const lives = server && {
      host: server.host,
      settingsFile: server.settingsFile,
      ...(server.control.kind === 'managed' && { folder: server.control.folder }),
      ...(server.control.kind === 'systemd' && { unit: server.control.unit }),
    };
    return JSON.stringify(sorted({ name, kind, via, address, url, host, port, path, socket, lives, behind }));
  };
  return where(before) !== where(after);
};

/** Trials of one session must use one server: only the password may change meanwhile. */
export function refuseWhileTargetUsed(store: Store, before: TargetSpec, after?: TargetSpec): void {
  const same = after && JSON.stringify(sorted(after)) === JSON.stringify(sorted(before));
  if (same) return;
  const user = userOf(store, ({ targets }) => includesTarget(store, targets, before.name));
  if (!user) return;
  throw new KneepointError({
    code: 'conflict',
    message: `${words(user)} is measuring this target, and all its trials must use the same server.`,
    target: before.name,
    safe: SAFE,
    next: `${END_IT} A new password alone can be saved at any time.`,
  });
}

/** A server that a session is measuring cannot be started or stopped by hand, nor can one behind a measured proxy. */
export function refuseWhileServerUsed(store: Store, name: string): void {
  const user = userOf(store, ({ targets }) => includesTarget(store, targets, name));
  if (!user) return;
  throw new KneepointError({
    code: 'conflict',
    message: `${words(user)} is using the server of target “${name}”.`,
    target: name,
    safe: SAFE,
    next: END_IT,
  });
}

/** Without this target, a proxy in front of it would lead nowhere. */
export function refuseWhileBehind(store: Store, name: string): void {
  const [proxy] = proxiesOf(store, name);
  if (proxy === undefined) return;
  throw new KneepointError({
    code: 'conflict',
    message: `The target “${proxy}” is a proxy that leads to the server of this target.`,
    target: name,
    safe: SAFE,
    next: `Choose another server behind “${proxy}” first.`,
  });
}

/** Names of the targets that lead to the server of this one. */
const proxiesOf = (store: Store, name: string, passed: readonly string[] = [name]): string[] =>
  store.targets
    .list()
    .flatMap(({ spec }) =>
      spec.behind === name && !passed.includes(spec.name)
        ? [spec.name, ...proxiesOf(store, spec.name, [...passed, spec.name])]
        : [],
    );

/** Whether one of these targets is this one, or a proxy that leads to its server. */
function includesTarget(store: Store, targets: readonly string[], name: string): boolean {
  const names = [name, ...proxiesOf(store, name)];
  return targets.some((target) => names.includes(target));
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => [name, sorted(entry)]);
}
