import { axisNumber } from '../parts.ts';
import type { Seen } from './columns.ts';
import type { ChartLane, LaneLimit } from './lane.ts';

/** The vertical axis of a lane: from `from` (zero, or less if values are negative) to `to`, with round ticks. */
export interface LaneScale {
  from: number;
  to: number;
  ticks: readonly number[];
}

/** Minimum pixels between two ticks. */
const TICK_ROOM = 26;
/** Possible positions of ticks between two powers of ten. */
const ROUND = [1, 2, 2.5, 5, 10];
/** From this share of a limit on, the axis includes the limit. */
const NEAR_LIMIT = 0.35;
/** Samples are never exactly one second apart. */
const ROUNDING = 1.02;

/** A round step of which at most `most` span `range`. */
export function roundStep(range: number, most: number): number {
  const least = range / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  return (ROUND.find((share) => share * power >= least * (1 - 1e-9)) ?? 10) * power;
}

/** An axis for the visible part of a lane: round ends, including the highest limit that the values come near. */
export function scaleOf(
  { shape }: Pick<ChartLane, 'shape'>,
  limits: readonly Pick<LaneLimit, 'value'>[],
  seen: Seen,
  height: number,
): LaneScale {
  const { least, most } = extentOf(seen);
  // For a share of a whole, the whole is always shown for comparison.
  const near = limits.filter(({ value }) => shape !== 'lines' || most >= NEAR_LIMIT * value);
  const limit = Math.max(0, ...near.map(({ value }) => value));
  const highest = Math.max(most, limit);
  const lowest = Math.min(0, least);
  if (!(highest - lowest > 0)) return { from: 0, to: 1, ticks: [0] };
  const step = roundStep(highest - lowest, Math.floor(height / TICK_ROOM));
  // Rounding errors above the limit must not extend the axis far beyond it.
  const exact = limit > 0 && most <= limit * ROUNDING;
  const to = exact ? limit : Math.ceil(highest / step - 1e-9) * step;
  const from = Math.floor(lowest / step + 1e-9) * step;
  const count = Math.floor((to - from) / step + 1e-9);
  const ticks = Array.from({ length: count + 1 }, (_, index) => from + index * step);
  return { from, to, ticks };
}

function extentOf({ parts, edges, whole }: Seen): { least: number; most: number } {
  let [least, most] = [Infinity, -Infinity];
  const take = (values: Float64Array, count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const value = values[index] ?? Number.NaN;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  };
  for (const edge of edges.slice(-1)) take(edge, edge.length);
  for (const { low, high, count } of [...parts.slice(edges.length), ...(whole ? [whole] : [])]) {
    take(low, count);
    take(high, count);
  }
  return Number.isFinite(most) ? { least, most } : { least: 0, most: 0 };
}

const LARGE: readonly (readonly [number, string])[] = [
  [1e9, ' G'],
  [1e6, ' M'],
  [1e4, ' k'],
];

/** A tick for narrow places: `250`, `12.5 k`, `3 M`. */
export function tickWords(value: number): string {
  const [size, sign] = LARGE.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  const share = sign === ' k' ? value / 1000 : value / size;
  return `${axisNumber(share)}${sign}`;
}
