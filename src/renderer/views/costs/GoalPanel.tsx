import { Button, NumberInput, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { assumptionSentence, goalSentences, type Reaching } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Configuration, CostGoal, ValueScale } from '../../../shared/model/cost.ts';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import { ask, useLink } from '../../client/index.ts';
import { Panel, saveFile } from '../../ui/index.ts';
import classes from './costs.module.css';

const LATENCIES = ['latency_p95_ms', 'latency_p99_ms', 'latency_avg_ms', 'latency_max_ms'].map((value) => ({
  value,
  label: metricOf(value).label,
}));
const USUAL = 'latency_p99_ms';

/** The demand on the systems, stored in the address: it survives a reload, and links contain it. */
export function useGoal(): {
  goal: CostGoal | undefined;
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
  /** Sessions whose work is priced. */
  sessionIds: readonly number[];
}

/** The question first, then the cheapest measured system that meets it. */
export function GoalPanel({ goal, latency, setGoal, scale, systems, configurations, sessionIds }: Properties) {
  const { unit } = metricOf(scale.metric);
  const [answer, ...more] = goal ? goalSentences(systems, configurations, scale, goal) : [];
  const assumed = goal && assumptionSentence(systems);
  const file = useReport();
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
        {goal && systems.length > 0 ? (
          <Button
            ml="auto"
            variant="default"
            leftSection={<IconFileTypePdf size={16} />}
            loading={file.isPending}
            onClick={() =>
              file.mutate({ goal, metric: scale.metric, currency: scale.currency, sessionIds: [...sessionIds] })
            }
          >
            PDF report
          </Button>
        ) : null}
      </div>
      <div aria-live="polite">
        {assumed ? <p className="kp-small">{assumed}</p> : null}
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

/** Saves the answer as a file. */
function useReport() {
  const link = useLink();
  return useMutation<void, unknown, { goal: CostGoal; metric: string; currency: string; sessionIds: number[] }>({
    mutationFn: async (asked) => saveFile(await ask(link, 'reports.costGoal', asked)),
    onError: (thrown) =>
      notifications.show({
        color: 'red',
        title: 'The file was not created.',
        message: describeProblem(problemOf(thrown)),
      }),
  });
}
