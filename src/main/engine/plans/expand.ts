import type { Experiment, Levels, Scalar } from '../../../shared/model/experiment.ts';
import { levelsOf } from '../../../shared/model/factor.ts';
import type { Cell, Trial } from '../../../shared/model/plan.ts';
import { OVERHEAD_SECONDS } from './estimate.ts';
import { trialSeed } from './seeds.ts';

/** All combinations of levels, the last factor fastest, without the excluded ones. One cell when there is no factor. */
export function expandCells(experiment: Experiment): Cell[] {
  const combinations = experiment.factors.reduce<Levels[]>(
    (cells, factor) => cells.flatMap((cell) => levelsOf(factor).map((level) => ({ ...cell, [factor.name]: level }))),
    [{}],
  );
  const excluded = experiment.exclude ?? [];
  return combinations
    .filter((levels) => !excluded.some((pattern) => matches(levels, pattern)))
    .map((levels, index) => ({ index, levels }));
}

/** How many combinations there are before any is built: a slip of the pen must not fill the memory. */
export const countCombinations = (experiment: Experiment): number =>
  experiment.factors.reduce((product, factor) => product * factor.levels.length, 1);

/** Quotes around a level make no other one of it. */
export const sameLevel = (a: Scalar | undefined, b: Scalar): boolean => String(a) === String(b);

const matches = (levels: Levels, pattern: Levels): boolean => {
  const entries = Object.entries(pattern);
  return entries.length > 0 && entries.every(([name, level]) => sameLevel(levels[name], level));
};

/** Every repeat of every cell in the order of execution; all of a group before the next one begins. */
export function orderTrials(groups: readonly (readonly Cell[])[], measure: Experiment['measure']): Trial[] {
  const random = randomFrom(measure.seed);
  const ordered = measure.order === 'shuffled' ? shuffle([...groups], random) : groups;
  return ordered
    .flatMap((cells) => orderGroup(cells, measure, random))
    .map((pair, index) => ({ index, ...pair, seed: trialSeed(measure, pair) }));
}

function orderGroup(
  cells: readonly Cell[],
  measure: Experiment['measure'],
  random: () => number,
): Omit<Trial, 'index' | 'seed'>[] {
  const repeats = Array.from({ length: measure.repeats }, (_, repeat) => repeat);
  if (measure.order === 'listed')
    return cells.flatMap((cell) => repeats.map((repeat) => ({ cell: cell.index, repeat })));
  return repeats.flatMap((repeat) => {
    const round = cells.map((cell) => ({ cell: cell.index, repeat }));
    return measure.order === 'shuffled' ? shuffle(round, random) : round;
  });
}

/** Without what comes before the first trial. `load`: seconds of all trials together; absent: they are equally long. */
export function estimateSeconds(
  trials: number,
  measure: Experiment['measure'],
  load = trials * (measure.warmup + measure.duration),
): number {
  return load + trials * OVERHEAD_SECONDS + Math.max(0, trials - 1) * measure.pause;
}

/** Fisher and Yates. */
function shuffle<T>(items: T[], random: () => number): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j] as T, items[i] as T];
  }
  return items;
}

/** mulberry32: small, and the same order from the same seed on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
