import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { metricOf } from '../../../../../../shared/metrics/index.ts';
import { type ChartChoice, MOST_CHARTS } from '../../../../../../shared/model/chart.ts';
import { namedLevels } from '../../../../../../shared/model/factor.ts';
import { useCall } from '../../../../../client/index.ts';
import { ChartForm } from '../../../../../domain/charts/ChartForm.tsx';
import { choiceOf, draftOf, isComplete, KINDS } from '../../../../../domain/charts/draft.ts';
import { Fold, IconAction } from '../../../../../ui/index.ts';
import { problemsBelow, type StepProperties } from '../../../document/steps.ts';
import { problemsByPlace } from '../measures/measures.ts';
import { replaced } from '../monitors/monitors.ts';
import classes from './charts.module.css';
import { metricIn, metricsOf, titleIn, withCharts } from './charts.ts';

type Properties = Pick<StepProperties, 'experiment' | 'state' | 'tools' | 'edit'>;

/** A chart with its index in the document. */
interface Edited {
  choice: ChartChoice;
  /** Absent: it is new. */
  place?: number;
}

/** Charts of the results in addition to the standard ones. */
export function ChartsPanel({ experiment, state, tools, edit }: Properties) {
  const { charts = [] } = experiment;
  const [edited, setEdited] = useState<Edited>();
  const problems = problemsByPlace(problemsBelow(state.checked?.problems ?? [], 'charts'));
  const close = (): void => setEdited(undefined);
  const title = (choice: ChartChoice): string => titleIn(choice, experiment, tools);
  const put = (place: number | undefined, next: ChartChoice | undefined): void =>
    edit((now) => {
      const all = now.charts ?? [];
      return withCharts(now, place === undefined ? [...all, ...(next ? [next] : [])] : replaced(all, place, next));
    });
  return (
    <Fold
      title="Charts"
      note={charts.length === 0 ? 'none' : charts.map(title).join(', ')}
      open={Object.keys(problems).length > 0}
    >
      <div className={classes.panel}>
        {charts.length === 0 ? (
          <p className={classes.words}>
            No charts yet. Results draw a curve, a timeline, boxes and percentiles of every session. Add a chart to draw
            every second, a density or a histogram, or a curve along another factor.
          </p>
        ) : (
          <ul className={classes.list} aria-label="Charts">
            {charts.map((choice, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be equal, and differ only by index
              <li key={place}>
                <div className={classes.line}>
                  <span>{title(choice)}</span>
                  <span className="kp-small">{KINDS.find(({ value }) => value === choice.kind)?.label}</span>
                  {problems[place] === undefined ? null : (
                    <Text size="xs" c="var(--mantine-color-error)">
                      {problems[place]}
                    </Text>
                  )}
                </div>
                <Group gap={2} wrap="nowrap">
                  <IconAction label={`Edit ${title(choice)}`} onClick={() => setEdited({ choice, place })}>
                    <IconPencil size={15} />
                  </IconAction>
                  <IconAction label={`Remove ${title(choice)}`} onClick={() => put(place, undefined)}>
                    <IconTrash size={15} />
                  </IconAction>
                </Group>
              </li>
            ))}
          </ul>
        )}
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            disabled={charts.length >= MOST_CHARTS}
            onClick={() => setEdited({ choice: { kind: 'dots' } })}
          >
            Add a chart
          </Button>
        </div>
      </div>
      <Modal
        opened={edited !== undefined}
        onClose={close}
        title={edited?.place === undefined ? 'New chart' : `Chart ${title(edited.choice)}`}
        size={720}
      >
        {edited === undefined ? null : (
          <EditedChart
            {...{ experiment, tools }}
            edited={edited}
            onSubmit={(choice) => {
              put(edited.place, choice);
              close();
            }}
            onCancel={close}
          />
        )}
      </Modal>
    </Fold>
  );
}

interface EditedProperties extends Pick<Properties, 'experiment' | 'tools'> {
  edited: Edited;
  onSubmit(choice: ChartChoice): void;
  onCancel(): void;
}

function EditedChart({ experiment, tools, edited, onSubmit, onCancel }: EditedProperties) {
  const [draft, setDraft] = useState(() => draftOf(edited.choice));
  const sessions = useCall('sessions.list', {});
  const { title: _, ...untitled } = choiceOf(draft);
  const metric = metricIn(untitled, experiment, tools);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete(draft)) onSubmit(choiceOf(draft));
      }}
    >
      <Stack gap="md">
        <ChartForm
          draft={draft}
          onChange={setDraft}
          metrics={metricsOf(experiment)}
          factors={namedLevels(experiment.factors)}
          title={titleIn(untitled, experiment, tools)}
          unit={metric === undefined ? undefined : metricOf(metric).unit}
          sessions={sessions.data?.filter(({ damaged }) => !damaged)}
        />
        <Group justify="flex-end">
          <Button variant="subtle" color="gray" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isComplete(draft)}>
            {edited.place === undefined ? 'Add' : 'Save'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
