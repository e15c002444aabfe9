import { useDeferredValue, useMemo } from 'react';
import type { ChartModel, ChartTable } from '../../shared/chart-models/index.ts';
import { formatFigure } from '../../shared/util/format.ts';

const MOST_ROWS = 60;

/** The chart's figures for screen readers; long ones are thinned evenly. */
export function ChartTableFallback({ model }: { model: ChartModel }) {
  const settled = useDeferredValue(model);
  const table = useMemo(() => {
    const { columns, rows } = settled.table();
    const step = Math.max(1, Math.ceil(rows.length / MOST_ROWS));
    return { columns, rows: rows.filter((_row, index) => index % step === 0) };
  }, [settled]);
  return <TableFallback caption={settled.description} table={table} />;
}

/** A table for screen readers only. */
export function TableFallback({ caption, table: { columns, rows } }: { caption: string; table: ChartTable }) {
  return (
    <div className="kp-visually-hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be the same, such as two equal seconds
            <tr key={place}>
              {row.map((value, index) => (
                <td key={columns[index] ?? index}>{typeof value === 'number' ? formatFigure(value, 2) : value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
