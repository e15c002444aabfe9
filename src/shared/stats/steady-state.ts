import { median, sum, sumBy } from '../util/numbers.ts';
import { mean, meanBetween } from './spread.ts';
import { studentQuantile } from './student.ts';
import { shortChange, wideChange } from './uneven.ts';
import type { Points } from './whole.ts';

/** Behaviour of the seconds after a cut. Figures are shares of the mean, times are seconds since the start of the run. */
export type Steadiness =
  /** No trend or step of 3 % and no other change of 10 % was found, and one of 10 % would have been. */
  | { verdict: 'settled' }
  /** Too short or too noisy: a change of `sees` or more would be found, a smaller one would not. */
  | { verdict: 'unknown'; seconds: number; sees?: number }
  /** No trend or step, but a segment between `at` and `until` differs by 10 % or more: a valley, a hill, or the worst of several dips. */
  | { verdict: 'uneven'; change: number; at: number; until: number }
  /** Rises or falls by `change` over the measured time. `approach`: the level it approaches, if that can be estimated. */
  | { verdict: 'trend'; change: number; approach?: Approach }
  /** A level before `at` and another after it. */
  | { verdict: 'step'; change: number; at: number };

/** An exponential approach of a level: the distance of the mean from it, and the warm-up after which 1 % remains. */
export interface Approach {
  /** Time constant, seconds. */
  tau: number;
  /** (mean − level) / level. */
  bias: number;
  /** Seconds since the start of the run. */
  warmup: number;
}

/** Recurring dips: seconds between them, depth, and length of each. */
export interface Dips {
  period: number;
  /** Share of the median lost at the bottom. */
  depth: number;
  /** Seconds. */
  length: number;
  /** Number in all runs together. */
  count: number;
  /** Starts in the first run, seconds since its start. */
  at: number[];
}

/** A smaller change of the mean does not matter. */
const MARGIN = 0.03;
/** Minimum number of values for any verdict. */
export const LEAST_VALUES = 30;
/** With more points, seconds are combined. */
const MOST_POINTS = 400;
/** Seconds. */
const BATCH = 5;

/** Usual interval of the values of these runs, seconds: the reporting interval of the tool, never less than one. */
export function intervalOf(runs: readonly Points[]): number {
  const usual = runs.find(({ t }) => t.length > 1)?.t;
  if (!usual) return 1;
  const first = (usual[1] as number) - (usual[0] as number);
  // In nearly all cases: nothing has to be sorted.
  return Math.max(1, runs.every(({ t }) => isEven(t, first)) ? first : median(stepsOf(runs)));
}

function isEven(t: Float64Array, step: number): boolean {
  for (let index = 1; index < t.length; index++)
    if ((t[index] as number) - (t[index - 1] as number) !== step) return false;
  return true;
}

function stepsOf(runs: readonly Points[]): Float64Array {
  const steps = new Float64Array(runs.reduce((sum, { t }) => sum + Math.max(0, t.length - 1), 0));
  let filled = 0;
  for (const { t } of runs)
    for (let index = 1; index < t.length; index++) steps[filled++] = (t[index] as number) - (t[index - 1] as number);
  return steps;
}

/**
 * MSER-5 (White, Cobb and Spratt 2000): the cut that minimises the standard error of the mean of the rest, over batches of five seconds of
 * the mean of all runs. Undefined if the best cut is in the second half: then the run has not settled.
 */
