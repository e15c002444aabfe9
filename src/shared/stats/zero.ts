/** Readings of a host's clock, seconds, with the bytes of output written by then. Ascending; equal lengths. */
export interface OutputIndex {
  clock: ArrayLike<number>;
  bytes: ArrayLike<number>;
}

/** A sample of the tool's second `t`, complete with byte `end` of the output. */
export interface PlacedSample {
  t: number;
  end: number;
}

/** The tool's second 0 by the clock of the index, seconds, accurate within ± `error`. */
export interface ToolZero {
  at: number;
  error: number;
}

/** Range of zero if the line was printed immediately: from `low`, when the line was not there yet, to `high`, when it was. */
interface Bounds {
  low: number;
  high: number;
}

/** Mean delay of most lines, seconds: of an exponential distribution. */
const USUAL = [0.001, 0.004, 0.015, 0.05, 0.15, 0.4];
/** Share of other lines, which arrive at any time. */
const OTHERS = [0.01, 0.08, 0.3];
/** Those are up to this late, or a small share of them this early, as a delayed tool may round its second up. Seconds. */
const LATEST = 30;
const EARLIEST = 2;
const EARLY_SHARE = 0.1;
/** Observations that no distribution explains are not impossible, so that a single line does not decide alone. */
const IMPOSSIBLE = 1e-9;
/** Number of these that can be multiplied before a logarithm is taken, which costs more. */
const TERMS = 30;

/** More samples add no information: the remaining error is systematic. */
const MOST_SAMPLES = 250;
const FEWEST_SAMPLES = 3;
/** Probability outside the stated interval, on each side. */
const BEYOND = 0.003;
/** Reading the file and reading the clock are two operations, and a busy host may delay the second. Seconds. */
const RESOLUTION = 0.02;
/** Zero is searched this far around the place that fits most samples, seconds, on a grid of this many places. */
const REACH = 2;
const PLACES = 120;
/** The largest error worth stating, seconds. */
const LARGEST_ERROR = 1;
/** A line this far from zero was not printed when due. If fewer than this share were, the tool buffers its lines. */
const HELD = 0.5;
const FITTING_SHARE = 0.55;

/**
 * Places the tool's second 0 on its host's clock. A line that was missing from the file at one look and present at the next was written in
 * between, and second 0 was that many seconds before. Lines are late, usually a little, sometimes a lot, and never early except for
 * rounding. Chooses the places and rates of delay that best explain the looks (Bayes' rule on a grid, flat priors). Undefined if the result
 * is uncertain by more than a second to either side, and for a tool that prints in bursts or at its end.
 */
export function toolZero(index: OutputIndex, samples: readonly PlacedSample[]): ToolZero | undefined {
  const all = boundsOf(index, samples);
  if (all.length < FEWEST_SAMPLES) return undefined;
  const bounds = thinned(all);
  const about = bestFit(bounds);
  const coarse = credible(bounds, about - REACH, about + REACH);
  const step = (2 * REACH) / PLACES;
  const { low, high } = credible(bounds, coarse.low - step, coarse.high + step);
  const at = (low + high) / 2;
  const error = (high - low) / 2 + RESOLUTION;
  const fitting = all.filter((bound) => bound.low <= at + HELD && bound.high >= at - HELD).length;
  return error > LARGEST_ERROR || fitting < FITTING_SHARE * all.length ? undefined : { at, error };
}

function boundsOf({ clock, bytes }: OutputIndex, samples: readonly PlacedSample[]): Bounds[] {
  return samples.flatMap(({ t, end }) => {
    const look = firstAtLeast(bytes, end);
    const high = clock[look];
    if (high === undefined) return [];
    return { low: (clock[look - 1] ?? Number.NEGATIVE_INFINITY) - t, high: high - t };
  });
}

/** Index of the first value that is not smaller; the length if all are. */
function firstAtLeast(ascending: ArrayLike<number>, wanted: number): number {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

function thinned(bounds: readonly Bounds[]): readonly Bounds[] {
  const stride = bounds.length / MOST_SAMPLES;
  return stride <= 1
    ? bounds
    : Array.from({ length: MOST_SAMPLES }, (_, place) => bounds[Math.floor(place * stride)] as Bounds);
}

/** The middle of the interval that is within the bounds of most samples. */
function bestFit(bounds: readonly Bounds[]): number {
  const edges = bounds.flatMap(({ low, high }) => [
    { at: low, by: 1 },
    { at: high, by: -1 },
  ]);
  // If one ends and another begins at the same place, both apply there.
  edges.sort((a, b) => a.at - b.at || b.by - a.by);
  let [open, most, from, to] = [0, 0, 0, 0];
  edges.forEach(({ at, by }, place) => {
    open += by;
    if (open <= most) return;
    most = open;
    to = edges[place + 1]?.at ?? at;
    from = Math.max(at, to - REACH);
  });
  return (from + to) / 2;
}

/** The interval that contains zero, except for `BEYOND` on each side. */
function credible(bounds: readonly Bounds[], from: number, to: number): Bounds {
  const step = (to - from) / (PLACES - 1);
  const places = Array.from({ length: PLACES }, (_, place) => from + place * step);
  const logs = places.map((zero) => logLikelihoods(bounds, zero));
  const best = logs.flat().reduce((most, log) => Math.max(most, log), Number.NEGATIVE_INFINITY);
  const weights = logs.map((ofPlace) => ofPlace.reduce((sum, log) => sum + Math.exp(log - best), 0));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let [below, low, high] = [0, from, to];
  weights.forEach((weight, place) => {
    const at = from + place * step;
    if (below <= BEYOND * whole) low = at - step / 2;
    below += weight;
    if (below - weight < (1 - BEYOND) * whole) high = at + step / 2;
  });
  return { low, high };
}

/** For each distribution of delays, the log likelihood of the looks if zero is there. */
function logLikelihoods(bounds: readonly Bounds[], zero: number): number[] {
  return USUAL.flatMap((usual) => {
    const logs = OTHERS.map(() => 0);
    const products = OTHERS.map(() => 1);
    bounds.forEach(({ low, high }, index) => {
      const likely = usualBy(high - zero, usual) - usualBy(low - zero, usual);
      const any = otherBy(high - zero) - otherBy(low - zero);
      const takeLogs = index % TERMS === TERMS - 1 || index === bounds.length - 1;
      for (let place = 0; place < OTHERS.length; place += 1) {
        const share = OTHERS[place] as number;
        products[place] = (products[place] as number) * ((1 - share) * likely + share * any + IMPOSSIBLE);
        if (!takeLogs) continue;
        logs[place] = (logs[place] as number) + Math.log(products[place] as number);
        products[place] = 1;
      }
    });
    return logs;
  });
}

/** Share of usual lines that have arrived this long after they were due. */
const usualBy = (seconds: number, mean: number): number => (seconds <= 0 ? 0 : -Math.expm1(-seconds / mean));

/** The same for the others. */
const otherBy = (seconds: number): number =>
  seconds <= 0
    ? EARLY_SHARE * Math.max(0, 1 + seconds / EARLIEST)
    : EARLY_SHARE + (1 - EARLY_SHARE) * Math.min(1, seconds / LATEST);
