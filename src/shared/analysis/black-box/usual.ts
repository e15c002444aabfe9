import { type Points, percentile, studentQuantile } from '../../stats/index.ts';
import type { Window } from '../evidence.ts';
import { firstAfter, stepOf } from '../lines.ts';

/** Values that a smoothed one is the mean of: one odd second is no change of anything. */
const WIDTH = 3;
/** Values beside the events without which nothing is known of what is usual. */
const LEAST = 20;
/** A level that is told to so little never varies less. */
const LEAST_SHARE = 0.01;
/** Farther from the usual level than anything seen beside the events, by this factor: noise of any shape hardly is. */
const BEYOND = 1.4;
/** Farthest values of stretches differ by at least this share of what they usually are: a few stretches show too little of it. */
const LEAST_VARIATION = 0.3;
/** How often one of all series may stand out by chance, around one event, if all were normal. */
const LEVEL = 0.02;
/** Places in the surroundings of an event that are as good as independent of each other. */
const PLACES = 12;
/** Neighbouring values are alike: so many of them know as much as one. */
const ALIKE = 6;
/** Surprise at a series that changed this once, and never else: in most runs some series does. */
const ONCE = 10;
/** Effects are not told apart beyond it. */
const MOST = 1000;

/** How far a series was from its centre, above and below, in a stretch of time. */
export interface Reach {
  readonly above: number;
  readonly below: number;
}

/** What a series does away from the events: in all seconds there, and in each of the stretches that are as long as an event with what is around it. */
export interface Usual {
  readonly centre: number;
  readonly spread: number;
  readonly count: number;
  readonly tiles: readonly (Reach | undefined)[];
}

/** A series thinned of its gaps, with its smoothed values. */
export interface Line {
  readonly t: Float64Array;
  readonly v: Float64Array;
  readonly smooth: Float64Array;
  readonly step: number;
}

export function lineOf({ t, v }: Points): Line {
  const known = Array.from(t.keys()).filter((index) => Number.isFinite(v[index]));
  const [times, values] = [t, v].map((all) => Float64Array.from(known, (index) => all[index] ?? 0)) as [
    Float64Array,
    Float64Array,
  ];
  const half = WIDTH >> 1;
  const smooth = values.map((_, index) => {
    const [low, high] = [Math.max(0, index - half), Math.min(values.length, index + half + 1)];
    let sum = 0;
    for (let at = low; at < high; at++) sum += values[at] ?? 0;
    return sum / (high - low);
  });
  return { t: times, v: values, smooth, step: stepOf(times) };
}

/** `isBeside`: whether a second belongs to no event. Undefined where too little is known beside them. */
export function usualOf(
  line: Line,
  isBeside: (second: number) => boolean,
  tiles: readonly Window[],
): Usual | undefined {
  const { t, smooth } = line;
  const values = thinned(smooth.filter((_, index) => isBeside(t[index] ?? 0))).sort();
  if (values.length < LEAST) return undefined;
  const centre = percentile(values, 50);
  const away = values.map((value) => Math.abs(value - centre)).sort();
  const spread = Math.max(
    1.4826 * percentile(away, 50),
    (percentile(values, 95) - percentile(values, 5)) / 3.29,
    LEAST_SHARE * Math.abs(centre),
  );
  return { centre, spread, count: values.length, tiles: tiles.map((tile) => reachIn(line, tile, centre)) };
}

/** Values enough to know what is usual, from all over the run. */
const ENOUGH = 3000;
const thinned = (values: Float64Array): Float64Array => {
  const stride = Math.ceil(values.length / ENOUGH);
  return stride < 2 ? values : values.filter((_, index) => index % stride === 0);
};

/** The farthest from a centre within a window; undefined where it has no value. */
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

/** The farthest values on one side, of all stretches or of all but one, ascending. */
function extremes({ tiles }: Usual, side: keyof Reach, besides?: number): Float64Array {
  const known = tiles.flatMap((tile, index) => (tile && index !== besides ? [tile[side]] : []));
  return Float64Array.from(known).sort();
}

/**
 * How surprising the farthest value of a stretch is, beside those of the other stretches: its distance from their median in units of what they
 * differ by. That is the same for series with rare spikes and for such without. 0 where something like it was seen.
 */
export function surpriseOf(away: number, usual: Usual, besides?: number): number {
  const far = extremes(usual, away > 0 ? 'above' : 'below', besides);
  const most = far[far.length - 1] ?? 0;
  const size = Math.abs(away);
  if (far.length === 0 || size <= BEYOND * most) return 0;
  const middle = percentile(far, 50);
  const spread = Math.max(most - middle, LEAST_VARIATION * middle, LEAST_VARIATION * usual.spread);
  return spread > 0 ? (size - middle) / spread : ONCE;
}

/** Robust standard deviations from the centre. */
export const effectOf = (away: number, { spread }: Usual): number =>
  // What never varied and is told exactly: any change is one, of no size that noise could give.
  spread > 0 ? Math.max(-MOST, Math.min(MOST, away / spread)) : Math.sign(away) * MOST;

/** How far one of so many series may be from its centre by chance, were all of them normal. */
export const chanceAmong = (series: number, { count }: Usual): number =>
  studentQuantile(1 - LEVEL / (2 * PLACES * Math.max(1, series)), Math.max(4, count / ALIKE));

/** The largest surprise of any series in each stretch: what happens where nothing happens. */
export function usualSurprises(all: readonly Usual[], tiles: number): number[] {
  return Array.from({ length: tiles }, (_, tile) =>
    all.reduce((most, usual) => {
      const reach = usual.tiles[tile];
      if (!reach) return most;
      const here = Math.max(surpriseOf(reach.above, usual, tile), surpriseOf(-reach.below, usual, tile));
      return Math.max(most, Math.min(ONCE, here));
    }, 0),
  );
}