export function proposedCut(runs: readonly Points[]): number | undefined {
  const interval = intervalOf(runs);
  const batchSize = Math.max(1, Math.round(BATCH / interval));
  const length = Math.floor(Math.min(...runs.map(({ v }) => v.length)) / batchSize);
  if (runs.length === 0 || length < (interval > 1 ? LEAST_VALUES : 4)) return undefined;
  const batches = new Float64Array(length);
  for (const { v } of runs) {
    const whole = mean(v) || 1;
    for (let batch = 0; batch < length; batch++)
      batches[batch] = (batches[batch] as number) + meanBetween(v, batch * batchSize, (batch + 1) * batchSize) / whole;
  }
  let best = { at: 0, error: Number.POSITIVE_INFINITY };
  let [total, squares] = [0, 0];
  for (let at = length - 1; at >= 0; at--) {
    const value = batches[at] ?? 0;
    total += value;
    squares += value * value;
    const remaining = length - at;
    const error = (squares - (total * total) / remaining) / remaining ** 2;
    // Among the last batches, chance agreement would win: the method omits the last five.
    if (remaining > BATCH && error <= best.error) best = { at, error };
  }
  if (best.at > length / 2) return undefined;
  return best.at === 0 ? 0 : (runs[0]?.t[best.at * batchSize - 1] ?? 0);
}

/**
 * Whether the seconds after a cut, of all runs of a cell, stay at one level. `cells`: number of cells tested together, so that a false
 * alarm is as rare for all of them as for one (Bonferroni).
 */
export function steadinessOf(runs: readonly Points[], cut: number, cells = 1): Steadiness {
  const parts = runs.map(({ t, v }) => {
    let from = 0;
    while (from < t.length && !((t[from] as number) > cut)) from += 1;
    return { t: t.subarray(from), v: v.subarray(from) };
  });
  const seconds = Math.min(...parts.map(({ v }) => v.length));
  if (parts.length === 0 || seconds < LEAST_VALUES)
    return { verdict: 'unknown', seconds: parts.length === 0 ? 0 : seconds };
  const interval = intervalOf(parts);
  const width = Math.ceil(seconds / MOST_POINTS);
  const length = Math.floor(seconds / width);
  const rows = parts.map(({ v }) => {
    const own = Array.from({ length }, (_, index) => meanBetween(v, index * width, (index + 1) * width));
    const centre = mean(own);
    return centre > 0 ? own.map((value) => value / centre) : own.map(() => 0);
  });
  const times = Array.from({ length }, (_, index) => parts[0]?.t[index * width] ?? 0);
  const trend = trendOf(rows, cells);
  const averaged = times.map((_, index) => mean(rows.map((row) => row[index] ?? 0)));
  const step = bestStep(averaged);
  if (!trend.found && !stepOf(rows, step, cells)) {
    const wide = wideChange(averaged, cells);
    const found = rows.map(shortChange).find((each) => each !== undefined) ?? wide.found;
    if (found) {
      const timeOf = (place: number): number =>
        (times[place] ?? (times.at(-1) ?? 0) + width * interval) - width * interval;
      return { verdict: 'uneven', change: found.change, at: timeOf(found.from), until: timeOf(found.to) };
    }
    const sees = Math.max(trend.sees, wide.sees);
    return sees > SEEN ? { verdict: 'unknown', seconds, sees } : { verdict: 'settled' };
  }
  const approach = approachOf(times, averaged);
  if (!trend.found || step.squares < Math.min(approach.squares, lineSquares(averaged)))
    return { verdict: 'step', change: step.change, at: times[step.at] ?? 0 };
  // A time constant near or beyond the measured time is indistinguishable from a straight line.
  const known = approach.tau < times.length * width * interval && approach.level > 0;
  return {
    verdict: 'trend',
    change: trend.change,
    ...(known && {
      approach: { tau: approach.tau, bias: 1 / approach.level - 1, warmup: approach.warmup },
    }),
  };
}

/** Above this share a run is too noisy to be called settled. */
const SEEN = 0.1;

interface Trend {
  found: boolean;
  /** From the first second to the last, as a share of the mean. */
  change: number;
  /** The smallest change that would have been found. */
  sees: number;
}

/**
 * The linear trend of runs over time, against noise that is correlated from second to second: least squares on values whitened by the
 * first-order autocorrelation of the residuals around a parabola (Prais and Winsten), corrected for its bias in short series; with repeats
 * also against the differences of their slopes. The wider of the two counts.
 */
