import { studentQuantile } from './student.ts';

/** A segment that differs from the rest: its distance as a share of the usual value, and its start and end. */
export interface Segment {
  readonly change: number;
  readonly from: number;
  readonly to: number;
}

/** Smaller changes do not matter to whether a run has settled. */
const LEAST_CHANGE = 0.1;
/** Segments of all lengths and places are tested: each has to pass a test as strict as one of this many. */
const PLACES = 2000;
/** A single one is a glitch, not a level. */
const SEVERAL = 2;
const GROWTH = 1.4;
/** Standard deviations from the median that are more than noise, and the factor from median absolute deviation to standard deviation. */
const FAR = 4;
const ROBUST = 1.4826;
/** Distance in values at which noise is assumed to be independent when it is measured. */
const LAG = 8;
/**
 * Quantile of the differences that measures the noise, so that half of them may belong to dips; and the same quantile of a normal
 * distribution.
 */
const QUANTILE = 0.25;
const NORMAL_QUANTILE = 0.3186;
/** Noise with a longer memory than this produces valleys of its own. */
const MOST_MEMORY = 0.7;

/**
 * The segment, of a tenth up to half of these values, that differs from another one of the same length by 10 % or more and by more than
 * noise explains. Noise and its memory are estimated from second differences, which neither a slope nor a few dips change. `sees`: a change
 * of this share that lasts a third of the values cannot be excluded (95 %). `tests`: number of series tested together.
 */
export function wideChange(values: readonly number[], tests: number): { found?: Segment; sees: number } {
  const { length } = values;
  const { deviation, correlation } = noiseOf(values);
  const memory = (1 + correlation) / (1 - correlation);
  const errorOf = (width: number): number =>
    deviation *
    Math.sqrt(
      Math.max(0, memory - (2 * correlation * (1 - correlation ** width)) / (width * (1 - correlation) ** 2)) / width,
    );
  const freedom = Math.max(3, length / memory / 4);
  const sums = new Float64Array(length + 1);
  values.forEach((value, index) => {
    sums[index + 1] = (sums[index] as number) + value;
  });
  const middle = quantileOf(values, 0.5);
  const third = Math.floor(length / 3);
  const thirds = rangeOf(sums, third);
  const unseen = studentQuantile(0.95, freedom) * Math.SQRT2 * errorOf(third);
  const sees = (thirds.high - thirds.low + unseen) / middle;
  if (correlation > MOST_MEMORY) return { sees };
  const limit = studentQuantile(1 - 0.025 / PLACES / tests, freedom) * Math.SQRT2;
  for (let width = Math.max(3, Math.floor(length / 10)); width <= length / 2; width = Math.ceil(width * GROWTH)) {
    const { high, low, highAt, lowAt } = rangeOf(sums, width);
    if (high - low < Math.max(LEAST_CHANGE * middle, limit * errorOf(width))) continue;
    const [off, at] = middle - low >= high - middle ? [low, lowAt] : [high, highAt];
    return { found: { change: off / middle - 1, from: at, to: at + width }, sees };
  }
  return { sees };
}

/**
 * The most distant of several short segments, including single values, that differ from the median by 10 % or more and far beyond noise.
 */
export function shortChange(values: readonly number[]): Segment | undefined {
  const middle = quantileOf(values, 0.5);
  const usual =
    ROBUST *
    quantileOf(
      values.map((value) => Math.abs(value - middle)),
      0.5,
    );
  const limit = Math.max(LEAST_CHANGE * middle, FAR * usual);
  const found: { change: number; from: number; to: number }[] = [];
  values.forEach((value, index) => {
    if (Math.abs(value - middle) < limit) return;
    const change = value / middle - 1;
    const last = found.at(-1);
    if (last?.to === index) {
      last.to += 1;
      if (Math.abs(change) > Math.abs(last.change)) last.change = change;
    } else found.push({ change, from: index, to: index + 1 });
  });
  if (found.length < SEVERAL) return undefined;
  return found.reduce((worst, each) => (Math.abs(each.change) > Math.abs(worst.change) ? each : worst));
}

/** Highest and lowest mean of this many consecutive values, and where these begin. */
function rangeOf(sums: Float64Array, width: number) {
  const range = { high: Number.NEGATIVE_INFINITY, low: Number.POSITIVE_INFINITY, highAt: 0, lowAt: 0 };
  for (let at = 0; at + width < sums.length; at++) {
    const mean = ((sums[at + width] as number) - (sums[at] as number)) / width;
    if (mean > range.high) [range.high, range.highAt] = [mean, at];
    if (mean < range.low) [range.low, range.lowAt] = [mean, at];
  }
  return range;
}

/** Variance of second differences of first-order autoregressive noise: (6 − 8ρ + 2ρ²) σ² for neighbours, 6 σ² for distant values. */
function noiseOf(values: readonly number[]): { deviation: number; correlation: number } {
  const spread = (lag: number): number =>
    quantileOf(
      values
        .slice(2 * lag)
        .map((value, index) => Math.abs(value - 2 * (values[index + lag] as number) + (values[index] as number))),
      QUANTILE,
    ) /
    NORMAL_QUANTILE /
    Math.sqrt(6);
  const far = spread(Math.min(LAG, Math.floor(values.length / 6)));
  const near = spread(1);
  const raw = far > 0 ? Math.max(0, 2 - Math.sqrt(1 + 3 * (near / far) ** 2)) : 0;
  const correlation = Math.min(0.98, raw + (4 + 8 * raw) / values.length);
  return { deviation: Math.max(near, far), correlation };
}

function quantileOf(values: readonly number[], share: number): number {
  const ascending = Float64Array.from(values).sort();
  const place = share * (ascending.length - 1);
  const [low, high] = [ascending[Math.floor(place)] ?? 0, ascending[Math.ceil(place)] ?? 0];
  return low + (high - low) * (place - Math.floor(place));
}
