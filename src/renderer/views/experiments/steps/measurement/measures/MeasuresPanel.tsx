import { Button, Modal, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { titleOf } from '../../../../../../shared/chart-models/index.ts';
import { KNOWN_METRICS, metricOf } from '../../../../../../shared/metrics/index.ts';
import { type DerivedMeasure, MOST_MEASURES } from '../../../../../../shared/model/derived.ts';
import { MeasureForm } from '../../../../../domain/measures/MeasureForm.tsx';
import { MeasureList } from '../../../../../domain/measures/Measures.tsx';
import { Fold } from '../../../../../ui/index.ts';
import { problemsBelow, type StepProperties } from '../../../document/steps.ts';
import classes from './measures.module.css';
import { choicesFor, problemsByPlace, withChanged, withMeasures, withPrimary } from './measures.ts';

/** Additional figures of each cell, and the choice of the primary metric. */
export function MeasuresPanel({ experiment, state, edit }: Pick<StepProperties, 'experiment' | 'state' | 'edit'>) {
  const { derived = [], primary } = experiment;
  /** null: a new one. */
  const [edited, setEdited] = useState<DerivedMeasure | null>();
  const problems = problemsByPlace(problemsBelow(state.checked?.problems ?? [], 'derived'));
  const close = (): void => setEdited(undefined);
  return (
    <Fold
      title="Measures"
      note={derived.length === 0 ? 'none' : derived.map(({ name }) => name).join(', ')}
      open={Object.keys(problems).length > 0}
    >
      <div className={classes.panel}>
        {derived.length === 0 ? (
          <p className={classes.words}>
            No measures yet. Add one to turn a counter, command output, a number in a table or a formula into a figure
            of each cell.
          </p>
        ) : (
          <MeasureList
            label="Measures"
            measures={derived}
            problems={problems}
            onEdit={setEdited}
            onRemove={(measure) =>
              edit((now) =>
                withMeasures(
                  now,
                  (now.derived ?? []).filter(({ name }) => name !== measure.name),
                ),
              )
            }
          />
        )}
        <div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            disabled={derived.length >= MOST_MEASURES}
            onClick={() => setEdited(null)}
          >
            Add a measure
          </Button>
        </div>
        <Select
          label="Shown first"
          description="In lists, results and reports."
          placeholder="Metric of the tool"
          w={320}
          clearable
          searchable
          data={[
            ...(derived.length > 0 ? [{ group: 'Measures', items: derived.map(({ name }) => name) }] : []),
            { group: 'Metrics', items: KNOWN_METRICS.map((id) => ({ value: id, label: titleOf(metricOf(id)) })) },
          ]}
          value={primary ?? null}
          error={state.checked?.problems.find(({ path }) => path === 'primary')?.message}
          onChange={(value) => edit((now) => withPrimary(now, value ?? undefined))}
        />
      </div>
      <Modal
        opened={edited !== undefined}
        onClose={close}
        title={edited ? `Measure ${edited.name}` : 'New measure'}
        size={640}
      >
        {edited === undefined ? null : (
          <MeasureForm
            initial={edited ?? {}}
            choices={choicesFor(experiment)}
            before={derived.slice(0, edited ? derived.indexOf(edited) : derived.length)}
            submit={edited ? 'Save' : 'Add'}
            onSubmit={(measure) => {
              edit((now) => {
                const own = (now.derived ?? []).find(({ name }) => name === edited?.name);
                return own ? withChanged(now, own, measure) : withMeasures(now, [...(now.derived ?? []), measure]);
              });
              close();
            }}
            onCancel={close}
          />
        )}
      </Modal>
    </Fold>
  );
}
