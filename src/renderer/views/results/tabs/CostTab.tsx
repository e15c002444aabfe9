import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { lineWords, painterOf, shareBars } from '../../../../shared/chart-models/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { CostResult, ValueForMoney } from '../../../../shared/model/cost.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import { formatLevels, formatMoney, formatNumber } from '../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { type Column, DataTable, EmptyState, Panel, ProblemBanner, TableSkeleton } from '../../../ui/index.ts';
import type { TabProperties } from '../useResults.ts';

type Row = ValueForMoney['rows'][number];

/** Bars shown: the best ones; the table has all. */
const MOST_BARS = 12;

/** What the system costs, and what a unit of its work costs. */
export function CostTab({ result, state }: TabProperties) {
  const [, go] = useLocation();
  const cost = useCall('costs.ofSession', { sessionId: state.id });
  const value = useCall('costs.valueForMoney', { sessionIds: [state.id], metric: result.metric, perCell: true });
  const problem = (cost.error ?? value.error)?.problem;
  const edit = () => go(`/costs?session=${state.id}`);
  if (problem) return <ProblemBanner problem={problem} />;
  if (!cost.data || !value.data) return <TableSkeleton />;
  const priced = cost.data.result;
  if (!priced) {
    return (
      <Panel>
        <EmptyState title="This session has no price yet" action={<Button onClick={edit}>Give it a price</Button>}>
          With the price of its instance and volumes, or own figures, every cell shows its operations per dollar.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <>
      <div className="kp-split">
        <Panel label="Value for money">
          <Bars value={value.data} factors={result.factors} />
        </Panel>
        <PricePanel priced={priced} onChange={edit} />
      </div>
      <Panel title="Cells" flush>
        <DataTable
          label="Cells by value for money"
          columns={columnsOf(value.data)}
          rows={value.data.rows}
          rowId={(row) => String(row.cell ?? row.sessionId)}
          sort={{ id: 'percent', descending: true }}
        />
      </Panel>
    </>
  );
}

const PricePanel = ({ priced, onChange }: { priced: CostResult; onChange(): void }) => (
  <Panel
    title="Price"
    note={`${formatMoney(priced.perHour, priced.currency)} per hour · ${formatMoney(priced.perYear, priced.currency)} per year`}
    actions={
      <Button variant="subtle" onClick={onChange}>
        Change
      </Button>
    }
    flush
  >
    <DataTable
      label="Price items"
      columns={itemColumns(priced.currency)}
      rows={priced.items}
      rowId={(item) => `${item.label} ${item.how}`}
    />
  </Panel>
);

const itemColumns = (currency: string): Column<CostResult['items'][number]>[] => [
  { id: 'label', header: 'Item', grow: true, cell: (item) => <span title={item.how}>{item.label}</span> },
  {
    id: 'hour',
    header: 'per hour',
    align: 'right',
    cell: (item) => formatMoney(item.perHour, currency),
  },
  {
    id: 'year',
    header: 'per year',
    align: 'right',
    cell: (item) => formatMoney(item.perYear, currency),
  },
  {
    id: 'source',
    header: 'Source',
    minor: true,
    cell: (item) => (
      <span title={item.warnings.join(' ')}>{[item.source, item.asOf].filter(Boolean).join(', ') || 'own figure'}</span>
    ),
  },
];

function Bars({ value, factors }: { value: ValueForMoney; factors: SessionResult['factors'] }) {
  const theme = useChartTheme();
  const model = useMemo(() => {
    const paint = painterOf(factors);
    return shareBars(
      value.rows.slice(0, MOST_BARS).map((row) => ({
        name: formatLevels(row.levels) || row.name,
        value: row.operationsPerDollar,
        paint: paint(row.levels),
        group: lineWords(factors, row.levels) || row.name,
      })),
      { label: `Operations per hour per ${value.currency} per hour`, unit: '', digits: 0 },
      theme,
    );
  }, [value, factors, theme]);
  return (
    <Chart
      model={model}
      height={Math.max(140, 64 + 26 * Math.min(MOST_BARS, value.rows.length))}
      zoomable
      title={`Operations per hour, per ${value.currency} per hour`}
      note={`${metricOf(value.metric).label} × 3600 / price per hour`}
    />
  );
}

function columnsOf({ metric, currency }: ValueForMoney): Column<Row>[] {
  const { label, unit, digits } = metricOf(metric);
  return [
    {
      id: 'cell',
      header: 'Cell',
      grow: true,
      cell: (row) => formatLevels(row.levels) || 'the only cell',
    },
    {
      id: 'rate',
      header: `${label} (${unit})`,
      align: 'right',
      value: (row) => row.rate,
      cell: (row) => formatNumber(row.rate, digits),
    },
    {
      id: 'hour',
      header: 'per hour',
      align: 'right',
      value: (row) => row.perHour,
      cell: (row) => formatMoney(row.perHour, currency),
    },
    {
      id: 'year',
      header: 'per year',
      align: 'right',
      value: (row) => row.perYear,
      cell: (row) => formatMoney(row.perYear, currency),
    },
    {
      id: 'value',
      header: `Operations per hour per ${currency}/h`,
      hint: 'Rate × 3600 / price per hour',
      align: 'right',
      value: (row) => row.operationsPerDollar,
      cell: (row) => formatNumber(row.operationsPerDollar),
    },
    {
      id: 'percent',
      header: 'of the best',
      align: 'right',
      value: (row) => row.percent,
      cell: (row) => `${formatNumber(row.percent)} %`,
    },
  ];
}
