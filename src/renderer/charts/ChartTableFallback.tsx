import { useDeferredValue, useMemo } from 'react';
import type { ChartModel } from '../../shared/chart-models/index.ts';
import { formatNumber } from '../../shared/util/format.ts';

const MOST_ROWS = 60;

/** The chart's figures for readers that cannot see it; long ones thinned evenly. */
export function ChartTableFallback({ model }: { model: ChartModel }) {
  const settled = useDeferredValue(model);
  const { columns, rows } = useMemo(() => {
    const table = settled.table();
    const step = Math.max(1, Math.ceil(table.rows.length / MOST_ROWS));
    return { columns: table.columns, rows: table.rows.filter((_row, index) => index % step === 0) };
  }, [settled]);
  return (
    <div className="kp-visually-hidden">
      <table>
        <caption>{settled.description}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join('|')}>
              {row.map((value, index) => (
                <td key={columns[index] ?? index}>{typeof value === 'number' ? formatNumber(value, 2) : value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
