import type { TimelineLine } from './timeline.ts';

/** Points of a band, at most: about one for two pixels of a wide screen. */
const MOST_POINTS = 600;

/**
 * One line for all lines of the same name: the median of their values in each stretch of time, with a band from the smallest value to the
 * largest. Stretches are of `1 s` or, where a run is longer than 600 s, of equal whole seconds; `t` is the start of each.
 */
export function cellBands(lines: readonly TimelineLine[]): TimelineLine[] {
  const longest = lines.reduce((end, { t }) => Math.max(end, t.at(-1) ?? 0), 0);
  const stretch = Math.max(1, Math.ceil((longest + 1) / MOST_POINTS));
  const groups = new Map<string, TimelineLine[]>();
  for (const line of lines) groups.set(line.name, [...(groups.get(line.name) ?? []), line]);
  return [...groups].flatMap(([name, group]) => {
    const [first] = group;
    if (!first) return [];
    const { t, median, low, high } = stretchesOf(group, stretch);
    const runs = `${group.length} ${group.length === 1 ? 'run' : 'runs'}`;
    return [{ ...first, key: `cell ${name}`, label: `${name}, median of ${runs}`, t, v: median, band: { low, high } }];
  });
}

function stretchesOf(lines: readonly TimelineLine[], stretch: number) {
  const values = new Map<number, number[]>();
  for (const { t, v } of lines) {
    t.forEach((second, index) => {
      const value = v[index];
      if (value === undefined || !Number.isFinite(value)) return;
      const place = Math.floor(second / stretch);
      const there = values.get(place);
      if (there) there.push(value);
      else values.set(place, [value]);
    });
  }
  const places = [...values].sort(([one], [other]) => one - other);
  for (const [, there] of places) there.sort((one, other) => one - other);
  const figures = (of: (sorted: readonly number[]) => number): Float64Array =>
    Float64Array.from(places, ([, there]) => of(there));
  return {
    t: Float64Array.from(places, ([place]) => place * stretch),
    median: figures((sorted) => ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2),
    low: figures((sorted) => sorted[0] ?? 0),
    high: figures((sorted) => sorted.at(-1) ?? 0),
  };
}
