import { NumberInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { priceScatter } from '../../../shared/chart-models/index.ts';
import { datedWords, errorWords } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { ValueScale } from '../../../shared/model/cost.ts';
import { formatMoney, formatValue } from '../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../charts/index.ts';
import { Panel } from '../../ui/index.ts';

/** What each session did against what its system costs, and the cheapest one for a goal. */
export function PricePanel({ scale }: { scale: ValueScale }) {
  const theme = useChartTheme();
  const [goal, setGoal] = useState<number>();
  const metric = metricOf(scale.metric);
  const model = useMemo(() => priceScatter(scale.rows, metricOf(scale.metric), scale.currency, theme), [scale, theme]);
  return (
    <Panel label={`Price, ${metric.label}, ${scale.currency}`}>
      <Chart
        model={model}
        height={280}
        zoomable
        title={`${metric.label} against price`}
        note="best cell of each session"
      >
        <div className="kp-bar">
          <NumberInput
            aria-label={`Goal, ${metric.unit}`}
            placeholder={`Goal, ${metric.unit}`}
            w={140}
            min={0}
            hideControls
            thousandSeparator=","
            suffix={` ${metric.unit}`}
            value={goal ?? ''}
            onChange={(typed) => setGoal(typeof typed === 'number' ? typed : undefined)}
          />
          <span aria-live="polite">{goal === undefined ? '' : answerOf(scale, goal)}</span>
        </div>
      </Chart>
    </Panel>
  );
}

/** The cheapest session that reaches the goal, in a sentence. */
export function answerOf({ rows, metric: id, currency }: ValueScale, goal: number): string {
  const metric = metricOf(id);
  const reaching = rows.filter((row) => row.rate >= goal).sort((one, other) => one.perHour - other.perHour);
  const [cheapest] = reaching;
  if (cheapest) {
    return `Cheapest for that: ${cheapest.name}, ${formatValue(cheapest.rate, metric)} at ${formatMoney(cheapest.perHour, currency)} per hour${datedWords(cheapest)}${errorWords(cheapest)}.`;
  }
  const [fastest] = [...rows].sort((one, other) => other.rate - one.rate);
  return fastest ? `None reaches that; the most is ${formatValue(fastest.rate, metric)}, by ${fastest.name}.` : '';
}
