import { useSearchParams } from 'wouter';
import { z } from 'zod';
import { titleOf } from '../../../shared/chart-models/index.ts';
import { type Reaching, reachingOf } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { AssumedWork, Configuration, CostGoal, ValueForMoney, ValueScale } from '../../../shared/model/cost.ts';
import { Levels } from '../../../shared/model/factor.ts';
import type { Problem } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import { useCall } from '../../client/index.ts';
import { fittingFirst } from './answer.ts';

/** The contract allows at most this many sessions in one call. */
const MOST_SESSIONS = 100;
/** Latencies that a goal can have, the usual ones first. */
const LATENCIES = ['latency_p99_ms', 'latency_p95_ms', 'latency_avg_ms', 'latency_max_ms'] as const;

/** Sources of work that differ from the common one, by id of the configuration. */
const Sources = z.record(z.string(), z.object({ session: z.number(), levels: Levels.optional() }));
type Sources = z.infer<typeof Sources>;

interface Choice {
  value: string;
  label: string;
}

type Key = 'goal' | 'latency' | 'most' | 'work' | 'own';

/** Sessions with a price, and the one whose work is priced instead. */
function candidatesIn(sessions: readonly Session[], work: string | undefined) {
  const priced = sessions.filter((session) => session.costPerHour !== undefined);
  const useful = sessions.filter(({ best }) => best);
  // The only session is the work to price, if nothing was measured at a price.
  const only = priced.length === 0 && useful.length === 1 ? useful[0] : undefined;
  return { priced, useful, base: useful.find(({ id }) => String(id) === work) ?? only };
}

/** Latencies that the session of the work has recorded; all if that is unknown. */
function useLatencies(sessions: readonly Session[], work: string | undefined): readonly string[] {
  const { priced, base } = candidatesIn(sessions, work);
  const session = base ?? priced[0];
  const { data } = useCall('results.session', { sessionId: session?.id ?? 0 }, { enabled: session !== undefined });
  const recorded = data ? [...data.metrics, ...(data.runFigures ?? [])] : [];
  const found = LATENCIES.filter((each) => recorded.includes(each));
  return found.length > 0 ? found : LATENCIES;
}

