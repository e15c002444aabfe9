import type { CellSeconds } from '../../../shared/model/chart.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import { isCounted } from '../../../shared/model/repeats.ts';
import type { Spread } from '../../../shared/model/result.ts';
import {
  ascendingOfParts,
  type JudgedCell,
  judgeCell,
  judgesSteadiness,
  percentile,
  resolutionOfAscending,
  steadySession,
  together,
  type Weighted,
  weightedSpread,
} from '../../../shared/stats/index.ts';
import type { RunRow } from '../store/store.ts';
import { generatorValues } from './run-series.ts';
import type { CutRun, Workings } from './workings.ts';

/** Statistics of the seconds of several runs combined. */
export interface GroupFacts {
  readonly spread?: Spread;
  /** Smallest step between values. */
  readonly resolution?: number;
  /** All finite values, ascending, or their percentiles from 0 to 100 if there are more than that. */
  readonly quantiles: Float64Array;
}

const PERCENTILES = 100;

export const groupFacts = (workings: Workings, runs: readonly CutRun[], metric: string): GroupFacts =>
  workings.of({ kind: 'group', runs, metrics: [metric] }, () => {
    const parts = runs.map((each) => workings.seconds(each, metric));
    const measured = together(parts.map(({ window }) => window.measured));
    const ascending = ascendingOfParts(
      parts.map((part) => part.ascending),
      measured.values,
    );
    const spread = weightedSpread(measured, ascending);
    const resolution = resolutionOfAscending(ascending);
    return {
      value: {
        ...(spread && { spread }),
        ...(resolution !== undefined && { resolution }),
        quantiles: thinned(finiteOf(ascending)),
      },
      isWhole: parts.every(({ damage }) => damage.length === 0),
    };
  });

/** Infinities are at the ends. */
function finiteOf(ascending: Float64Array): Float64Array {
  let [first, end] = [0, ascending.length];
  while (first < end && !Number.isFinite(ascending[first])) first += 1;
  while (end > first && !Number.isFinite(ascending[end - 1])) end -= 1;
  return ascending.subarray(first, end);
}

/**
 * Measured seconds of these runs: their number, how many are above `clip`, and the others ascending. If there are more than `points`, as
 * many at even ranks from the smallest to the largest.
 */
export function groupSeconds(
  workings: Workings,
  runs: readonly CutRun[],
  { metric, clip, points }: { metric: string; clip?: number | undefined; points: number },
): CellSeconds {
  const parts = runs.map((each) => workings.seconds(each, metric));
  const all = finiteOf(
    ascendingOfParts(
      parts.map((part) => part.ascending),
      together(parts.map(({ window }) => window.measured)).values,
    ),
  );
  const beyond = clip === undefined ? -1 : all.findIndex((value) => value > clip);
  const end = beyond < 0 ? all.length : beyond;
  const ascending =
    end <= points
      ? all.slice(0, end)
      : Float64Array.from(
          { length: points },
          (_, rank) => all[Math.round((rank * (end - 1)) / (points - 1))] ?? Number.NaN,
        );
  return { count: all.length, above: all.length - end, ascending };
}

const thinned = (ascending: Float64Array): Float64Array =>
  ascending.length <= PERCENTILES + 1
    ? ascending.slice()
    : Float64Array.from({ length: PERCENTILES + 1 }, (_, p) => percentile(ascending, p));

/** Complete runs of a cell that have seconds. */
export interface SteadyRuns {
  readonly cell: number;
  readonly levels: Levels;
  readonly runs: readonly CutRun[];
  readonly cut: number;
}

/** Whether a cell's runs have settled. `cells` is the number of cells judged together. */
const steadyFacts = (workings: Workings, { cell, runs, cut }: SteadyRuns, metric: string, cells: number): JudgedCell =>
  workings.of({ kind: 'steady', runs, metrics: [metric], given: [cell, cut, cells] }, () => {
    const points = runs.map((each) => {
      const { whole, ascending } = workings.seconds(each, metric);
      return { ...whole, ...(each.cut === cut && { ascending }) };
    });
    return { value: judgeCell({ cell, runs: points, cut }, cells), isWhole: true };
  });

/** Spread of each generator of these runs, in document order; null for a generator without a value. */
export const generatorFacts = (
  workings: Workings,
  runs: readonly CutRun[],
  metric: string,
): readonly (Spread | null)[] => {
  const several = runs.filter(({ run }) => run.jobs.length > 1);
  if (several.length === 0) return [];
  return workings.of({ kind: 'generators', runs: several, metrics: [metric] }, () => {
    const values = several.map(({ run, cut }) =>
      generatorValues(workings.store, { run, metric, cut, ofEvents: workings.isOfEvents(run, metric) }),
    );
    const most = Math.max(...values.map(({ length }) => length));
    const spreads = Array.from({ length: most }, (_, generator) =>
      weightedSpread(together(values.flatMap((each): Weighted[] => (each[generator] ? [each[generator]] : [])))),
    );
    return { value: spreads.map((spread) => spread ?? null), isWhole: true };
  });
};

/**
 * Judges cell by cell, while a cell's seconds are in memory. The number of cells judged together is known only at the end: if damage made
 * it differ from the expected number, all cells are judged again.
 */
export function steadinessOf(workings: Workings, metric: string, repeats: readonly RunRow[]) {
  const isExpected = (run: RunRow): boolean => isCounted(run) && workings.metrics(run.id).includes(metric);
  const expected = judgesSteadiness(metric) ? new Set(repeats.filter(isExpected).map(({ cell }) => cell)).size : 0;
  const judged: (SteadyRuns & JudgedCell)[] = [];
  const judge = (cell: SteadyRuns, cells: number) => ({ ...cell, ...steadyFacts(workings, cell, metric, cells) });
  return {
    add(cell: SteadyRuns): void {
      if (judgesSteadiness(metric) && cell.runs.length > 0) judged.push(judge(cell, expected));
    },
    judged: () => steadySession(judged.length === expected ? judged : judged.map((cell) => judge(cell, judged.length))),
  };
}
