import type { WatchedHost, WatchedSeries } from '../evidence.ts';

/** A series of a host with that rule; `instance` replaces the star. */
export function watched(
  rule: string,
  v: Float64Array,
  { instance, ...more }: Partial<WatchedSeries> = {},
): WatchedSeries {
  return {
    id: instance === undefined ? rule : rule.replace('*', instance),
    rule,
    label: rule,
    unit: '',
    ...(instance !== undefined && { instance }),
    t: Float64Array.from(v, (_, index) => index + 1),
    v,
    ...more,
  };
}

/** The same value each second. */
export const flat = (value: number, seconds = 60): Float64Array => new Float64Array(seconds).fill(value);

export const hostWith = (series: readonly WatchedSeries[], more: Partial<WatchedHost> = {}): WatchedHost => ({
  name: 'db1',
  roles: ['server'],
  series,
  ...more,
});