/** The demand on the systems and the work that is priced, stored in the address: it survives a reload, and links contain it. */
export function useGoal(sessions: readonly Session[]) {
  const [parameters, setParameters] = useSearchParams();
  const number = (name: Key): number | undefined => {
    const value = Number(parameters.get(name) ?? Number.NaN);
    return value > 0 ? value : undefined;
  };
  const [rate, most] = [number('goal'), number('most')];
  const work = parameters.get('work') ?? undefined;
  const latencies = useLatencies(sessions, work);
  const chosen = parameters.get('latency');
  const latency = chosen ?? latencies[0] ?? LATENCIES[0];
  const goal: CostGoal | undefined =
    rate === undefined ? undefined : { rate, ...(most !== undefined && { latency: { metric: latency, most } }) };
  return {
    goal,
    /** The highest latency, with or without a rate. */
    most,
    latency,
    /** Latencies to choose from. */
    latencies: chosen === null || latencies.includes(chosen) ? latencies : [...latencies, chosen],
    work,
    sources: sourcesIn(parameters.get('own')),
    setGoal: (change: Partial<Record<Key, string>>): void =>
      setParameters(
        (now) => {
          const next = new URLSearchParams(now);
          for (const [name, value] of Object.entries(change)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
  };
}
export type Asked = ReturnType<typeof useGoal>;

function sourcesIn(text: string | null): Sources {
  try {
    return Sources.parse(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

export interface Work {
  /** Sessions whose measured work is priced; empty if work is assumed. */
  ids: readonly number[];
  /** Work assumed for each configuration; undefined if it was measured at its price. */
  assumed: readonly AssumedWork[] | undefined;
  /** One row for each system: its best cell, or with a goal the one that serves it best. */
  scale: ValueScale | undefined;
  /** With a goal: all systems, the cheapest first. */
  systems: readonly Reaching[];
  left: ValueForMoney['left'];
  problem: Problem | undefined;
  /** Choices of work to price, and the current one. */
  options: { group: string; items: Choice[] }[];
  choice: string | undefined;
  choose(choice: string): void;
  /** Work that one configuration can have instead of the common one. */
  sourcesOf: readonly Choice[];
  sourceOf(configurationId: number): string;
  setSource(configurationId: number, value: string): void;
}

/** Metric of a goal while nothing is priced. */
export const NO_METRIC = 'tps';

const sourceKey = (session: number, levels?: Levels): string => JSON.stringify({ session, ...(levels && { levels }) });

/** The work that is priced: measured work, by metric and currency, or the work of sessions at prices of other systems. */
export function useWork(
  configurations: readonly Configuration[],
  sessions: readonly Session[],
  selected: readonly number[],
  { goal, latency, work, sources, setGoal }: Asked,
): Work {
  const { priced, useful, base } = candidatesIn(sessions, work);
  const some = priced.filter((session) => selected.includes(session.id));
  const ids = (some.length > 1 ? some : priced).slice(0, MOST_SESSIONS).map(({ id }) => id);
  const assumed = base && configurations.map(({ id }) => ({ configurationId: id, ...sourceFor(sources, id, base.id) }));
  const best = useCall('costs.valueForMoney', { sessionIds: ids }, { enabled: ids.length > 0 });
  const scales = (ids.length > 0 ? best.data?.scales : undefined) ?? [];
  const keyOf = ({ metric, currency }: ValueScale): string => `measured ${metric} ${currency}`;
  const found = scales.find((scale) => keyOf(scale) === work) ?? scales[0];
  const inCells = useCall(
    'costs.valueForMoney',
    { sessionIds: ids, perCell: true, latency, ...(found && { metric: found.metric }) },
    { enabled: goal !== undefined && found !== undefined && base === undefined },
  );
  const ofBase = useCall(
    'costs.valueForMoney',
    { sessionIds: [], perCell: true, latency, assumed: assumed ?? [] },
    { enabled: (assumed?.length ?? 0) > 0 },
  );
  const isSame = ({ metric, currency }: ValueScale): boolean => metric === found?.metric && currency === found.currency;
  const cells = base ? ofBase.data?.scales[0] : inCells.data?.scales.find(isSame);
  const systems = goal && cells ? reachingOf(cells.rows, goal) : [];
  const whole = base ? cells && { ...cells, rows: bestOfEach(cells.rows) } : found;
  const scale = whole && systems.length > 0 ? { ...whole, rows: systems.map(({ row }) => row) } : whole;
  return {
    ids: base ? [] : ids,
    assumed,
    scale,
    systems,
    left: (base ? ofBase.data?.left : best.data?.left) ?? [],
    problem: (base ? ofBase.error : best.error)?.problem,
    options: [
      {
        group: 'Measured at its price',
        items: scales.map((each) => ({
          value: keyOf(each),
          label: `Each configuration: ${titleOf(metricOf(each.metric))}, ${each.currency}`,
        })),
      },
      {
        group: 'The same for all configurations',
        items: fittingFirst(useful, scale?.metric ?? NO_METRIC).map(({ id, name }) => ({
          value: String(id),
          label: `${name} (${id})`,
        })),
      },
    ].filter(({ items }) => items.length > 0),
    choice: base ? String(base.id) : found && keyOf(found),
    choose: (choice) => setGoal({ work: choice, own: '' }),
    sourcesOf: base
      ? useful.flatMap(({ id, name }) => [
          { value: sourceKey(id), label: `${name} (${id})` },
          ...levelsIn(cells, id, sources).map((levels) => ({
            value: sourceKey(id, levels),
            label: `${name} (${id}): ${formatLevels(levels)}`,
          })),
        ])
      : [],
    sourceOf: (id) => {
      const { sessionId, levels } = sourceFor(sources, id, base?.id ?? 0);
      return sourceKey(sessionId, levels);
    },
    setSource: (id, value) => setGoal({ own: JSON.stringify({ ...sources, [id]: JSON.parse(value) }) }),
  };
}

const sourceFor = (sources: Sources, id: number, base: number): Omit<AssumedWork, 'configurationId'> => {
  const { session = base, levels } = sources[id] ?? {};
  return { sessionId: session, ...(levels && { levels }) };
};

/** The best row of each configuration: rows are ranked. */
const bestOfEach = (rows: ValueScale['rows']): ValueScale['rows'] =>
  rows.filter((row, place) => rows.findIndex(({ configuration }) => configuration === row.configuration) === place);

/** Levels by which the cells of a session differ, each alone. */
function levelsIn(scale: ValueScale | undefined, sessionId: number, sources: Sources): Levels[] {
  const cells = (scale?.rows ?? []).filter((row) => row.sessionId === sessionId);
  const names = [...new Set(cells.flatMap(({ levels }) => Object.keys(levels)))];
  const found = names.flatMap((name) => {
    const levels = [...new Set(cells.flatMap((cell) => cell.levels[name] ?? []))];
    return levels.length > 1 ? levels.map((level): Levels => ({ [name]: level })) : [];
  });
  // A chosen level hides the others of its factor, so it is listed itself.
  const chosen = Object.values(sources).flatMap(({ session, levels }) =>
    session === sessionId && levels ? [levels] : [],
  );
  return [...found, ...chosen].filter(
    (levels, place, all) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(levels)) === place,
  );
}
