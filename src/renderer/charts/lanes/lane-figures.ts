import { firstFrom, type LaneLine, reachOf, type Span, valueAt } from '../../../shared/chart-models/index.ts';

/** The value of a line under the cursor; without a cursor the mean of what is seen. NaN: there is none. */
export function figureOf(line: LaneLine, cursor: number | undefined, view: Span): number {
  return cursor === undefined ? meanOf(line, view) : valueAt(line, cursor, reachOf(line));
}

function meanOf({ t, v }: LaneLine, { from, to }: Span): number {
  let [sum, count] = [0, 0];
  for (let index = firstFrom(t, from); index < t.length && (t[index] ?? 0) <= to; index += 1) {
    const value = v[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    sum += value;
    count += 1;
  }
  return count > 0 ? sum / count : Number.NaN;
}