function trendOf(rows: readonly (readonly number[])[], cells: number): Trend {
  const length = rows[0]?.length ?? 0;
  const place = Array.from({ length }, (_, index) => (index + 0.5) / length - 0.5);
  const square = sumBy(place, (p) => p * p);
  const bow = place.map((p) => p * p - square / length);
  const bowSquare = sumBy(bow, (p) => p * p);
  const rests = rows.map((row) => {
    const centre = mean(row);
    const slope = sumBy(row, (value, i) => value * (place[i] ?? 0)) / square;
    const bend = sumBy(row, (value, i) => value * (bow[i] ?? 0)) / bowSquare;
    return row.map((value, i) => value - centre - slope * (place[i] ?? 0) - bend * (bow[i] ?? 0));
  });
  const correlation = correlationOf(rests);
  const [whitePlace, whiteOne] = [
    whitened(place, correlation),
    whitened(
      place.map(() => 1),
      correlation,
    ),
  ];
  // After whitening, slope and level remain orthogonal by symmetry, except for the first value; the bow is omitted from the slope's error.
  const slopes = rows.map((row) => {
    const white = whitened(row, correlation);
    return twoColumns(white, whiteOne, whitePlace);
  });
  const change = mean(slopes.map(({ slope }) => slope));
  const rest = sumBy(slopes, (entry) => entry.squares) / (rows.length * (length - 2));
  const within = Math.sqrt((rest * (slopes[0]?.factor ?? 0)) / rows.length);
  const independent = (rows.length * length * (1 - correlation)) / (1 + correlation);
  // One or two runs have only their own autocorrelation to separate noise from trend, and its estimate is too small: they are tested at 1 %
  // and 2 % where 5 % is meant.
  const tail = ([0.005, 0.01][rows.length - 1] ?? 0.025) / cells;
  const widthWithin = within * studentQuantile(1 - tail, Math.max(1.5, independent - 3));
  const between =
    rows.length > 2
      ? Math.sqrt(sumBy(slopes, ({ slope }) => (slope - change) ** 2) / (rows.length - 1) / rows.length) *
        studentQuantile(0.975, rows.length - 1)
      : 0;
  // For one or two short runs with a memory of many seconds, no method can separate trend and noise.
  const blind = rows.length < 3 && ((length < 60 && correlation > 0.6) || (length < 45 && correlation > 0.5));
  const width = blind ? Number.POSITIVE_INFINITY : Math.max(widthWithin, between);
  return { found: Math.abs(change) > width && Math.abs(change) >= MARGIN, change, sees: Math.max(MARGIN, width) };
}

/** First-order autocorrelation of the residuals around a fitted shape of three parameters, corrected for its bias in short series. */
function correlationOf(rests: readonly (readonly number[])[]): number {
  const squares = sumBy(rests, (rest) => sumBy(rest, (value) => value * value));
  const lagged = sumBy(rests, (rest) => sumBy(rest.slice(1), (value, i) => value * (rest[i] ?? 0)));
  const raw = squares > 0 ? lagged / squares : 0;
  return Math.min(0.98, Math.max(0, raw + (4 + 8 * Math.max(0, raw)) / (rests[0]?.length ?? 1)));
}

/**
 * Whether a level changes at a second: the largest difference of two means that a split produces, against the noise around both of them.
 * The place is chosen after the fact, so the test requires as much as one of `PLACES` tests would.
 */
function stepOf(rows: readonly (readonly number[])[], step: { at: number; change: number }, cells: number): boolean {
  const length = rows[0]?.length ?? 0;
  if (Math.abs(step.change) < MARGIN) return false;
  const parts = rows.map((row) => {
    const [before, after] = [mean(row.slice(0, step.at)), mean(row.slice(step.at))];
    return { change: after - before, rest: row.map((value, i) => value - (i < step.at ? before : after)) };
  });
  const correlation = correlationOf(parts.map(({ rest }) => rest));
  // A single short run shows too little of its memory: less of it is accepted.
  if (correlation > (rows.length === 1 ? MOST_MEMORY_OF_ONE : MOST_MEMORY)) return false;
  const variance = sumBy(parts, ({ rest }) => sumBy(rest, (value) => value * value)) / (rows.length * (length - 2));
  const memory = (1 + correlation) / (1 - correlation);
  const error = Math.sqrt((variance * memory * (1 / step.at + 1 / (length - step.at))) / rows.length);
  const independent = (rows.length * length) / memory;
  // A single run shows too little of its noise, as for a trend.
  const level = rows.length === 1 ? 0.01 : 0.05;
  const limit = studentQuantile(1 - level / 2 / PLACES / cells, Math.max(2, independent - 3));
  const change = mean(parts.map((part) => part.change));
  const between =
    rows.length > 2
      ? Math.sqrt(sumBy(parts, (part) => (part.change - change) ** 2) / (rows.length - 1) / rows.length) *
        studentQuantile(0.975, rows.length - 1)
      : 0;
  return Math.abs(change) > Math.max(limit * error, between);
}

