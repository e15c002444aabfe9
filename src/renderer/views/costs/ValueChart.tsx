import { useMemo } from 'react';
import { shareBars } from '../../../shared/chart-models/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { ValueForMoney } from '../../../shared/model/cost.ts';
import { formatLevels, formatMoney, formatValue } from '../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';
import { BlockSkeleton, EmptyState, Panel, ProblemBanner } from '../../ui/index.ts';
import classes from './costs.module.css';
import { PricePanel } from './PricePanel.tsx';

/** The contract asks about at most this many sessions at once. */
const MOST_SESSIONS = 100;

/** Sessions that have a price, by what a unit of their work costs: the selected ones, else all. */
export function ValueChart({ selected }: { selected: readonly number[] }) {
  const sessions = useCall('sessions.list', {});
  const priced = (sessions.data ?? []).filter((session) => session.costPerHour !== undefined);
  const chosen = priced.filter((session) => selected.includes(session.id));
  // One bar alone says nothing: a single session is shown among all the others.
  const shown = chosen.length > 1 ? chosen : priced;
  const groups = [...new Set(shown.map((session) => session.primaryMetric))];
  if (!sessions.data) return null;
  if (shown.length === 0) {
    return (
      <Panel title="Value for money">
        <EmptyState title="No session has a price yet">
          Give sessions the price of what they ran on; then they stand here by operations per dollar, the best at 100 %.
        </EmptyState>
      </Panel>
    );
  }
  return groups.map((metric) => (
    <OneMetric
      key={metric}
      metric={metric}
      ids={shown.filter((session) => session.primaryMetric === metric).map((session) => session.id)}
    />
  ));
}

function OneMetric({ metric, ids }: { metric: string; ids: readonly number[] }) {
  const value = useCall('costs.valueForMoney', { sessionIds: ids.slice(0, MOST_SESSIONS), metric });
  if (value.error) return <ProblemBanner problem={value.error.problem} />;
  if (!value.data) return <BlockSkeleton height={200} />;
  if (value.data.rows.length === 0) return null;
  return (
    <div className={classes.value}>
      <Panel label={`Value for money, ${metricOf(metric).label}`}>
        <Bars value={value.data} />
      </Panel>
      <PricePanel value={value.data} />
    </div>
  );
}

function Bars({ value }: { value: ValueForMoney }) {
  const theme = useChartTheme();
  const { label } = metricOf(value.metric);
  const best = value.rows[0];
  const model = useMemo(
    () =>
      shareBars(
        value.rows.map((row) => ({ name: row.name, value: row.operationsPerDollar })),
        { label: `${label} per ${value.currency}`, unit: `per ${value.currency}`, digits: 0 },
        theme,
      ),
    [value, label, theme],
  );
  return (
    <Chart
      model={model}
      height={Math.max(320, 56 + 30 * value.rows.length)}
      zoomable
      title={`${label} per ${value.currency}`}
      note="best cell of each session, rate × 3600 / price per hour"
    >
      {best ? (
        <p className={classes.most}>
          Most for the money: {best.name}, {formatValue(best.rate, metricOf(value.metric))}
          {formatLevels(best.levels) ? ` (${formatLevels(best.levels)})` : ''} at{' '}
          {formatMoney(best.perHour, value.currency)} per hour.
        </p>
      ) : null}
    </Chart>
  );
}
