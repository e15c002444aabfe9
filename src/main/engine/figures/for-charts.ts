import type { CellSeconds, SecondsQuery } from '../../../shared/model/chart.ts';
import type { SeriesData, StretchData } from '../../../shared/model/result.ts';
import { bucketSeconds, type Points, timeBuckets } from '../../../shared/stats/index.ts';
import type { RulesOf } from '../monitored/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { groupFacts, groupSeconds } from './group-facts.ts';
import { endOf } from './run-series.ts';
import { Workings } from './workings.ts';

/** Thins a series to about `points` values, keeping the minimum and the maximum of each bucket: a stall of one second stays visible. */
export function thin<Series extends Pick<SeriesData, 't' | 'v'>>(series: Series, points: number): Series {
  const length = series.t.length;
  if (length <= points) return series;
  const buckets = Math.max(1, Math.floor(points / 2));
  const kept: number[] = [];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * length) / buckets);
    const to = Math.floor(((bucket + 1) * length) / buckets);
    let low = from;
    let high = from;
    for (let i = from + 1; i < to; i++) {
      if ((series.v[i] as number) < (series.v[low] as number)) low = i;
      if ((series.v[i] as number) > (series.v[high] as number)) high = i;
    }
    kept.push(...(low === high ? [low] : low < high ? [low, high] : [high, low]));
  }
  return {
    ...series,
    t: Float64Array.from(kept, (i) => series.t[i] as number),
    v: Float64Array.from(kept, (i) => series.v[i] as number),
  };
}

export interface SeriesQuery {
  runIds: readonly number[];
  metrics: readonly string[];
  /** Approximate number of points per series. Default: all. */
  points?: number | undefined;
}

/** Seconds for each point below which thinned series are not stored: they would not be much smaller than the samples. */
const LEAST_FOR_A_POINT = 64;

/** Series of these runs; runs that do not exist are left out. Strongly thinned series are stored. Yields to other work between runs. */
export async function seriesOfRuns(
  store: Store,
  { runIds, metrics, points }: SeriesQuery,
  rulesOf?: RulesOf,
): Promise<SeriesData[]> {
  const workings = new Workings(store, rulesOf);
  const answer: SeriesData[] = [];
  for (const runId of runIds) {
    const run = store.runs.get(runId);
    if (!run) continue;
    for (const metric of metrics) answer.push(...thinnedOf(workings, run, metric, points));
    await workings.pause();
  }
  workings.keep();
  return answer;
}

/** Every series of a metric of one run, stored or calculated. */
export const seriesOfRun = (store: Store, run: RunRow, metric: string, rulesOf?: RulesOf): readonly SeriesData[] =>
  new Workings(store, rulesOf).series(run, metric);

/** As it is stored: the generator is a number even for all generators together. */
type Thinned = Pick<SeriesData, 't' | 'v'> & { generator: number };
const TOGETHER = -1;

function thinnedOf(workings: Workings, run: RunRow, metric: string, points: number | undefined): SeriesData[] {
  if (points === undefined) return [...workings.series(run, metric)];
  const work = (): SeriesData[] => workings.series(run, metric).map((series) => thin(series, points));
  if (endOf(run) < points * LEAST_FOR_A_POINT) return work();
  const question = { kind: 'thinned', runs: [{ run, cut: 0 }], metrics: [metric], given: [points] };
  const kept = workings.of<Thinned[]>(question, () => ({
    value: work().map(({ generator, t, v }) => ({ generator: generator ?? TOGETHER, t, v })),
    isWhole: true,
  }));
  return kept.map(({ generator: of, t, v }) => ({
    runId: run.id,
    generator: of === TOGETHER ? null : of,
    metric,
    t,
    v,
  }));
}

export interface BucketQuery {
  /** Run ids. Runs that do not exist have no values. */
  groups: readonly (readonly number[])[];
  metric: string;
  /** Upper limit for the number of segments of the longest run. */
  points: number;
}

/**
 * Divides hours of many runs into the same number of segments. Holds one group in memory at a time and yields to other work between groups,
 * as trials may be running.
 */
