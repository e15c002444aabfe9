import { mean, type Points } from '../../stats/index.ts';
import type { Window } from '../evidence.ts';
import { valuesIn } from '../lines.ts';

/** Blocks of a run are made so long that there are about as many: what one second remembers of the one before stays within a block. */
const BLOCKS = 8;
const LEAST_BLOCKS = 4;
const LEAST_VALUES = 2;

/** Means of stretches of one run, or of whole runs, that are as good as independent of each other. */
export interface Side {
  readonly values: readonly number[];
  readonly mean: number;
  readonly variance: number;
}

/** What is kept of a series in a run: its mean and those of its blocks. */
export interface InRun {
  readonly mean: number;
  readonly blocks: readonly number[];
}

/** Undefined where too little is known. */
export function inRun(points: Points, window: Window): InRun | undefined {
  const values = valuesIn(points, window);
  return values.length < LEAST_BLOCKS * LEAST_VALUES ? undefined : { mean: mean(values), blocks: blocksOf(values) };
}

/**
 * The side of one series in one or several runs. Of one run its blocks speak, of several the runs themselves, since repeats differ by more than
 * their seconds say. Undefined where too little is known.
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

/** How much more a mean of blocks varies than independent ones would: few blocks show too little of what they remember, so that some is presumed. */
function memoryOf(away: readonly number[]): number {
  const squares = away.reduce((sum, value) => sum + value ** 2, 0);
  const lagged = away.slice(1).reduce((sum, value, index) => sum + value * (away[index] ?? 0), 0);
  const raw = squares > 0 ? lagged / squares : 0;
  const correlation = Math.min(0.6, Math.max(0, raw + 1.5 / away.length));
  return (1 + correlation) / (1 - correlation);
}

function blocksOf(values: Float64Array): number[] {
  // All values count: what comes in a burst at the end does too.
  const count = Math.max(1, Math.min(BLOCKS, Math.floor(values.length / LEAST_VALUES)));
  const edge = (block: number): number => Math.round((block * values.length) / count);
  return Array.from({ length: count }, (_, block) => mean(values.subarray(edge(block), edge(block + 1))));
}
