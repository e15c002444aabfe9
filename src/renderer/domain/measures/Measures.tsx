import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconMathFunction, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { measuresOf } from '../../../shared/measures/index.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { useAction, useCall } from '../../client/index.ts';
import { IconAction } from '../../ui/index.ts';
import { sourceName } from '../lanes/lane-marks.ts';
import { definitionWords, seriesChoices } from './choices.ts';
import { MeasureForm } from './MeasureForm.tsx';
import classes from './measures.module.css';

interface Properties {
  detail: SessionDetail;
  /** Metrics of the session, including those of whole runs. */
  metrics: readonly string[];
  /** Prefilled fields of a measure; undefined: the dialog is closed. */
  initial: Partial<DerivedMeasure> | undefined;
  onClose(): void;
  /** Called when a measure was added or changed. */
  onMetric(metric: string): void;
}

/** Measures of a session: defines one, and changes and removes those added after its start. */
export const MeasuresDialog = ({ initial, onClose, ...rest }: Properties) => (
  <Modal opened={initial !== undefined} onClose={onClose} title="Measures" size={640}>
    {initial ? <Measures key={JSON.stringify(initial)} initial={initial} onClose={onClose} {...rest} /> : null}
  </Modal>
);

function Measures({ detail, metrics, initial, onClose, onMetric }: Properties & { initial: Partial<DerivedMeasure> }) {
  const { experiment, measures: added = [] } = detail;
  const { id } = detail.session;
  const own = experiment.derived ?? [];
  const [edited, setEdited] = useState<DerivedMeasure>();
  const sources = useCall('monitors.sources', { sessionId: id });
  const edit = useAction('sessions.edit');
  const remove = useAction('sessions.edit');
  const put = (measure: DerivedMeasure): void => {
    const next = edited ? added.map((each) => (each === edited ? measure : each)) : [...added, measure];
    edit.mutate(
      { id, measures: next },
      {
        onSuccess: () => {
          const named = [...measuresOf([...own, ...next]).values()].filter(({ name }) => name === measure.name);
          const metric = named.at(-1)?.id;
          if (metric !== undefined) onMetric(metric);
          onClose();
        },
      },
    );
  };
  return (
    <Stack gap="md">
      <MeasureForm
        key={edited?.name ?? ''}
        initial={edited ?? initial}
        choices={seriesChoices({ metrics, sources: sources.data ?? [], nameOf: sourceName }, experiment.monitors)}
        before={[...own, ...added.slice(0, edited ? added.indexOf(edited) : added.length)]}
        submit={edited ? 'Save' : 'Use as measure'}
        busy={edit.isPending}
        problem={edit.error?.problem}
        onSubmit={put}
        onCancel={edited ? () => setEdited(undefined) : onClose}
      />
      {own.length + added.length > 0 ? (
        <MeasureList
          label="Measures of this session"
          measures={[...own, ...added]}
          fixed={{ measures: own, words: 'in the document' }}
          onEdit={setEdited}
          onRemove={(measure) => remove.mutate({ id, measures: added.filter((each) => each !== measure) })}
        />
      ) : null}
      {remove.error ? <Text c="red">{remove.error.problem.message}</Text> : null}
    </Stack>
  );
}

/** Opens the measures of a session. */
export const MeasuresButton = ({ onClick }: { onClick(): void }) => (
  <Button variant="default" leftSection={<IconMathFunction size={16} />} onClick={onClick}>
    Measures
  </Button>
);

interface ListProperties {
  label: string;
  /** In order; each may use those before it. */
  measures: readonly DerivedMeasure[];
  /** Measures that cannot be changed here, with the reason. */
  fixed?: { readonly measures: readonly DerivedMeasure[]; readonly words: string };
  /** Why a measure cannot be calculated, by index. */
  problems?: Readonly<Record<number, string>>;
  onEdit(measure: DerivedMeasure): void;
  onRemove(measure: DerivedMeasure): void;
}

/** Measures with their definitions. */
export function MeasureList({ label, measures, fixed, problems = {}, onEdit, onRemove }: ListProperties) {
  const all = measuresOf(measures);
  return (
    <ul className={classes.list} aria-label={label}>
      {measures.map((measure, place) => (
        <li key={measure.name}>
          <div className={classes.line}>
            <span>{measure.name}</span>
            <code className="kp-mono kp-small">{definitionWords(all, measure.name) || measure.is}</code>
            {problems[place] === undefined ? null : (
              <Text size="xs" c="var(--mantine-color-error)">
                {problems[place]}
              </Text>
            )}
          </div>
          {fixed?.measures.includes(measure) ? (
            <Text size="xs" c="dimmed">
              {fixed.words}
            </Text>
          ) : (
            <Group gap={2} wrap="nowrap">
              <IconAction label={`Edit ${measure.name}`} onClick={() => onEdit(measure)}>
                <IconPencil size={15} />
              </IconAction>
              <IconAction label={`Remove ${measure.name}`} onClick={() => onRemove(measure)}>
                <IconTrash size={15} />
              </IconAction>
            </Group>
          )}
        </li>
      ))}
    </ul>
  );
}