export async function runBuckets(
  store: Store,
  { groups, metric, points }: BucketQuery,
  rulesOf?: RulesOf,
): Promise<{ seconds: number; groups: StretchData[] }> {
  const workings = new Workings(store, rulesOf);
  const rows = groups.map((group) => runsOf(store, group));
  // The longest run is known only after all have been read. Complete runs last as long as planned, so a guess from them avoids reading
  // twice.
  const planned = rows
    .flat()
    .filter(({ state, partial }) => state === 'done' && !partial)
    .map(endOf);
  const guess = planned.length > 0 ? bucketSecondsFor(Math.max(...planned), points) : undefined;
  const guessed: StretchData[] = [];
  let longest = 0;
  for (const group of rows) {
    for (const run of group) longest = Math.max(longest, lastSecond(workings, run, metric));
    if (guess !== undefined) guessed.push(bucketsOf(workings, group, metric, guess));
    await workings.pause();
  }
  const seconds = bucketSecondsFor(longest, points);
  const answer = seconds === guess ? guessed : await eachOf(workings, rows, metric, seconds);
  workings.keep();
  return { seconds, groups: answer };
}

async function eachOf(
  workings: Workings,
  groups: readonly (readonly RunRow[])[],
  metric: string,
  seconds: number,
): Promise<StretchData[]> {
  const answer: StretchData[] = [];
  for (const group of groups) {
    answer.push(bucketsOf(workings, group, metric, seconds));
    await workings.pause();
  }
  return answer;
}

const bucketSecondsFor = (last: number, points: number): number =>
  bucketSeconds([{ t: Float64Array.of(last), v: new Float64Array(1) }], points);

const runsOf = (store: Store, ids: readonly number[]): RunRow[] => ids.flatMap((id) => store.runs.get(id) ?? []);

/** A timeline includes the warm-up. */
const WITHOUT_CUT = 0;

const lastSecond = (workings: Workings, run: RunRow, metric: string): number =>
  workings.of({ kind: 'last', runs: [{ run, cut: WITHOUT_CUT }], metrics: [metric] }, () => ({
    value: wholeOf(workings, run, metric).reduce((last, { t }) => Math.max(last, t.at(-1) ?? 0), 0),
    isWhole: true,
  }));

const bucketsOf = (workings: Workings, runs: readonly RunRow[], metric: string, seconds: number): StretchData =>
  workings.of(
    {
      kind: 'stretches',
      runs: runs.map((run) => ({ run, cut: WITHOUT_CUT })),
      metrics: [metric],
      given: [seconds],
    },
    () => ({
      value: timeBuckets(
        runs.flatMap((run) => wholeOf(workings, run, metric)),
        seconds,
      ),
      isWhole: true,
    }),
  );

/** With several generators, the combined series if there is one. */
function wholeOf(workings: Workings, run: RunRow, metric: string): readonly Points[] {
  const all = workings.series(run, metric);
  const whole = all.filter(({ generator }) => generator === null);
  return whole.length > 0 ? whole : all;
}

export interface QuantileQuery {
  /** Run ids. Runs that do not exist have no values. */
  groups: readonly (readonly number[])[];
  metric: string;
  /** Seconds left out at the start of each run. */
  warmup: number;
}

/** Measured seconds of each group, as returned by `groupSeconds`. */
export function runSeconds(
  store: Store,
  { groups, metric, warmup, clip, points, inTime }: SecondsQuery,
  rulesOf?: RulesOf,
): CellSeconds[] {
  const workings = new Workings(store, rulesOf);
  return groups.map((group) => {
    const runs = group.flatMap((id) => {
      const run = store.runs.get(id);
      return run ? [{ run, cut: warmup }] : [];
    });
    const seconds = groupSeconds(workings, runs, { metric, clip, points });
    if (!inTime) return seconds;
    const [first] = runs.flatMap(({ run }) =>
      wholeOf(workings, run, metric)
        .filter(({ t }) => t.length > 0)
        .slice(0, 1),
    );
    const from = first?.t.findIndex((second) => second > warmup) ?? -1;
    if (!first || from < 0) return seconds;
    const own = { t: first.t.slice(from).map((t) => t - warmup), v: first.v.slice(from) };
    return { ...seconds, inTime: thin(own, points) };
  });
}

/** Measured seconds of each group combined, ascending: all of them, or their percentiles from 0 to 100 if there are more than that. */
export async function runQuantiles(
  store: Store,
  { groups, metric, warmup }: QuantileQuery,
  rulesOf?: RulesOf,
): Promise<Float64Array[]> {
  const workings = new Workings(store, rulesOf);
  const answer: Float64Array[] = [];
  for (const group of groups) {
    const runs = group.flatMap((id) => {
      const run = store.runs.get(id);
      return run ? [{ run, cut: warmup }] : [];
    });
    answer.push(groupFacts(workings, runs, metric).quantiles);
    await workings.pause();
  }
  workings.keep();
  return answer;
}
