import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { LOADING_SESSION } from '../../../shared/model/states.ts';
import type { TargetSpec } from '../../../shared/model/target.ts';
import type { UsedPlaces } from '../plans/index.ts';
import type { SessionRow, Store } from '../store/store.ts';
import { addressesIn } from '../targets/index.ts';
import type { RunsContext } from './context.ts';

/** Another session that loads a generator or target of this one. */
export interface Occupant {
  session: SessionRow;
  /** The generator or target that both use, as a phrase for people. */
  what: string;
  /** It is being executed now. If false, the app lost sight of it during a trial, and its tool may still be running. */
  active: boolean;
}

/** Finds the session that currently loads a place, if any. */
export interface Occupancy {
  occupant(places: UsedPlaces): Occupant | undefined;
}

/**
 * Returns the session that currently loads one of these generators or targets. Two benchmarks at once would measure each other, so the second one is
 * refused before it touches either: not even rows are counted on a server that is being measured.
 */
export function findOccupant(
  store: Store,
  places: UsedPlaces,
  isActive: (id: number) => boolean,
  except?: number,
): Occupant | undefined {
  const attaches = except !== undefined && mayBeAtWork(store, except);
  for (const session of store.sessions.inState(LOADING_SESSION)) {
    if (session.id === except) continue;
    const what = sharedBetween(store, places, placesOfRow(session));
    if (what === undefined) continue;
    const active = isActive(session.id);
    // If the tools of both may still be running, each may continue: it starts nothing new before the other is seen to be active.
    if (active || (!attaches && mayBeAtWork(store, session.id))) return { session, what, active };
  }
  return undefined;
}

/** Whether a trial or a data step was started on a host and its end has not been seen. */
function mayBeAtWork(store: Store, id: number): boolean {
  return store.jobs.step(id) !== undefined || store.runs.open(id).length > 0;
}

/** Generators and targets of a stored session. */
export const placesOfRow = ({ generators, targets }: SessionRow): UsedPlaces => ({ generators, targets });

function sharedBetween(store: Store, a: UsedPlaces, b: UsedPlaces): string | undefined {
  const hosts = b.generators.map((name) => hostKey(store, name));
  const host = a.generators.find((name) => hosts.includes(hostKey(store, name)));
  if (host !== undefined) return `the generator “${host}”`;
  const servers = new Set(b.targets.flatMap((name) => serverKeys(store, name)));
  const target = a.targets.find((name) => serverKeys(store, name).some((key) => servers.has(key)));
  return target === undefined ? undefined : `the target “${target}”`;
}

/** Two hosts with the same address and port are one machine under two names. */
export function hostKey(store: Store, name: string): string {
  const spec = store.hosts.byName(name)?.spec;
  return spec?.kind === 'ssh' ? `${spec.address.toLowerCase()} ${spec.port} ${spec.jumps.join()}` : name;
}

/** Looks up a saved target by name. */
type SpecOf = (name: string) => TargetSpec | undefined;

const savedIn =
  (store: Store): SpecOf =>
  (name) =>
    store.targets.byName(name)?.spec;

/** One key per address of a server: two databases on it share its memory and its disks. */
function serverKeys(store: Store, name: string): string[] {
  const specOf = savedIn(store);
  const spec = specOf(name);
  if (!spec) return [name];
  const { kind, via, config } = serverBehind(spec, specOf);
  const further = addressesIn(String(config.addresses ?? ''), Number(config.port)) ?? [];
  return [serverKeyOf(spec, specOf), ...further.map(({ host, port }) => JSON.stringify([kind, via, host, port]))];
}

function serverKeyOf(spec: TargetSpec, specOf: SpecOf): string {
  const { name, kind, via, config } = serverBehind(spec, specOf);
  const { address, port, socket, path } = config;
  return JSON.stringify([kind, via, address ?? socket ?? path ?? name, port ?? null]);
}

/** Requests to a proxy reach the server behind it. */
function serverBehind(spec: TargetSpec, specOf: SpecOf, passed: readonly string[] = []): TargetSpec {
  const behind = spec.behind === undefined || passed.includes(spec.behind) ? undefined : specOf(spec.behind);
  return behind ? serverBehind(behind, specOf, [...passed, behind.name]) : spec;
}

/** Name of the server's own target: the one behind it if it is a proxy, else the target itself, known or not. */
export const serverTarget = ({ targets }: Pick<RunsContext, 'targets'>, name: string): string => {
  const specOf: SpecOf = (other) => (targets.shown(other) ? targets.spec(other) : undefined);
  const spec = specOf(name);
  return spec ? serverBehind(spec, specOf).name : name;
};

/** Saved targets at the additional addresses of a target, and at those of the server behind it. */
export const nodesOf = (context: Pick<RunsContext, 'targets'>, name: string): string[] => {
  const own = [...new Set([name, serverTarget(context, name)])];
  return [...new Set(own.flatMap((each) => context.targets.nodes(each)))].filter((node) => !own.includes(node));
};

/** Replaces a proxy in a cell with the target behind it. */
export const atServer = <Place extends { readonly target?: string }>(
  context: Pick<RunsContext, 'targets'>,
  place: Place,
): Place => (place.target === undefined ? place : { ...place, target: serverTarget(context, place.target) });

/** Key of a target's database: equal for two targets that lead to the same database. */
export const databaseKey = (store: Store, name: string): string => {
  const specOf = savedIn(store);
  const spec = specOf(name);
  return spec ? databaseKeyOf(spec, specOf) : JSON.stringify([name, null]);
};

/** Like `databaseKey`, for target descriptions. */
export const databaseKeyOf = (spec: TargetSpec, specOf: SpecOf): string =>
  JSON.stringify([serverKeyOf(spec, specOf), spec.config.database ?? null]);

const sentence = ({ session, what, active }: Occupant): string =>
  active
    ? `Session ${session.id} (“${session.name}”) is using ${what}; two benchmarks at once would disturb each other.`
    : `Session ${session.id} (“${session.name}”) was interrupted while its tool was running, which may still be loading ${what}.`;

const advice = ({ session, active }: Occupant): string =>
  active
    ? `Wait until session ${session.id} has ended, pause it, or stop it.`
    : `Resume session ${session.id}, or stop it.`;

export const occupiedFinding = (occupant: Occupant): Finding => ({
  code: 'occupied',
  severity: 'block',
  message: sentence(occupant),
  next: advice(occupant),
});

export const occupiedProblem = (occupant: Occupant): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: sentence(occupant),
    session: occupant.session.id,
    safe: 'Nothing was started, and running work is unaffected.',
    next: advice(occupant),
  });
