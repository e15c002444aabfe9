import { type LoadRange, loadRanges, loadSentences, lotWords, pricePerLot } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { ValueScale } from '../../../shared/model/cost.ts';
import { formatMoney, formatNumber } from '../../../shared/util/format.ts';
import { type Column, DataTable, Panel } from '../../ui/index.ts';

/** Break-even by load: the cheapest measured system at each load, and where a more expensive one takes over. */
export function LoadPanel({ scale }: { scale: ValueScale }) {
  const ranges = loadRanges(scale.rows);
  if (ranges.length === 0 || scale.rows.length < 2) return null;
  return (
    <Panel title="Break-even by load" note="by the lower end of the 95 % interval of each best cell" flush>
      <DataTable
        label="Cheapest system by load"
        columns={columnsOf(scale)}
        rows={ranges}
        rowId={({ row }) => `${row.sessionId} ${row.system}`}
      />
      {loadSentences(scale.rows, scale).map((sentence) => (
        <p key={sentence} className="kp-small kp-table-note">
          {sentence}
        </p>
      ))}
    </Panel>
  );
}

function columnsOf(scale: ValueScale): Column<LoadRange>[] {
  const { unit, digits } = metricOf(scale.metric);
  const figure = (value: number): string => formatNumber(value, digits);
  return [
    {
      id: 'load',
      header: `Load (${unit})`,
      value: ({ to }) => to,
      cell: ({ from, to }) => (from === 0 ? `up to ${figure(to)}` : `${figure(from)} to ${figure(to)}`),
    },
    { id: 'name', header: 'Cheapest', grow: true, value: ({ row }) => row.system },
    {
      id: 'hour',
      header: 'per hour',
      align: 'right',
      value: ({ row }) => row.perHour,
      cell: ({ row }) => formatMoney(row.perHour, scale.currency),
    },
    {
      id: 'lot',
      header: lotWords(scale),
      hint: 'At the upper end of the range; at lower loads the same price buys less',
      align: 'right',
      value: (range) => pricePerUnit(range, scale),
      cell: (range) => formatMoney(pricePerUnit(range, scale), scale.currency),
    },
  ];
}

const pricePerUnit = ({ to, row: { perHour } }: LoadRange, { metric }: ValueScale): number | undefined =>
  pricePerLot(metric, { operationsPerDollar: (to * 3600) / perHour });
