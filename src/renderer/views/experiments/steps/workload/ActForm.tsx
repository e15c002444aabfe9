import { Button, Group, Select, Textarea } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { DocumentStep } from '../../../../../shared/model/experiment.ts';
import { OptionForm } from '../../../../forms/index.ts';
import { IconAction } from '../../../../ui/index.ts';
import {
  begun,
  CONDITIONS,
  conditionOf,
  fieldsOf,
  isCondition,
  ownFields,
  ownValues,
  untilOf,
  valuesOf,
  withOwn,
} from './actFields.ts';
import classes from './trialSteps.module.css';

interface Properties {
  step: DocumentStep;
  /** The step as named in a sentence: “step 2”. */
  words: string;
  problems: Readonly<Record<string, string>>;
  onChange(step: DocumentStep): void;
}

/** The fields of a step that does not run the workload. */
export function ActForm(properties: Properties) {
  switch (properties.step.do) {
    case 'statement':
      return <StatementForm {...properties} />;
    case 'run':
      return <OwnForm {...properties} kind="run" />;
    default:
      return <WaitForm {...properties} />;
  }
}

const OwnForm = ({ step, problems, kind, onChange }: Properties & { kind: 'statement' | 'run' }) => (
  <>
    {problems[''] === undefined ? null : <p className={classes.problem}>{problems['']}</p>}
    <OptionForm
      fields={ownFields(kind)}
      values={ownValues(step, kind)}
      folded
      problems={problems}
      onChange={(values) => onChange(withOwn(step, kind, values))}
    />
  </>
);

/** Maximum of a document. */
const MOST_STATEMENTS = 100;

/** Statements in order, a field each. */
function StatementForm(properties: Properties) {
  const { step, words, problems, onChange } = properties;
  const all = [step.statement ?? ''].flat();
  const change = (next: readonly string[]): void =>
    onChange({ ...step, statement: next.length === 1 ? (next[0] ?? '') : [...next] });
  const title = (place: number): string => (all.length === 1 ? 'Statement' : `Statement ${place + 1}`);
  return (
    <>
      {all.map((statement, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its text changes while typing
        <Group key={place} align="end" wrap="nowrap">
          <Textarea
            className={classes.statement ?? ''}
            label={title(place)}
            aria-label={`${title(place)} of ${words}`}
            classNames={{ input: 'kp-mono' }}
            rows={3}
            value={statement}
            error={
              place === 0 ? (problems.statement ?? problems[`statement.${place}`]) : problems[`statement.${place}`]
            }
            onChange={(event) => change(all.map((each, at) => (at === place ? event.currentTarget.value : each)))}
          />
          {all.length > 1 ? (
            <IconAction
              label={`Remove statement ${place + 1} of ${words}`}
              onClick={() => change(all.filter((_, at) => at !== place))}
            >
              <IconTrash size={16} />
            </IconAction>
          ) : null}
        </Group>
      ))}
      <div>
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<IconPlus size={14} />}
          disabled={all.length >= MOST_STATEMENTS}
          onClick={() => change([...all, ''])}
        >
          Add a statement
        </Button>
      </div>
      <OwnForm {...properties} kind="statement" />
    </>
  );
}

/** The condition of a wait, and its consequence after a timeout. */
function WaitForm({ step, words, problems, onChange }: Properties) {
  const { until = {} } = step;
  const condition = conditionOf(until);
  return (
    <>
      <div className={classes.act}>
        <Select
          label="Until"
          aria-label={`Condition of ${words}`}
          data={CONDITIONS.map(({ value, label }) => ({ value, label }))}
          value={condition}
          allowDeselect={false}
          error={problems.until ?? problems['']}
          onChange={(chosen) => isCondition(chosen) && onChange({ ...step, until: begun(chosen) })}
        />
        <Select
          label="On timeout"
          aria-label={`When ${words} takes longer`}
          data={[
            { value: 'fail', label: 'the step fails, and the rest of the trial is skipped' },
            { value: 'measure', label: 'the trial continues, flagged' },
          ]}
          value={step.else ?? 'fail'}
          allowDeselect={false}
          error={problems.else}
          onChange={(chosen) => {
            const { else: _, ...rest } = step;
            onChange(chosen === 'measure' ? { ...rest, else: chosen } : rest);
          }}
        />
      </div>
      <OptionForm
        fields={fieldsOf(condition)}
        values={valuesOf(until)}
        folded
        problems={below(problems, 'until')}
        onChange={(values) => onChange({ ...step, until: untilOf(condition, values) })}
      />
    </>
  );
}

const below = (problems: Readonly<Record<string, string>>, part: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([path, message]) =>
      path.startsWith(`${part}.`) ? [[path.slice(part.length + 1), message]] : [],
    ),
  );
