import { useMemo } from 'react';
import { costBars, priceScatter } from '../../../shared/chart-models/index.ts';
import { lotWords, type Reaching, type SideRow, scaleWords } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import { boundTitle, LOAD_VERDICTS } from '../../../shared/model/analysis.ts';
import type { ValueRow, ValueScale } from '../../../shared/model/cost.ts';
import { caveatWords, markOf, warningsOf } from '../../../shared/model/figure.ts';
import { formatLevels, formatMoney, formatNumber, formatValue } from '../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../charts/index.ts';
import { Panel } from '../../ui/index.ts';
import { cheapestOf, measuredRows } from './answer.ts';
import classes from './costs.module.css';

/** Maximum number of useful bars; the table has all. */
const MOST_BARS = 30;

interface Properties {
  rows: readonly SideRow[];
  scale: ValueScale;
  /** All have the same throughput, so a chart against the price is pointless. */
  isAssumed: boolean;
  /** Some configurations were not measured. */
  isPart: boolean;
  /** The required rate, a line in the chart, and the systems, each by the cell that serves it best. */
  goal: { rate: number; systems: readonly Reaching[] } | undefined;
}

/** Costs of work, and what each price buys. */
export const CostCharts = ({ rows, scale, isAssumed, isPart, goal }: Properties) => {
  const measured = useMemo(() => measuredRows(rows), [rows]);
  return (
    <div className={classes.value}>
      <Panel label={lotWords(scale)}>
        <Bars rows={measured} {...{ scale, isAssumed, isPart }} />
      </Panel>
      {(!isAssumed || goal) && (
        <Panel label={`${metricOf(scale.metric).label} against price`}>
          <Scatter rows={measured} scale={scale} goal={goal} />
        </Panel>
      )}
    </div>
  );
};

const boundBy = ({ bound }: ValueRow): string =>
  bound === undefined
    ? 'unknown'
    : `${boundTitle(bound.verdict)}${LOAD_VERDICTS.includes(bound.verdict) ? ', not the system under test' : ''}`;

interface ChartProperties {
  rows: ReturnType<typeof measuredRows>;
  scale: ValueScale;
}

function Bars({ rows: all, scale, isAssumed, isPart }: ChartProperties & Pick<Properties, 'isAssumed' | 'isPart'>) {
  const theme = useChartTheme();
  const rows = useMemo(() => all.slice(0, MOST_BARS), [all]);
  const { metric, currency } = scale;
  const model = useMemo(
    () =>
      costBars(
        rows.map(({ title, perLot, perHour, work }) => ({
          name: title,
          value: perLot,
          note: caveatWords('chart', work) || undefined,
          details: [
            [scaleWords({ metric, currency }), formatNumber(work.operationsPerDollar)],
            [metricOf(metric).label, formatValue(work.rate, metricOf(metric))],
            ['Cell', formatLevels(work.levels) || 'the only cell'],
            [`Price per hour (${currency})`, formatMoney(perHour, currency)],
            ['Bottleneck', boundBy(work)],
          ],
        })),
        { label: lotWords({ metric, currency }), currency },
        theme,
      ),
    [rows, metric, currency, theme],
  );
  return (
    <Chart
      model={model}
      height={Math.max(280, 60 + 46 * rows.length)}
      title={lotWords(scale)}
      note={all.length > rows.length && `the cheapest ${rows.length} of ${all.length}`}
    >
      <p className={classes.most}>{isAssumed ? '' : cheapestOf(rows, scale, isPart)}</p>
    </Chart>
  );
}

function Scatter({ rows, scale, goal }: ChartProperties & Pick<Properties, 'goal'>) {
  const theme = useChartTheme();
  const metric = metricOf(scale.metric);
  const model = useMemo(
    () =>
      priceScatter(
        goal
          ? goal.systems.map(({ name, reach, row }) => ({
              ...{ name, reach, perHour: row.perHour, rate: row.rate, boundBy: boundBy(row) },
            }))
          : rows.map(({ title, perHour, work }) => ({
              ...{ name: title, perHour, rate: work.rate },
              ...{ boundBy: boundBy(work), warning: warningsOf(work).map(markOf)[0] },
            })),
        metricOf(scale.metric),
        scale.currency,
        theme,
        goal?.rate,
      ),
    [rows, scale, theme, goal],
  );
  return <Chart model={model} height={280} zoomable title={`${metric.label} against price`} />;
}