/** Number of nearly independent places of a step. */
const PLACES = 40;
/** Noise with a longer memory than this produces steps of its own. */
const MOST_MEMORY = 0.7;
const MOST_MEMORY_OF_ONE = 0.5;

/** Values minus the part that the previous one explains. */
const whitened = (values: readonly number[], correlation: number): number[] =>
  values.map((value, i) =>
    i === 0 ? value * Math.sqrt(1 - correlation ** 2) : value - correlation * (values[i - 1] ?? 0),
  );

/** Least squares on two columns: the second's coefficient, its variance factor, and the residuals. */
function twoColumns(values: readonly number[], one: readonly number[], two: readonly number[]) {
  const dot = (a: readonly number[], b: readonly number[]): number => sumBy(a, (value, i) => value * (b[i] ?? 0));
  const [aa, ab, bb, av, bv] = [dot(one, one), dot(one, two), dot(two, two), dot(one, values), dot(two, values)];
  const determinant = aa * bb - ab * ab;
  const slope = (aa * bv - ab * av) / determinant;
  const level = (bb * av - ab * bv) / determinant;
  const squares = sumBy(values, (value, i) => (value - level * (one[i] ?? 0) - slope * (two[i] ?? 0)) ** 2);
  return { slope, factor: aa / determinant, squares };
}

/** The best split of a series into two levels, each at least a tenth of it. */
function bestStep(values: readonly number[]): { at: number; change: number; squares: number } {
  const total = sum(values);
  const squaresOfAll = sumBy(values, (value) => value * value);
  const least = Math.max(3, Math.ceil(values.length / 10));
  let best = { at: 0, change: 0, squares: Number.POSITIVE_INFINITY };
  let before = 0;
  values.forEach((value, at) => {
    if (at >= least && values.length - at >= least) {
      const after = total - before;
      const squares = squaresOfAll - before ** 2 / at - after ** 2 / (values.length - at);
      if (squares < best.squares) best = { at, change: after / (values.length - at) / (before / at) - 1, squares };
    }
    before += value;
  });
  return best;
}

function lineSquares(values: readonly number[]): number {
  const { squares } = twoColumns(
    values,
    values.map(() => 1),
    values.map((_, index) => index),
  );
  return squares;
}

/** level + height · e^(−t/τ), with τ tried on a logarithmic scale. Times are seconds since the start of the run. */
function approachOf(times: readonly number[], values: readonly number[]) {
  const first = times[0] ?? 0;
  const length = (times.at(-1) ?? 0) - first + 1;
  let best = { tau: 0, level: 0, warmup: 0, squares: Number.POSITIVE_INFINITY };
  for (let tau = Math.max(2, length / 60); tau < 4 * length; tau *= 1.15) {
    const decay = times.map((t) => Math.exp(-(t - first) / tau));
    const { slope: height, squares } = twoColumns(
      values,
      values.map(() => 1),
      decay,
    );
    if (squares >= best.squares) continue;
    const level = mean(values) - height * mean(decay);
    const remaining = Math.abs(height) / (0.01 * Math.abs(level));
    best = { tau, level, warmup: first + tau * Math.log(Math.max(1, remaining)), squares };
  }
  return best;
}

