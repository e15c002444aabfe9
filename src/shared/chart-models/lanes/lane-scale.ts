import { formatFigure, formatNumber } from '../../util/format.ts';
import { axisNumber } from '../parts.ts';
import type { Seen } from './columns.ts';
import type { ChartLane } from './lane.ts';

/** The upright axis of a lane: from `from` (zero, or below where values are) to `to`, with round ticks. */
export interface LaneScale {
  from: number;
  to: number;
  ticks: readonly number[];
}

/** Pixels between two ticks, at least. */
const TICK_ROOM = 26;
/** Shares of the way between two powers of ten at which ticks may be. */
const ROUND = [1, 2, 2.5, 5, 10];
/** Share of a limit from which on it is worth the room above the values. */
const NEAR_LIMIT = 0.35;
/** Samples of two moments are never of exactly one second. */
const ROUNDING = 1.02;

/** A round step so that at most `most` of them span `range`. */
export function roundStep(range: number, most: number): number {
  const least = range / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  return (ROUND.find((share) => share * power >= least * (1 - 1e-9)) ?? 10) * power;
}

/** An axis for what is seen of a lane: round ends, and up to the limit where the values come near it. */
export function scaleOf(lane: Pick<ChartLane, 'shape' | 'limit'>, seen: Seen, height: number): LaneScale {
  const { least, most } = extentOf(lane, seen);
  const { limit } = lane;
  // Of a share of a whole the whole is always there to compare with.
  const withLimit = limit !== undefined && (lane.shape !== 'lines' || most >= NEAR_LIMIT * limit.value);
  const highest = Math.max(most, withLimit ? limit.value : 0);
  const lowest = Math.min(0, least);
  if (!(highest - lowest > 0)) return { from: 0, to: 1, ticks: [0] };
  const step = roundStep(highest - lowest, Math.floor(height / TICK_ROOM));
  // What rounding lets go beyond the limit is no reason for an axis that goes far beyond it.
  const exact = withLimit && most <= limit.value * ROUNDING;
  const to = exact ? limit.value : Math.ceil(highest / step - 1e-9) * step;
  const from = Math.floor(lowest / step + 1e-9) * step;
  const count = Math.floor((to - from) / step + 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, index) => from + index * step);
  return { from, to, ticks };
}

function extentOf({ shape }: Pick<ChartLane, 'shape'>, { parts, edges }: Seen): { least: number; most: number } {
  let [least, most] = [Infinity, -Infinity];
  const take = (values: Float64Array, count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const value = values[index] ?? Number.NaN;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  };
  for (const edge of edges.slice(-1)) take(edge, edge.length);
  for (const [index, { v, low, high, count }] of parts.entries()) {
    if (shape === 'stack' && index < edges.length) continue;
    // Of a line over a stack the mean alone is drawn.
    take(shape === 'stack' ? v : low, count);
    take(shape === 'stack' ? v : high, count);
  }
  return Number.isFinite(most) ? { least, most } : { least: 0, most: 0 };
}

const LARGE: readonly (readonly [number, string])[] = [
  [1e9, ' G'],
  [1e6, ' M'],
  [1e4, ' k'],
];

/** A tick in a narrow place: `250`, `12.5 k`, `3 M`. */
export function tickWords(value: number): string {
  const [size, sign] = LARGE.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  const share = sign === ' k' ? value / 1000 : value / size;
  return `${axisNumber(share)}${sign}`;
}

/** A value beside a line's name. */
export const laneFigure = (value: number, digits: number): string =>
  Math.abs(value) >= 1000 ? formatNumber(value) : formatFigure(value, digits);
