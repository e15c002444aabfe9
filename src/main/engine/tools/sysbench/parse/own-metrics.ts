import { isMetric } from '../../../../../shared/metrics/index.ts';
import { decimal, END } from './interval-shape.ts';

/** Figures that a script counts itself: `[ 3s ] metrics: new_orders_per_s=118.00 rows_inserted=4711`, in front of the interval line of its second. */
const FIGURE = new RegExp(`([a-z][a-z0-9_]*)=(-?\\d+(?:\\.\\d+)?|-?nan|-?inf)${END} ?`, 'y');
const WORD = /metrics: /y;
/** At the end of the run: `metrics total: new_orders_total=1177`. */
const TOTALS = /^metrics total:((?: [a-z][a-z0-9_]*=-?\d+(?:\.\d+)?)+)$/;

/** Registered metrics from `at` on; undefined when there is no such statement. Figures of other names end it and stay unread. */
export function ownMetricsAt(line: string, at: number): { metrics: Record<string, number>; end: number } | undefined {
  WORD.lastIndex = at;
  if (!WORD.test(line)) return undefined;
  const metrics: Record<string, number> = {};
  let end = WORD.lastIndex;
  for (;;) {
    FIGURE.lastIndex = end;
    const [, id = '', text] = FIGURE.exec(line) ?? [];
    if (text === undefined || !isMetric(id)) break;
    const value = decimal(text);
    if (value !== undefined && !Number.isNaN(value)) metrics[id] = value;
    end = FIGURE.lastIndex;
  }
  return Object.keys(metrics).length > 0 ? { metrics, end } : undefined;
}

/** Totals of a script by the names it gives them; undefined when the line is none of that kind. */
export function ownTotals(line: string): Record<string, number> | undefined {
  const figures = TOTALS.exec(line)?.[1];
  if (figures === undefined) return undefined;
  return Object.fromEntries(
    figures
      .trim()
      .split(' ')
      .map((figure) => {
        const [name = '', value] = figure.split('=');
        return [name, Number(value)];
      }),
  );
}
