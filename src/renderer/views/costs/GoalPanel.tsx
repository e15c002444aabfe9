import { NumberInput, Select } from '@mantine/core';
import { useSearchParams } from 'wouter';
import { type Goal, goalSentences, type Reaching } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Configuration, ValueScale } from '../../../shared/model/cost.ts';
import { Panel } from '../../ui/index.ts';
import classes from './costs.module.css';

const LATENCIES = ['latency_p95_ms', 'latency_p99_ms', 'latency_avg_ms', 'latency_max_ms'].map((value) => ({
  value,
  label: metricOf(value).label,
}));
const USUAL = 'latency_p99_ms';

/** The demand on the systems, in the address: it survives a reload, and a link has it. */
export function useGoal(): {
  goal: Goal | undefined;
  latency: string;
  setGoal(change: Partial<Record<Key, string>>): void;
} {
  const [parameters, setParameters] = useSearchParams();
  const number = (name: Key): number | undefined => {
    const value = Number(parameters.get(name) ?? Number.NaN);
    return value > 0 ? value : undefined;
  };
  const [rate, most] = [number('goal'), number('most')];
  const latency = parameters.get('latency') ?? USUAL;
  return {
    goal: rate === undefined ? undefined : { rate, ...(most !== undefined && { latency: { metric: latency, most } }) },
    latency,
    setGoal: (change) =>
      setParameters(
        (now) => {
          const next = new URLSearchParams(now);
          for (const [name, value] of Object.entries(change)) {
            if (value === '') next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { replace: true },
      ),
  };
}
type Key = 'goal' | 'latency' | 'most';

interface Properties extends ReturnType<typeof useGoal> {
  scale: ValueScale;
  systems: readonly Reaching[];
  configurations: readonly Configuration[];
}

/** The question first, then the cheapest that was measured to give it. */
export function GoalPanel({ goal, latency, setGoal, scale, systems, configurations }: Properties) {
  const { unit } = metricOf(scale.metric);
  const [answer, ...more] = goal ? goalSentences(systems, configurations, scale, goal) : [];
  return (
    <Panel label="Goal">
      <div className={classes.goal}>
        <span>At least</span>
        <NumberInput
          aria-label={`Goal, ${unit}`}
          placeholder={`5,000 ${unit}`}
          w={140}
          min={0}
          hideControls
          thousandSeparator=","
          suffix={` ${unit}`}
          value={goal?.rate ?? ''}
          onChange={(typed) => setGoal({ goal: typed === '' ? '' : String(typed) })}
        />
        <span>with</span>
        <Select
          aria-label="Latency of the goal"
          w={220}
          data={LATENCIES}
          allowDeselect={false}
          value={latency}
          onChange={(value) => value && setGoal({ latency: value })}
        />
        <span>of at most</span>
        <NumberInput
          aria-label="Highest latency, ms"
          placeholder="any"
          w={110}
          min={0}
          hideControls
          thousandSeparator=","
          suffix=" ms"
          value={goal?.latency?.most ?? ''}
          disabled={goal === undefined}
          onChange={(typed) => setGoal({ most: typed === '' ? '' : String(typed) })}
        />
      </div>
      <div aria-live="polite">
        {answer ? <p className={classes.goalAnswer}>{answer}</p> : null}
        {more.map((sentence) => (
          <p key={sentence} className="kp-small">
            {sentence}
          </p>
        ))}
      </div>
    </Panel>
  );
}
