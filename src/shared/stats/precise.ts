import { repeatsInterval } from './interval.ts';
import { mean } from './spread.ts';

/** Fewer say too little of their own spread: of two, one interval in a few is narrow by luck. */
export const LEAST_REPEATS = 3;

/**
 * How far the 95 % interval of the mean of these repeats reaches to either side of it at most, in per cent of the mean; undefined with fewer
 * than two repeats, or where the mean is no base for that.
 */
export function reachOf(repeats: readonly number[]): number | undefined {
  const interval = repeatsInterval(repeats);
  const center = repeats.length > 0 ? mean(repeats) : 0;
  if (!interval || center <= 0) return undefined;
  return 100 * Math.max(interval.high / center - 1, 1 - interval.low / center);
}

/** Whether a cell has been repeated often enough: its interval reaches no further than so many per cent. */
export function isPrecise(repeats: readonly number[], percent: number): boolean {
  const reach = reachOf(repeats);
  return repeats.length >= LEAST_REPEATS && reach !== undefined && reach <= percent;
}
