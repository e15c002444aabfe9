import type { MarkKind } from '../event-marks.ts';
import { type ChartTheme, colourOf, type Paint } from '../theme.ts';

/** A stretch of the axis that all lanes share, seconds since its zero. */
export interface Span {
  from: number;
  to: number;
}

/** A line of a lane. `t` ascends, seconds since the zero of the axis; NaN in `v`: nothing is known, and the line breaks. */
export interface LaneLine extends Paint {
  /** Tells it from the other lines of its lane. */
  key: string;
  label: string;
  t: Float64Array;
  v: Float64Array;
  /** Smallest and largest of what each value is the mean of. */
  low?: Float64Array;
  high?: Float64Array;
  /** In a stack: drawn over it, and no part of it. whole: what its parts make up, in the colour of words. */
  over?: 'whole' | 'other';
}

export const colourOfLine = (line: LaneLine, theme: ChartTheme): string =>
  line.over === 'whole' ? theme.text : colourOf(line, theme.scheme);

/** lines: each by itself. stack: on top of one another. heat: each a row, its value as colour. */
export type LaneShape = 'lines' | 'stack' | 'heat';

/** A lane without its values: what can be shown. */
export interface LaneHead {
  /** The same in every session of an experiment, so that a choice can be kept: `host/db1/disk/nvme0n1/iops`. */
  id: string;
  /** What it belongs to: the tool, a host, a server. */
  group: string;
  title: string;
  unit: string;
  digits: number;
  shape: LaneShape;
  /** Lines that it has. */
  rows: number;
  /** What its values cannot go beyond. */
  limit?: { value: number; words: string } | undefined;
  /** What they could not in one run, in place of `limit`. */
  runLimits?: readonly LaneLimit[];
}

/** A limit that applies for a while; drawn in its own colour where it has one. */
export interface LaneLimit extends Span, Partial<Paint> {
  value: number;
  words: string;
}

/** Lines in one unit on one upright axis: one of many lanes below one another. */
export interface ChartLane extends LaneHead {
  lines: readonly LaneLine[];
  /** Where samples are missing; hatched. */
  gaps?: readonly Span[];
}

/** Kinds of moments that go through all lanes. skip: a fold of the axis. */
export type LaneMarkKind = MarkKind | 'state' | 'stall' | 'dip' | 'skip';

/** A moment that goes through all lanes. */
export interface LaneMark {
  at: number;
  kind: LaneMarkKind;
  label: string;
  /** Of one of several runs on the axis: drawn in the colour of its lines. */
  paint?: Paint;
}

/** A trial on the axis: from the first second of its tool to its end, with its warm-up. */
export interface LaneTrial extends Span, Paint {
  runId: number;
  /** Where the warm-up ends. */
  measured: number;
  label: string;
}

/** What goes through all lanes. */
export interface LaneScene {
  trials: readonly LaneTrial[];
  marks: readonly LaneMark[];
}

/** Pixels of a lane's picture: high enough for its title and the names of its lines beside it. */
const LEAST_HEIGHT = 68;
const STACK_HEIGHT = 92;
export const TITLE_ROW = 20;
export const NAME_ROW = 15;
/** Of a heat map: a row of it must be seen. */
const MOST_HEAT = 192;
const HEAT_ROW = 6;

export const heightOf = ({ shape, rows }: Pick<LaneHead, 'shape' | 'rows'>): number =>
  shape === 'heat'
    ? Math.min(MOST_HEAT, Math.max(LEAST_HEIGHT, HEAT_ROW * rows))
    : Math.max(shape === 'stack' ? STACK_HEIGHT : LEAST_HEIGHT, TITLE_ROW + NAME_ROW * rows);

/** Index of the first element that is not below `at`. */
export function firstFrom(t: Float64Array, at: number): number {
  let [low, high] = [0, t.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((t[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The value of a line nearest to a second, no farther from it than `reach`; NaN: there is none. */
export function valueAt({ t, v }: Pick<LaneLine, 't' | 'v'>, at: number, reach: number): number {
  const after = firstFrom(t, at);
  const nearest =
    Math.abs((t[after - 1] ?? -Infinity) - at) <= Math.abs((t[after] ?? Infinity) - at) ? after - 1 : after;
  return Math.abs((t[nearest] ?? Number.NaN) - at) <= reach ? (v[nearest] ?? Number.NaN) : Number.NaN;
}

/** Seconds that a value stands for: the usual distance of two of them. */
export const spacingOf = ({ t }: Pick<LaneLine, 't'>): number => {
  if (t.length < 2) return 1;
  // Of a few neighbours, the middle one: gaps in between would make the mean of all of them too long.
  const stride = Math.max(1, Math.floor(t.length / 32));
  const steps: number[] = [];
  for (let index = 1; index < t.length; index += stride) steps.push((t[index] ?? 0) - (t[index - 1] ?? 0));
  return steps.sort((one, other) => one - other)[steps.length >> 1] ?? 1;
};

/** Seconds around the cursor in which a value is the one at the cursor. */
export const reachOf = (line: Pick<LaneLine, 't'>): number => Math.max(1, 0.75 * spacingOf(line));
