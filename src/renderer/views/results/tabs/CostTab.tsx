import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { lineWords, nameOfCell, painterOf, shareBars } from '../../../../shared/chart-models/index.ts';
import { lotWords, percentOfBest, pricePerLot, scaleWords } from '../../../../shared/costs/index.ts';
import { metricOf } from '../../../../shared/metrics/index.ts';
import type { CostResult, ValueRow, ValueScale } from '../../../../shared/model/cost.ts';
import type { SessionResult } from '../../../../shared/model/result.ts';
import { formatDuration, formatLevels, formatMoney, formatNumber } from '../../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../../charts/index.ts';
import { useCall } from '../../../client/index.ts';
import { CostNotes, ItemNotes, NotRanked, WarningNotes, Warnings } from '../../../domain/index.ts';
import { type Column, DataTable, EmptyState, Panel, ProblemBanner, TableSkeleton } from '../../../ui/index.ts';
import { type LevelFilter, passes, type TabProperties } from '../useResults.ts';

/** Number of bars, the best ones; the table has all. */
const MOST_BARS = 12;

/** Price of the system, and of a unit of its work. */
export function CostTab({ result, state }: TabProperties) {
  const [, go] = useLocation();
  const cost = useCall('costs.ofSession', { sessionId: state.id });
  const value = useCall('costs.valueForMoney', {
    ...{ sessionIds: [state.id], metric: result.metric, perCell: true },
    ...(state.warmup !== undefined && { warmup: state.warmup }),
  });
  const problem = (cost.error ?? value.error)?.problem;
  const edit = () => go(`/costs?session=${state.id}`);
  if (problem) return <ProblemBanner problem={problem} />;
  if (!cost.data || !value.data) return <TableSkeleton />;
  const priced = cost.data.result;
  // Levels may have their own prices.
  if (!priced && value.data.scales.length === 0) {
    return (
      <Panel>
        <EmptyState title="This session has no price yet" action={<Button onClick={edit}>Assign a price</Button>}>
          Assign a price to see operations per dollar for every cell.
        </EmptyState>
      </Panel>
    );
  }
  // One session and one metric: at most one scale.
  const scale = value.data.scales.map((whole) => shownOf(whole, state.filter))[0];
  return (
    <>
      <div className="kp-split">
        {scale && (
          <Panel label="Value for money">
            <Bars scale={scale} factors={result.factors} />
            <WarningNotes cells={scale.rows} />
          </Panel>
        )}
        {priced && <PricePanel priced={priced} onChange={edit} />}
      </div>
      {scale && (
        <Panel title="Cells" note={`figures after ${formatDuration(result.warmup)} of each run`} flush>
          <DataTable
            label="Cells by value for money"
            columns={columnsOf(scale, result.factors)}
            rows={scale.rows}
            rowId={(row) => String(row.cell ?? row.sessionId)}
            sort={{ id: 'percent', descending: true }}
          />
        </Panel>
      )}
      <NotRanked left={value.data.left} />
    </>
  );
}

/** The visible cells, relative to the best of them. */
function shownOf(scale: ValueScale, filter: LevelFilter): ValueScale {
  const rows = scale.rows.filter((row) => passes(row.levels, filter));
  const percents = percentOfBest(rows.map((row) => row.operationsPerDollar));
  return { ...scale, rows: rows.map((row, index) => ({ ...row, percent: percents[index] ?? 0 })) };
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
    <ItemNotes items={priced.items} />
    <CostNotes result={priced} />
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
    grow: true,
    cell: (item) => <span title={item.source}>{item.source ?? 'custom item'}</span>,
  },
  { id: 'asOf', header: 'Price as of', cell: (item) => item.asOf ?? 'custom item' },
];

function Bars({ scale, factors }: { scale: ValueScale; factors: SessionResult['factors'] }) {
  const theme = useChartTheme();
  const model = useMemo(() => {
    const paint = painterOf(factors);
    return shareBars(
      scale.rows.slice(0, MOST_BARS).map((row) => ({
        name: formatLevels(row.levels) || row.name,
        value: row.operationsPerDollar,
        paint: paint(row.levels),
        group: lineWords(factors, row.levels) || row.name,
      })),
      { label: scaleWords(scale), unit: '', digits: 0 },
      theme,
    );
  }, [scale, factors, theme]);
  return (
    <Chart
      model={model}
      height={Math.max(140, 64 + 26 * Math.min(MOST_BARS, scale.rows.length))}
      zoomable
      title={scaleWords(scale)}
      note={`${metricOf(scale.metric).label} × 3600 / price per hour`}
    />
  );
}

function columnsOf({ metric, currency }: ValueScale, factors: SessionResult['factors']): Column<ValueRow>[] {
  const { label, unit, digits } = metricOf(metric);
  return [
    {
      id: 'cell',
      header: 'Cell',
      grow: true,
      cell: (row) => nameOfCell(factors, row.levels),
    },
    {
      id: 'rate',
      header: `${label} (${unit})`,
      align: 'right',
      value: (row) => row.rate,
      cell: (row) => (
        <>
          {formatNumber(row.rate, digits)}
          <Warnings of={row} />
        </>
      ),
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
      id: 'lot',
      header: lotWords({ metric, currency }),
      align: 'right',
      value: (row) => pricePerLot(metric, row),
      cell: (row) => formatMoney(pricePerLot(metric, row), currency),
    },
    {
      id: 'value',
      header: scaleWords({ metric, currency }),
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
    {
      id: 'errors',
      header: 'Errors',
      align: 'right',
      value: (row) => row.errors,
      cell: (row) => formatNumber(row.errors),
    },
  ];
}
