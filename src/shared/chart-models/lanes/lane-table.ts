import type { ChartTable } from '../model.ts';
import { type ChartLane, firstFrom, type Span } from './lane.ts';
import { titleOfLane } from './lane-picture.ts';

/**
 * The values of all lanes in a span as rows by second, counted from `zero` on the axis. Values of the same second are in one row; if a line
 * has several in a second, the last one.
 */
export function laneTable(
  lanes: readonly ChartLane[],
  groups: ReadonlyMap<string, string>,
  view: Span,
  zero: number,
): ChartTable {
  const columns = lanes.flatMap((lane) => lane.lines.map((line) => ({ lane, line })));
  const rows = new Map<number, (string | number)[]>();
  columns.forEach(({ line: { t, v } }, column) => {
    for (let index = firstFrom(t, view.from); index < t.length && (t[index] ?? 0) <= view.to; index += 1) {
      const value = v[index] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      const second = Math.round((t[index] ?? 0) - zero);
      const row = rows.get(second) ?? [second, ...columns.map(() => '')];
      row[column + 1] = value;
      rows.set(second, row);
    }
  });
  return {
    columns: [
      't (s)',
      ...columns.map(
        ({ lane, line }) => `${groups.get(lane.group) ?? lane.group}: ${titleOfLane(lane)}: ${line.label}`,
      ),
    ],
    rows: [...rows.values()].sort((one, other) => Number(one[0]) - Number(other[0])),
  };
}

/** Summary of the lanes by line for screen readers: mean, smallest and largest value of the visible part. */
export function laneSummary(lanes: readonly ChartLane[], groups: ReadonlyMap<string, string>, view: Span): ChartTable {
  const rows = lanes.flatMap((lane) =>
    lane.lines.map((line) => {
      const figures = figuresOf(line, view);
      return [groups.get(lane.group) ?? lane.group, titleOfLane(lane), line.label, ...figures];
    }),
  );
  return { columns: ['Of', 'Lane', 'Line', 'Mean', 'Smallest', 'Largest'], rows };
}

function figuresOf({ t, v, low = v, high = v }: ChartLane['lines'][number], view: Span): (number | string)[] {
  let [sum, count, least, most] = [0, 0, Infinity, -Infinity];
  for (let index = firstFrom(t, view.from); index < t.length && (t[index] ?? 0) <= view.to; index += 1) {
    const value = v[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
    least = Math.min(least, low[index] ?? value);
    most = Math.max(most, high[index] ?? value);
  }
  return count > 0 ? [sum / count, least, most] : ['', '', ''];
}
