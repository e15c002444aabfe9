import { ALL_GENERATORS, type StretchData } from '../../../shared/model/result.ts';
import { type Points, stretches, stretchOf } from '../../../shared/stats/index.ts';
import type { RunRow, Store } from '../store/store.ts';
import { endOf } from './run-values.ts';
import { Workings } from './workings.ts';

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
  const workings = new Workings(store);
  const rows = groups.map((group) => runsOf(store, group));
  // How long the longest run was is known when all are read; runs that came to their end were as long as planned, and are read once.
  const planned = rows
    .flat()
    .filter(({ state, partial }) => state === 'done' && !partial)
    .map(endOf);
  const guess = planned.length > 0 ? stretchFor(Math.max(...planned), points) : undefined;
  const guessed: StretchData[] = [];
  let longest = 0;
  for (const group of rows) {
    for (const run of group) longest = Math.max(longest, lastSecond(workings, run, metric));
    if (guess !== undefined) guessed.push(stretchesOf(workings, group, metric, guess));
    await workings.pause();
  }
  const seconds = stretchFor(longest, points);
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
    answer.push(stretchesOf(workings, group, metric, seconds));
    await workings.pause();
  }
  return answer;
}

const stretchFor = (last: number, points: number): number =>
  stretchOf([{ t: Float64Array.of(last), v: new Float64Array(1) }], points);

const runsOf = (store: Store, ids: readonly number[]): RunRow[] => ids.flatMap((id) => store.runs.get(id) ?? []);

/** The seconds of the warm-up are on a timeline too. */
const WITHOUT_CUT = 0;

const lastSecond = (workings: Workings, run: RunRow, metric: string): number =>
  workings.of({ kind: 'last', runs: [{ run, cut: WITHOUT_CUT }], metrics: [metric] }, () => ({
    value: seriesOf(workings, run, metric).reduce((last, { t }) => Math.max(last, t.at(-1) ?? 0), 0),
    isWhole: true,
  }));

const stretchesOf = (workings: Workings, runs: readonly RunRow[], metric: string, seconds: number): StretchData =>
  workings.of(
    {
      kind: 'stretches',
      runs: runs.map((run) => ({ run, cut: WITHOUT_CUT })),
      metrics: [metric],
      given: [seconds],
    },
    () => ({
      value: stretches(
        runs.flatMap((run) => seriesOf(workings, run, metric)),
        seconds,
      ),
      isWhole: true,
    }),
  );

/** Of several generators the series of all together, where there is one. */
function seriesOf(workings: Workings, run: RunRow, metric: string): readonly Points[] {
  const all = workings.series(run, metric);
  const whole = all.filter(({ generator }) => generator === ALL_GENERATORS);
  return whole.length > 0 ? whole : all;
}
