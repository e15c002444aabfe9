import { useMemo } from 'react';
import { shareBars } from '../../../shared/chart-models/index.ts';
import { datedWords, errorWords, scaleWords } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { ValueScale } from '../../../shared/model/cost.ts';
import { formatLevels, formatMoney, formatValue } from '../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';
import { NotRanked } from '../../domain/index.ts';
import { BlockSkeleton, EmptyState, Panel, ProblemBanner } from '../../ui/index.ts';
import classes from './costs.module.css';
import { PricePanel } from './PricePanel.tsx';

/** The contract asks about at most this many sessions at once. */
const MOST_SESSIONS = 100;

/** Sessions that have a price, by what a unit of their work costs: the selected ones, else all; a scale for each metric and currency. */
export function ValueChart({ selected }: { selected: readonly number[] }) {
  const sessions = useCall('sessions.list', {});
  const priced = (sessions.data ?? []).filter((session) => session.costPerHour !== undefined);
  const chosen = priced.filter((session) => selected.includes(session.id));
  // One bar alone says nothing: a single session is shown among all the others.
  const shown = chosen.length > 1 ? chosen : priced;
  if (!sessions.data) return null;
  if (shown.length === 0) {
    return (
      <Panel title="Value for money">
        <EmptyState title="No session has a price yet">
          Assign prices to sessions; they are then ranked here by work per money, the best at 100 %.
        </EmptyState>
      </Panel>
    );
  }
  return <Scales ids={shown.map((session) => session.id)} />;
}

function Scales({ ids }: { ids: readonly number[] }) {
  const value = useCall('costs.valueForMoney', { sessionIds: ids.slice(0, MOST_SESSIONS) });
  if (value.error) return <ProblemBanner problem={value.error.problem} />;
  if (!value.data) return <BlockSkeleton height={200} />;
  const { scales, left } = value.data;
  return (
    <>
      {scales.map((scale) => (
        <div key={`${scale.metric} ${scale.currency}`} className={classes.value}>
          <Panel label={`Value for money, ${scaleWords(scale)}`}>
            <Bars scale={scale} />
          </Panel>
          <PricePanel scale={scale} />
        </div>
      ))}
      {scales.length > 1 && (
        <p className={classes.most}>
          Different metrics and currencies are on scales of their own: what one buys says nothing about the other.
        </p>
      )}
      <NotRanked left={left} />
    </>
  );
}

function Bars({ scale }: { scale: ValueScale }) {
  const theme = useChartTheme();
  const { rows, metric, currency } = scale;
  const [best] = rows;
  const model = useMemo(
    () =>
      shareBars(
        rows.map((row) => ({ name: row.name, value: row.operationsPerDollar })),
        { label: scaleWords({ metric, currency }), unit: `per ${currency}`, digits: 0 },
        theme,
      ),
    [rows, metric, currency, theme],
  );
  return (
    <Chart
      model={model}
      height={Math.max(320, 56 + 30 * rows.length)}
      zoomable
      title={scaleWords(scale)}
      note="best cell of each session, rate × 3600 / price per hour"
    >
      {best ? (
        <p className={classes.most}>
          Most for the money: {best.name}, {formatValue(best.rate, metricOf(metric))}
          {formatLevels(best.levels) ? ` (${formatLevels(best.levels)})` : ''} at {formatMoney(best.perHour, currency)}{' '}
          per hour{datedWords(best)}
          {errorWords(best)}.
        </p>
      ) : null}
    </Chart>
  );
}
