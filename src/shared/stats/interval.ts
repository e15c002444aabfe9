import { mean, sampleVariance } from './spread.ts';
import { studentQuantile } from './student.ts';

const CONFIDENCE = 0.95;
const UPPER = 1 - (1 - CONFIDENCE) / 2;

export interface MeanInterval {
  low: number;
  high: number;
}

/** 95 % interval of the mean of independent repeats (Student's t); undefined with fewer than two. */
export function meanInterval(repeats: readonly number[]): MeanInterval | undefined {
  if (repeats.length < 2) return undefined;
  const center = mean(repeats);
  const half = studentQuantile(UPPER, repeats.length - 1) * Math.sqrt(sampleVariance(repeats, center) / repeats.length);
  return { low: center - half, high: center + half };
}

export interface RatioInterval {
  /** Ratio of the geometric means, other / baseline. */
  ratio: number;
  low: number;
  high: number;
}

/**
 * Ratio of two groups of repeats with its 95 % interval: Welch's t interval on the logarithms, so that ×2 and ×½ are equally far
 * from 1. Undefined with fewer than two repeats on a side or a value that is not positive.
 */
export function ratioInterval(baseline: readonly number[], other: readonly number[]): RatioInterval | undefined {
  if (baseline.length < 2 || other.length < 2) return undefined;
  if (![...baseline, ...other].every((value) => value > 0)) return undefined;
  const a = baseline.map(Math.log);
  const b = other.map(Math.log);
  const partA = sampleVariance(a) / a.length;
  const partB = sampleVariance(b) / b.length;
  const difference = mean(b) - mean(a);
  const total = partA + partB;
  if (total === 0) return { ratio: Math.exp(difference), low: Math.exp(difference), high: Math.exp(difference) };
  const freedom = total ** 2 / (partA ** 2 / (a.length - 1) + partB ** 2 / (b.length - 1));
  const half = studentQuantile(UPPER, freedom) * Math.sqrt(total);
  return { ratio: Math.exp(difference), low: Math.exp(difference - half), high: Math.exp(difference + half) };
}
