import { type Points, percentile, studentQuantile } from '../../stats/index.ts';
import type { Window } from '../evidence.ts';
import { firstAfter, stepOf } from '../lines.ts';

/** Width of the moving average: a single odd second is no change. */
const WIDTH = 3;
/** Minimum number of values away from the events to know the usual level. */
const LEAST = 20;
/** The spread is at least this share of the level, whatever the series shows. */
const LEAST_SHARE = 0.01;
/** Farther from the usual level than anything seen away from the events, by this factor: noise of any shape hardly is. */
const BEYOND = 1.4;
/** The farthest values of segments differ by at least this share of their usual size: a few segments show too little of it. */
const LEAST_VARIATION = 0.3;
/** Probability that any series stands out by chance around one event, if all were normal. */
const LEVEL = 0.02;
/** Number of nearly independent places in the surroundings of an event. */
const PLACES = 12;
/** Neighbouring values are correlated: this many have the information of one. */
const CORRELATED = 6;
/** Surprise of a series that changed only here: in most runs some series does. */
const ONLY_HERE = 10;
/** Effects beyond this are not distinguished. */
const MOST = 1000;

/** Distance of a series from its centre, above and below, in a segment. */
interface Reach {
  readonly above: number;
  readonly below: number;
}

/** Behaviour of a series away from the events: over all seconds there, and over segments as long as an event with its surroundings. */
export interface Usual {
  readonly centre: number;
  readonly spread: number;
  readonly count: number;
  /** Largest distance on each side in each segment, ascending. */
  readonly above: Float64Array;
  readonly below: Float64Array;
}

/** A series without its gaps, with its smoothed values. */
export interface Line {
  readonly t: Float64Array;
  readonly v: Float64Array;
  readonly smooth: Float64Array;
  readonly step: number;
}

export function lineOf(points: Points): Line {
  const { t, v } = withoutGaps(points);
  const half = WIDTH >> 1;
  const smooth = new Float64Array(v.length);
  for (let index = 0; index < v.length; index++) {
    const [low, high] = [Math.max(0, index - half), Math.min(v.length, index + half + 1)];
    let sum = 0;
    for (let at = low; at < high; at++) sum += v[at] ?? 0;
    smooth[index] = sum / (high - low);
  }
  return { t, v, smooth, step: stepOf(t) };
}

/** The points themselves if they have none. */
function withoutGaps({ t, v }: Points): Points {
  if (v.every(Number.isFinite)) return { t, v };
  const [times, values] = [new Float64Array(v.length), new Float64Array(v.length)];
  let count = 0;
  for (let index = 0; index < v.length; index++) {
    const value = v[index] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    times[count] = t[index] ?? 0;
    values[count++] = value;
  }
  return { t: times.subarray(0, count), v: values.subarray(0, count) };
}

/** `isOutsideEvents`: whether a second is outside all events. Undefined if too little is known there. */
export function usualOf(
  line: Line,
  isOutsideEvents: (second: number) => boolean,
  tiles: readonly Window[],
): Usual | undefined {
  const values = thinned(valuesOutsideEvents(line, isOutsideEvents)).sort();
  if (values.length < LEAST) return undefined;
  const centre = percentile(values, 50);
  const away = values.map((value) => Math.abs(value - centre)).sort();
  const spread = Math.max(
    1.4826 * percentile(away, 50),
    (percentile(values, 95) - percentile(values, 5)) / 3.29,
    LEAST_SHARE * Math.abs(centre),
  );
  const reaches = tiles.map((tile) => reachIn(line, tile, centre));
  const far = (side: keyof Reach): Float64Array =>
    Float64Array.from(reaches.flatMap((reach) => (reach ? [reach[side]] : []))).sort();
  return { centre, spread, count: values.length, above: far('above'), below: far('below') };
}

function valuesOutsideEvents({ t, smooth }: Line, isOutsideEvents: (second: number) => boolean): Float64Array {
  const found = new Float64Array(t.length);
  let count = 0;
  for (let index = 0; index < t.length; index++)
    if (isOutsideEvents(t[index] ?? 0)) found[count++] = smooth[index] ?? 0;
  return found.subarray(0, count);
}

/** Enough values to know the usual level, from all over the run. */
const ENOUGH = 3000;
const thinned = (values: Float64Array): Float64Array => {
  const stride = Math.ceil(values.length / ENOUGH);
  if (stride < 2) return values;
  const some = new Float64Array(Math.ceil(values.length / stride));
  for (let place = 0; place < some.length; place++) some[place] = values[place * stride] ?? 0;
  return some;
};

/** The largest distance from a centre within a window; undefined without values. */
function reachIn({ t, smooth }: Line, { from, to }: Window, centre: number): Reach | undefined {
  let [above, below, count] = [0, 0, 0];
  for (let index = firstAfter(t, from); index < t.length && (t[index] ?? 0) <= to; index++) {
    const away = (smooth[index] ?? centre) - centre;
    above = Math.max(above, away);
    below = Math.max(below, -away);
    count += 1;
  }
  return count === 0 ? undefined : { above, below };
}

/**
 * How unusual the farthest value of a segment is among those of the other segments: its distance from their median in units of their
 * variation. This is comparable between series with rare spikes and series without. 0 if a similar value was seen.
 */
export const deviationOf = (away: number, usual: Usual): number =>
  deviationAmong(away > 0 ? usual.above : usual.below, away, usual);

function deviationAmong(far: Float64Array, away: number, usual: Usual): number {
  const most = far[far.length - 1] ?? 0;
  const size = Math.abs(away);
  if (far.length === 0 || size <= BEYOND * most) return 0;
  const middle = percentile(far, 50);
  const spread = Math.max(most - middle, LEAST_VARIATION * middle, LEAST_VARIATION * usual.spread);
  return spread > 0 ? (size - middle) / spread : ONLY_HERE;
}

/** Robust standard deviations from the centre. */
export const effectOf = (away: number, { spread }: Usual): number =>
  // A series that never varied and is exact: any change is an effect, of no size that noise could cause.
  spread > 0 ? Math.max(-MOST, Math.min(MOST, away / spread)) : Math.sign(away) * MOST;

/** Distance from its centre that one of this many series may reach by chance, if all were normal. */
export const chanceAmong = (series: number, { count }: Pick<Usual, 'count'>): number =>
  studentQuantile(1 - LEVEL / (2 * PLACES * Math.max(1, series)), Math.max(4, count / CORRELATED));

/**
 * The largest surprise of a series away from the events, in the segment where it went farthest: the surprise of ordinary moments. Its other
 * segments have none, as it went farther elsewhere.
 */
export function usualDeviation(usual: Usual): number {
  const farthestDeviation = (far: Float64Array): number =>
    deviationAmong(far.subarray(0, -1), far[far.length - 1] ?? 0, usual);
  return Math.min(ONLY_HERE, Math.max(farthestDeviation(usual.above), farthestDeviation(usual.below)));
}
