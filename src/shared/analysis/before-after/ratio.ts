import { LEAST_VALUES, mean, type Points, steadinessOf, studentQuantile, USUAL_MARGIN } from '../../stats/index.ts';
import { inRun, sideOf } from '../differences/index.ts';
import type { Window } from '../evidence.ts';
import { firstAfter, valuesIn } from '../lines.ts';

/** A series on both sides of a moment. `before`, `after`: means. */
export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
  /** after ÷ before. */
  readonly ratio?: number;
  readonly low?: number;
  readonly high?: number;
  readonly verdict: 'more' | 'less' | 'same' | 'not-known';
  readonly why?: string;
}

/** Chance of a false alarm among all series of a moment. */
const LEVEL = 0.05;
/** A trend within one side of this share of the difference could itself be the difference. */
const TREND_SHARE = 0.5;

/**
 * The ratio of a series after a moment to before it. Seconds are correlated, so blocks of them are compared, and the remaining correlation
 * between blocks widens the interval. Inconclusive if a side itself rises or falls by half of the difference or more. `tests`: number of
 * series tested together (Bonferroni). Undefined if a side has no value at all.
 */
export function beforeAfter(points: Points, before: Window, after: Window, tests = 1): BeforeAfter | undefined {
  const windows = [before, after] as const;
  const [first, second] = windows.map((window) => valuesIn(points, window));
  if (!first?.length || !second?.length) return undefined;
  const means = { before: mean(first), after: mean(second) };
  const unknown = (why: string, known: Partial<BeforeAfter> = {}): BeforeAfter => ({
    ...means,
    ...known,
    verdict: 'not-known',
    why,
  });
  if (first.length < LEAST_VALUES || second.length < LEAST_VALUES) {
    const [side, count] = first.length < LEAST_VALUES ? ['before', first.length] : ['after', second.length];
    return unknown(`Only ${count} values are known ${side} it; ${LEAST_VALUES} are needed.`);
  }
  if (!(means.before > 0) || !(means.after > 0)) {
    if (means.before === means.after) return { ...means, verdict: 'same' };
    return isAboveZero(points, means.before > 0 ? before : after, tests)
      ? { ...means, verdict: means.after > means.before ? 'more' : 'less' }
      : unknown(BURSTS);
  }
  const found = intervalOf(points, windows, tests);
  if (!found) return unknown(BURSTS);
  const { ratio, low, high } = found;
  const trend = windows.map((window) => trendIn(points, window));
  const moving = trend.findIndex(
    (change) => Math.abs(change) >= USUAL_MARGIN && Math.abs(change) >= TREND_SHARE * Math.abs(Math.log(ratio)),
  );
  if (moving >= 0) {
    const change = trend[moving] ?? 0;
    const way = `${change > 0 ? 'rising' : 'falling'} by ${Math.round(Math.abs(change) * 100)} %`;
    return unknown(
      moving === 0
        ? `The series was already ${way} before this moment.`
        : `The series was still ${way} after this moment.`,
      found,
    );
  }
  const margin = 1 + USUAL_MARGIN;
  if (low >= 1 / margin && high <= margin) return { ...means, ...found, verdict: 'same' };
  if (low > 1) return { ...means, ...found, verdict: 'more' };
  if (high < 1) return { ...means, ...found, verdict: 'less' };
  return unknown('The interval includes 1 (no change).', found);
}

/** A mean with a standard error beyond this share of it has no interval on the scale of ratios. */
const UNCERTAIN = 0.4;

const BURSTS = 'It comes in bursts, so its mean is too uncertain for a ratio.';

/** The mean of a side, from the variance and correlation of its blocks; `error`: its standard error as a share of it, squared. */
function meanOf(points: Points, window: Window): { mean: number; error: number; freedom: number } | undefined {
  const known = inRun(points, window);
  const side = known && sideOf([known]);
  if (!side) return undefined;
  const { variance, values, mean: centre } = side;
  const error = (slownessOf(points, window) * variance) / centre ** 2 / values.length;
  return { mean: centre, error, freedom: values.length - 1 };
}

/** Whether the mean of a side is significantly above zero. */
function isAboveZero(points: Points, window: Window, tests: number): boolean {
  const side = meanOf(points, window);
  if (!side || side.error > UNCERTAIN ** 2) return false;
  return side.error === 0 || studentQuantile(1 - LEVEL / 2 / tests, side.freedom) * Math.sqrt(side.error) < 1;
}

/** Undefined if a side's mean is not known well enough. */
function intervalOf(
  points: Points,
  windows: readonly Window[],
  tests: number,
): { ratio: number; low: number; high: number } | undefined {
  const [a, b] = windows.map((window) => meanOf(points, window));
  if (!a || !b) return undefined;
  const parts = [a, b];
  if (parts.some((part) => part.error > UNCERTAIN ** 2)) return undefined;
  const error = parts.reduce((sum, part) => sum + part.error, 0);
  const freedom = error > 0 ? error ** 2 / parts.reduce((sum, part) => sum + part.error ** 2 / part.freedom, 0) : 1;
  const log = Math.log(b.mean / a.mean);
  const half = error > 0 ? studentQuantile(1 - LEVEL / 2 / tests, freedom) * Math.sqrt(error) : 0;
  return { ratio: Math.exp(log), low: Math.exp(log - half), high: Math.exp(log + half) };
}

/** If a side is shorter than this multiple of its memory, it shows too little of its swings. */
const LONG_ENOUGH = 12;

/** How much more the mean of a side varies than its blocks show if it is short compared with its swings: 1 if it is long enough. */
function slownessOf(points: Points, window: Window): number {
  const values = valuesIn(points, window);
  const centre = mean(values);
  const away = values.map((value) => value - centre);
  const squares = away.reduce((sum, value) => sum + value ** 2, 0);
  const lagged = away.subarray(1).reduce((sum, value, index) => sum + value * (away[index] ?? 0), 0);
  const raw = squares > 0 ? Math.max(0, lagged / squares) : 0;
  // Estimates from few values are too small (Kendall).
  const correlation = Math.min(0.98, raw + (1 + 3 * raw) / values.length);
  const memory = (1 + correlation) / (1 - correlation);
  return Math.max(1, (LONG_ENOUGH * memory) / values.length);
}

/** Rise or fall of a side from its start to its end, as a share; 0 if no trend was found. */
function trendIn({ t, v }: Points, { from, to }: Window): number {
  const [start, end] = [firstAfter(t, from), firstAfter(t, to)];
  const known = Array.from({ length: end - start }, (_, index) => start + index).filter((index) =>
    Number.isFinite(v[index]),
  );
  const side = {
    t: Float64Array.from(known, (index) => t[index] as number),
    v: Float64Array.from(known, (index) => v[index] as number),
  };
  const steadiness = steadinessOf([side], from);
  return steadiness.verdict === 'trend' ? steadiness.change : 0;
}
