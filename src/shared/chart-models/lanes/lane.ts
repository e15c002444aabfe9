import type { MarkKind } from '../event-marks.ts';
import { type ChartTheme, colourOf, type Paint } from '../theme.ts';

/** A span of the axis that all lanes share, seconds since its zero. */
export interface Span {
  from: number;
  to: number;
}

/** A line of a lane. `t` ascends, seconds since the zero of the axis; NaN in `v` is unknown and breaks the line. */
export interface LaneLine extends Paint {
  /** Identifies it among the lines of its lane. */
  key: string;
  label: string;
  t: Float64Array;
  v: Float64Array;
  /** Smallest and largest of the values that each value is the mean of. */
  low?: Float64Array;
  high?: Float64Array;
  /** For stacks: drawn over the stack, and not part of it. whole: the total of its parts, in the text colour. */
  over?: 'whole' | 'other';
}

export const colourOfLine = (line: LaneLine, theme: ChartTheme): string =>
  line.over === 'whole' ? theme.text : colourOf(line, theme.scheme);

/** lines: each by itself. stack: on top of one another. heat: a row each, with the value as colour. */
export type LaneShape = 'lines' | 'stack' | 'heat';

/** A lane without its values, as a choice. */
export interface LaneHead {
  /** The same in every session of an experiment, so that a choice can be stored: `host/db1/disk/nvme0n1/iops`. */
  id: string;
  /** Its owner: the tool, a host, a server. */
  group: string;
  title: string;
  unit: string;
  digits: number;
  shape: LaneShape;
  /** Number of its lines. */
  rows: number;
  /** Upper limit of its values. */
  limit?: { value: number; words: string } | undefined;
  /** Upper limits in single runs, replacing `limit`. */
  runLimits?: readonly LaneLimit[];
}

/** A limit that applies for a while; drawn in its own colour if it has one. */
export interface LaneLimit extends Span, Partial<Paint> {
  value: number;
  words: string;
}

/** Lines of one unit on one vertical axis: one of many stacked lanes. */
export interface ChartLane extends LaneHead {
  lines: readonly LaneLine[];
  /** Periods without samples; hatched. */
  gaps?: readonly Span[];
}

/** Kinds of marks across all lanes. skip: a fold of the axis. */
type LaneMarkKind = MarkKind | 'state' | 'stall' | 'dip' | 'skip';

/** A mark across all lanes. */
export interface LaneMark {
  at: number;
  kind: LaneMarkKind;
  label: string;
  /** The label in few words, for the axis; absent: the label. */
  short?: string;
  /** For one of several runs on the axis: the colour of its lines. */
  paint?: Paint;
}

/** A trial on the axis: from the first second of its tool to its end, with its warm-up. */
export interface LaneTrial extends Span, Paint {
  runId: number;
  /** End of the warm-up. */
  measured: number;
  label: string;
}

/** Content that spans all lanes. */
export interface LaneScene {
  trials: readonly LaneTrial[];
  marks: readonly LaneMark[];
}

/** Minimum height of a lane in pixels: enough for its title and the names of its lines next to it. */
const LEAST_HEIGHT = 68;
const STACK_HEIGHT = 92;
export const TITLE_ROW = 20;
export const NAME_ROW = 15;
/** Maximum for a heat map: each of its rows must be visible. */
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

/** The value of a line nearest to a second, within `reach`; NaN if there is none. */
export function valueAt({ t, v }: Pick<LaneLine, 't' | 'v'>, at: number, reach: number): number {
  const after = firstFrom(t, at);
  const nearest =
    Math.abs((t[after - 1] ?? -Infinity) - at) <= Math.abs((t[after] ?? Infinity) - at) ? after - 1 : after;
  return Math.abs((t[nearest] ?? Number.NaN) - at) <= reach ? (v[nearest] ?? Number.NaN) : Number.NaN;
}

/** Seconds that a value covers: the usual distance of two of them. */
export const spacingOf = ({ t }: Pick<LaneLine, 't'>): number => {
  if (t.length < 2) return 1;
  // The median of a few distances: gaps would make their mean too long.
  const stride = Math.max(1, Math.floor(t.length / 32));
  const steps: number[] = [];
  for (let index = 1; index < t.length; index += stride) steps.push((t[index] ?? 0) - (t[index - 1] ?? 0));
  return steps.sort((one, other) => one - other)[steps.length >> 1] ?? 1;
};

/** Seconds around the cursor within which a value counts as the one at the cursor. */
export const reachOf = (line: Pick<LaneLine, 't'>): number => Math.max(1, 0.75 * spacingOf(line));

/** Colour of a mark, across all lanes and on a timeline: user actions are prominent. */
export const markColour = (kind: LaneMarkKind, theme: ChartTheme): string =>
  kind === 'alert' || kind === 'stall' || kind === 'dip'
    ? theme.bad
    : kind === 'note' || kind === 'scenario'
      ? theme.accent
      : theme.faint;

/** Colour of a mark: that of its run if there are several on the axis. */
export const colourOfMark = ({ kind, paint }: LaneMark, theme: ChartTheme): string =>
  paint ? colourOf(paint, theme.scheme) : markColour(kind, theme);

/** A sign before its words, so that they differ by more than colour. */
export const MARK_SIGNS: Readonly<Record<LaneMarkKind, string>> = {
  note: '●',
  alert: '▲',
  'warm-up-end': '◆',
  checkpoint: '■',
  state: '◇',
  scenario: '⚑',
  mark: '│',
  stall: '▼',
  dip: '▽',
  skip: '⋯',
};
