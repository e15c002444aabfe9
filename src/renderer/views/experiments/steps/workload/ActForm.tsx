import { Select } from '@mantine/core';
import type { DocumentStep } from '../../../../../shared/model/experiment.ts';
import { OptionForm } from '../../../../forms/index.ts';
import { begun, CONDITIONS, conditionOf, fieldsOf, isCondition, untilOf, valuesOf } from './actFields.ts';
import classes from './trialSteps.module.css';

interface Properties {
  step: DocumentStep;
  /** The step as a sentence names it: “step 2”. */
  words: string;
  problems: Readonly<Record<string, string>>;
  onChange(step: DocumentStep): void;
}

/** The fields of a step that does not run the workload. */
export function ActForm({ step, words, problems, onChange }: Properties) {
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
          label="When it takes longer"
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
