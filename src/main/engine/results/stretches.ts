import { ALL_GENERATORS, type StretchData } from '../../../shared/model/result.ts';
import { type Points, stretches, stretchOf } from '../../../shared/stats/index.ts';
import type { Store } from '../store/store.ts';
import { runSeries } from './combine.ts';

export interface StretchQuery {
  /** Ids of runs; those that are not there have no values. */
  groups: readonly (readonly number[])[];
  metric: string;
  /** Stretches of the longest run, at most. */
  points: number;
}

/**
 * Hours of many runs as so many stretches each. A group at a time is in memory, and between two of them what else there is to do is done:
 * trials may be running.
 */
export async function runStretches(
  store: Store,
  { groups, metric, points }: StretchQuery,
): Promise<{ seconds: number; groups: StretchData[] }> {
  let longest = 0;
  for (const group of groups) {
    for (const { t } of seriesOf(store, group, metric)) longest = Math.max(longest, t.at(-1) ?? 0);
    await pause();
  }
  const seconds = stretchOf([{ t: Float64Array.of(longest), v: new Float64Array(1) }], points);
  const answer: StretchData[] = [];
  for (const group of groups) {
    answer.push(stretches(seriesOf(store, group, metric), seconds));
    await pause();
  }
  return { seconds, groups: answer };
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Of several generators the series of all together, where there is one. */
const seriesOf = (store: Store, runIds: readonly number[], metric: string): Points[] =>
  runIds.flatMap((id) => {
    const run = store.runs.get(id);
    const all = run ? runSeries(store, run, metric) : [];
    const whole = all.filter(({ generator }) => generator === ALL_GENERATORS);
    return whole.length > 0 ? whole : all;
  });
