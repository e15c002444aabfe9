import type { MonitoredSource, MonitoredValues } from '../../model/monitored.ts';
import type { LaneLine, Span } from './lane.ts';
import type { MonitoredLane } from './lanes-of-sources.ts';

/** Moments of this computer's clock as seconds of the axis; `zero`: epoch milliseconds of its second 0. */
const onAxis = ({ from, to }: Span, zero: number): Span => ({
  from: (from - zero) / 1000,
  to: (to - zero) / 1000,
});

/** Periods without samples of a source, on the axis. */
export const gapsOnAxis = ({ gaps }: Pick<MonitoredSource, 'gaps'>, zero: number): Span[] =>
  gaps.map((gap) => onAxis(gap, zero));

/** The lines of a lane from its values, in the lane's order. A line breaks where samples are missing. */
export function linesOf(
  lane: Pick<MonitoredLane, 'series' | 'sourceId'>,
  values: readonly MonitoredValues[],
  gaps: readonly Span[],
  zero: number,
): LaneLine[] {
  return lane.series.flatMap((series) => {
    const own = values.find(({ sourceId, id }) => sourceId === lane.sourceId && id === series.id);
    if (!own) return [];
    const { id: key, label, slot, over } = series;
    const t = own.t.map((at) => (at - zero) / 1000);
    const places = breaksIn(t, gaps);
    const broken = (column: Float64Array): Float64Array => withUnknown(column, places);
    return [
      {
        ...{ key, label, slot, t: withBetween(t, places), v: broken(own.v) },
        ...(own.low && own.high && { low: broken(own.low), high: broken(own.high) }),
        ...(over && { over }),
      },
    ];
  });
}

/** Indices before which samples are missing. */
function breaksIn(t: Float64Array, gaps: readonly Span[]): number[] {
  const found = new Set<number>();
  for (const { from, to } of gaps) {
    const middle = (from + to) / 2;
    const after = t.findIndex((at) => at > middle);
    if (after > 0) found.add(after);
  }
  return [...found].sort((one, other) => one - other);
}

/** A column with an additional element at each of these places. */
function withMore(column: Float64Array, places: readonly number[], more: (at: number) => number): Float64Array {
  if (places.length === 0) return column;
  const result = new Float64Array(column.length + places.length);
  let from = 0;
  places.forEach((place, index) => {
    result.set(column.subarray(from, place), from + index);
    result[place + index] = more(place);
    from = place;
  });
  result.set(column.subarray(from), from + places.length);
  return result;
}

const withUnknown = (column: Float64Array, places: readonly number[]): Float64Array =>
  withMore(column, places, () => Number.NaN);

const withBetween = (t: Float64Array, places: readonly number[]): Float64Array =>
  withMore(t, places, (at) => ((t[at - 1] ?? 0) + (t[at] ?? 0)) / 2);