/** Below this share of the median a second is in a dip. */
const DEEP = 0.75;
/** Standard deviations below the median that make a second more than noise. */
const FAR = 4;

/** A run, and its values after the cut in ascending order, if known. */
export interface RunPoints extends Points {
  readonly ascending?: Float64Array;
}

/**
 * Dips at regular intervals, over all runs: seconds far below the median that are not noise of the rest, with at least four starts at
 * nearly equal distances. Undefined if there are none, or if they are irregular.
 */
export function dipsOf(runs: readonly RunPoints[], cut: number): Dips | undefined {
  const interval = intervalOf(runs);
  const found = runs.map((points) => dipsOfRun(points, cut, interval));
  const distances = found.flatMap(({ dips }) => dips.slice(1).map(({ at }, index) => at - (dips[index]?.at ?? 0)));
  const all = found.flatMap(({ dips }) => dips);
  if (distances.length < 3) return undefined;
  const centre = mean(distances);
  const variation = Math.sqrt(sumBy(distances, (value) => (value - centre) ** 2) / (distances.length - 1)) / centre;
  if (variation > (distances.length < 5 ? 0.15 : 0.25) || centre < 4 * interval) return undefined;
  return {
    period: centre,
    depth: median(all.map(({ depth }) => depth)),
    length: median(all.map(({ length }) => length)),
    count: all.length,
    at: found[0]?.dips.map(({ at }) => at) ?? [],
  };
}

/** A period of seconds far below the median. Seconds since the start of the run; `depth`: share of the median lost at the bottom. */
export interface Dip {
  at: number;
  length: number;
  depth: number;
}

/** Every dip of one run, recurring or not, in order. */
export const dipsIn = (points: Points, cut: number): readonly Dip[] =>
  dipsOfRun(points, cut, intervalOf([points])).dips;

function dipsOfRun({ t, v, ascending: known }: RunPoints, cut: number, interval: number): { dips: Dip[] } {
  const ascending = known ?? v.filter((_, index) => (t[index] ?? 0) > cut).sort();
  if (ascending.length < LEAST_VALUES) return { dips: [] };
  const centre = middleOf(ascending);
  const deviation = 1.4826 * middleDistance(centre, ascending);
  const limit = Math.min(DEEP * centre, centre - FAR * deviation);
  if ((ascending[0] as number) >= limit) return { dips: [] };
  const dips: Dip[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < t.length; index++) {
    const at = t[index] as number;
    const value = v[index] as number;
    if (!(at > cut) || value >= limit) continue;
    const current = dips.at(-1);
    // Two seconds between low ones do not end a dip: a server recovers briefly before it continues. Longer intervals must be consecutive.
    if (current && at - last <= Math.max(2, 1.5 * interval)) {
      current.length = at - current.at + interval;
      current.depth = Math.max(current.depth, 1 - value / centre);
    } else dips.push({ at, length: interval, depth: 1 - value / centre });
    last = at;
  }
  return { dips };
}

/** Median distance of these from a value: walks through the nearest half, outwards from the value. */
function middleDistance(centre: number, ascending: Float64Array): number {
  let right = 0;
  while (right < ascending.length && (ascending[right] as number) < centre) right += 1;
  let remaining = right - 1;
  let [before, nearest] = [0, 0];
  for (let count = 0; count <= ascending.length >> 1; count++) {
    const below = remaining < 0 ? Number.POSITIVE_INFINITY : centre - (ascending[remaining] as number);
    const above = right === ascending.length ? Number.POSITIVE_INFINITY : (ascending[right] as number) - centre;
    before = nearest;
    nearest = Math.min(below, above);
    if (below <= above) remaining -= 1;
    else right += 1;
  }
  return ascending.length % 2 === 1 ? nearest : (before + nearest) / 2;
}

function middleOf(ascending: Float64Array): number {
  const half = Math.floor(ascending.length / 2);
  return ascending.length % 2 === 1
    ? (ascending[half] ?? 0)
    : ((ascending[half - 1] ?? 0) + (ascending[half] ?? 0)) / 2;
}
