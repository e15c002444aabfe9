import { shareVariance } from './noise.ts';
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

/**
 * 95 % interval of the mean of what repeats measured, on the scale of their ratios: it never reaches below zero. Undefined with fewer than two. Where a
 * repeat is zero there is no such scale: the plain interval, cut at zero; uncut where values are negative by their nature.
 */
export function repeatsInterval(repeats: readonly number[]): MeanInterval | undefined {
  if (!repeats.every((value) => value > 0)) {
    const plain = meanInterval(repeats);
    return plain && repeats.every((value) => value >= 0) ? { ...plain, low: Math.max(0, plain.low) } : plain;
  }
  if (repeats.length < 2) return undefined;
  const half = studentQuantile(UPPER, repeats.length - 1) * Math.sqrt(shareVariance(repeats) / repeats.length);
  const centre = mean(repeats);
  return { low: centre * Math.exp(-half), high: centre * Math.exp(half) };
}
