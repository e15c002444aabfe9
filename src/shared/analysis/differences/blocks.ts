import { mean, type Points } from '../../stats/index.ts';
import type { Window } from '../evidence.ts';
import { valuesIn } from '../lines.ts';

/** Number of blocks of a run: their length keeps the correlation of neighbouring seconds within a block. */
const BLOCKS = 8;
const LEAST_BLOCKS = 4;
const LEAST_VALUES = 2;

/** Nearly independent means of segments of one run, or of whole runs. */
export interface Side {
  readonly values: readonly number[];
  readonly mean: number;
  readonly variance: number;
}

/** Stored data of a series in a run: its mean and those of its blocks. */
export interface InRun {
  readonly mean: number;
  readonly blocks: readonly number[];
}

/** Undefined if too little is known. */
export function inRun(points: Points, window: Window): InRun | undefined {
  const values = valuesIn(points, window);
  return values.length < LEAST_BLOCKS * LEAST_VALUES ? undefined : { mean: mean(values), blocks: blocksOf(values) };
}

/**
 * One side of a series over one or several runs. For one run its blocks are used, for several the runs themselves, since repeats differ by
 * more than their seconds show. Undefined if too little is known.
 */
export function sideOf(known: readonly InRun[]): Side | undefined {
  const means = known.map((each) => each.mean);
  const [first] = known;
  if (!first) return undefined;
  const values = means.length > 1 ? means : first.blocks;
  if (values.length < 2) return undefined;
  const centre = mean(means);
  const away = values.map((value) => value - mean(values));
  const variance = away.reduce((sum, value) => sum + value ** 2, 0) / (values.length - 1);
  return { values, mean: centre, variance: variance * (means.length > 1 ? 1 : memoryOf(away)) };
}

/** How much more a mean of blocks varies than independent ones would: few blocks show too little of their memory, so some is assumed. */
function memoryOf(away: readonly number[]): number {
  const squares = away.reduce((sum, value) => sum + value ** 2, 0);
  const lagged = away.slice(1).reduce((sum, value, index) => sum + value * (away[index] ?? 0), 0);
  const raw = squares > 0 ? lagged / squares : 0;
  const correlation = Math.min(0.6, Math.max(0, raw + 1.5 / away.length));
  return (1 + correlation) / (1 - correlation);
}

function blocksOf(values: Float64Array): number[] {
  // All values count, including a burst at the end.
  const count = Math.max(1, Math.min(BLOCKS, Math.floor(values.length / LEAST_VALUES)));
  const edge = (block: number): number => Math.round((block * values.length) / count);
  return Array.from({ length: count }, (_, block) => mean(values.subarray(edge(block), edge(block + 1))));
}
