import { Button, Modal, Stack, Text } from '@mantine/core';
import { IconMathFunction } from '@tabler/icons-react';
import { useState } from 'react';
import { measuresOf } from '../../../shared/measures/index.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import { useAction, useCall } from '../../client/index.ts';
import { sourceName } from '../lanes/index.ts';
import { seriesChoices } from './choices.ts';
import { MeasureForm } from './MeasureForm.tsx';
import { MeasureList } from './MeasureList.tsx';

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
