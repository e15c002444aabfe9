import { Button, NumberInput, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconFileTypePdf } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { assumptionSentences, goalSentences } from '../../../shared/costs/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Configuration } from '../../../shared/model/cost.ts';
import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import { ask, useLink } from '../../client/index.ts';
import { showDownloaded } from '../../domain/index.ts';
import { Panel, saveFile } from '../../ui/index.ts';
import { measuredRows, sameThroughput } from './answer.ts';
import classes from './costs.module.css';
import { type Asked, NO_METRIC, type Work } from './work.ts';

/** The words before the field name it. */
const latencyChoice = (value: string) => ({ value, label: metricOf(value).label.replace(/^Latency, /, '') });

interface Properties {
  asked: Asked;
  work: Work;
  configurations: readonly Configuration[];
  /** Unit of the rate while nothing is priced. */
  rows: Parameters<typeof measuredRows>[0];
}

/** The question first, then its assumptions, then the cheapest system that meets it. */
export function GoalPanel({ asked, work, configurations, rows }: Properties) {
  const { goal, most, latency, latencies, setGoal } = asked;
  const { scale, systems, options } = work;
  const { unit } = metricOf(scale?.metric ?? NO_METRIC);
  const [opened] = useState(() => Date.now());
  const [answer, ...more] = goal && scale ? goalSentences(systems, configurations, scale, goal) : [];
  const assumed = assumptionSentences(
    systems.length > 0 ? systems : (scale?.rows ?? []).map((row) => ({ name: row.system, row })),
    opened,
  );
  const equal = scale && !goal && work.assumed ? sameThroughput(measuredRows(rows), scale) : '';
  const file = useReport();
  return (
    <Panel label="Goal">
      <div className={classes.goal}>
        <span>At least</span>
        <NumberInput
          aria-label={`Goal, ${unit}`}
          placeholder={`5,000 ${unit}`}
          w={108}
          min={0}
          hideControls
          thousandSeparator=","
          suffix={` ${unit}`}
          value={goal?.rate ?? ''}
          onChange={(typed) => setGoal({ goal: typed === '' ? '' : String(typed) })}
        />
        <span>with latency</span>
        <Select
          aria-label="Latency of the goal"
          w={136}
          data={latencies.map(latencyChoice)}
          allowDeselect={false}
          value={latency}
          onChange={(value) => value && setGoal({ latency: value })}
        />
        <span>of at most</span>
        <NumberInput
          aria-label="Highest latency, ms"
          placeholder="any"
          w={92}
          min={0}
          hideControls
          thousandSeparator=","
          suffix=" ms"
          value={most ?? ''}
          onChange={(typed) => setGoal({ most: typed === '' ? '' : String(typed) })}
        />
        <span>as measured in</span>
        <Select
          aria-label="Session to price"
          style={{ flex: '1 1 150px' }}
          allowDeselect={false}
          searchable
          placeholder={options.length > 0 ? 'Choose a session' : 'No measured session yet'}
          disabled={options.length === 0}
          data={options}
          value={work.choice ?? null}
          onChange={(next) => next && work.choose(next)}
        />
        {goal && scale && systems.length > 0 ? (
          <Button
            variant="default"
            leftSection={<IconFileTypePdf size={16} />}
            loading={file.isPending}
            onClick={() =>
              file.mutate({
                ...{ goal, metric: scale.metric, currency: scale.currency, sessionIds: [...work.ids] },
                ...(work.assumed && { assumed: [...work.assumed] }),
              })
            }
          >
            PDF report
          </Button>
        ) : null}
      </div>
      <div aria-live="polite">
        {assumed.map((sentence) => (
          <p key={sentence} className="kp-small">
            {sentence}
          </p>
        ))}
        {equal ? <p className="kp-small">{equal}</p> : null}
        <p className={classes.goalAnswer}>{answer ?? missingWords(work, configurations, goal !== undefined)}</p>
        {more.map((sentence) => (
          <p key={sentence} className="kp-small">
            {sentence}
          </p>
        ))}
      </div>
    </Panel>
  );
}

/** The next step to an answer. */
function missingWords({ choice }: Work, configurations: readonly Configuration[], hasGoal: boolean): string {
  if (configurations.length === 0 && choice === undefined) return 'Add the configurations to compare.';
  if (choice === undefined) return 'Choose the session whose throughput the configurations should reach.';
  if (configurations.length === 0 && /^\d+$/.test(choice)) return 'Add the configurations to compare.';
  return hasGoal ? '' : 'Enter the rate to see the cheapest configuration that reaches it.';
}

/** Saves the answer as a file. */
function useReport() {
  const link = useLink();
  return useMutation<void, unknown, Parameters<typeof ask<'reports.costGoal'>>[2]>({
    mutationFn: async (asked) => {
      const file = await ask(link, 'reports.costGoal', asked);
      saveFile(file);
      showDownloaded([file.fileName]);
    },
    onError: (thrown) =>
      notifications.show({
        color: 'red',
        title: 'The file was not created.',
        message: describeProblem(problemOf(thrown)),
      }),
  });
}
