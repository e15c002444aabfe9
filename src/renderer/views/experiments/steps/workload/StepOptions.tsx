import { Button, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Experiment } from '../../../../../shared/model/experiment.ts';
import { optionOf } from '../../../../../shared/model/factor.ts';
import { optionIn, type StepFactor } from '../../../../../shared/model/step.ts';
import { type Field, OptionForm } from '../../../../forms/index.ts';
import { IconAction } from '../../../../ui/index.ts';
import { gateFields, gateValues, withGate } from './actFields.ts';
import { dashed, type FormStep, groupedIn, replacedBy, scalarOf, withFactors } from './stepLines.ts';
import classes from './trialSteps.module.css';

interface PartProperties {
  step: FormStep;
  /** The step in labels: “step 4.1”. */
  words: string;
  problems: Readonly<Record<string, string>>;
  onChange(step: FormStep): void;
}

interface LoadProperties extends PartProperties {
  /** The experiment with the settings of the step's group. */
  experiment: Experiment;
  fields: readonly Field[];
  /** It runs at the same time as the others of its group. */
  isParallel: boolean;
}

/** The options that a step sets itself, and a field to set another one. */
export function LoadOptions({ step, words, experiment, fields, problems, isParallel, onChange }: LoadProperties) {
  const { factors, workload } = experiment;
  const set = dashed(fields, step.options);
  // Whether an option applies also depends on the workload's: set ones are always shown. They are too few for groups.
  const own = fields.flatMap(({ when: _, ...field }) =>
    Object.hasOwn(set, field.name) ? [{ ...field, group: '' }] : [],
  );
  const inTrial = step.factors ?? [];
  const varied = new Set([...factors.map(optionOf), ...inTrial.map(optionIn)]);
  const free = fields.filter(({ name }) => !Object.hasOwn(set, name) && !varied.has(name));
  const common = dashed(fields, workload.options);
  const usualOf = (name: string) => common[name] ?? free.find((each) => each.name === name)?.default ?? '';
  const setOption = (name: string): void => onChange({ ...step, options: { ...step.options, [name]: usualOf(name) } });
  return (
    <div className={classes.form}>
      {own.length > 0 ? (
        <OptionForm
          fields={own}
          values={set}
          folded
          problems={partProblems(problems, 'options')}
          onChange={(options) => onChange({ ...step, options })}
        />
      ) : null}
      <Select
        className={classes.set ?? ''}
        aria-label={`Set an option in ${words}`}
        placeholder={own.length === 0 ? 'Set an option: all come from the workload' : 'Set another option'}
        searchable
        value={null}
        data={free.map(({ name, title }) => ({ value: name, label: title === name ? name : `${title} (${name})` }))}
        onChange={(name) => name !== null && setOption(name)}
      />
      {inTrial.map((factor, place) => (
        <StepLevels
          key={factor.name}
          {...{ factor, words }}
          problem={Object.entries(problems).find(([path]) => `${path}.`.startsWith(`factors.${place}.`))?.[1]}
          onChange={(next) => onChange(withFactors(step, replacedBy(inTrial, place, 1, next)))}
          onRemove={() => onChange(withFactors(step, replacedBy(inTrial, place, 1)))}
        />
      ))}
      {step.do === undefined && !isParallel && !step.parallel ? (
        <Select
          className={classes.set ?? ''}
          aria-label={`Vary an option within ${words}`}
          placeholder="Vary an option within the trial"
          searchable
          value={null}
          data={free.map(({ name, title }) => ({ value: name, label: title === name ? name : `${title} (${name})` }))}
          onChange={(name) =>
            name !== null &&
            onChange(withFactors(step, [...inTrial, { name, levels: [scalarOf(String(usualOf(name)))] }]))
          }
        />
      ) : null}
    </div>
  );
}

interface LevelsProperties {
  factor: StepFactor;
  words: string;
  problem: string | undefined;
  onChange(factor: StepFactor): void;
  onRemove(): void;
}

/** The levels of an option; the step runs once for each of them. */
function StepLevels({ factor, words, problem, onChange, onRemove }: LevelsProperties) {
  const [text, setText] = useState(factor.levels.join(', '));
  return (
    <div className={classes.levels}>
      <TextInput
        label={`Levels of ${factor.name}`}
        aria-label={`Levels of ${factor.name} in ${words}`}
        description="Separated by commas; the step runs once for each, in this order."
        value={text}
        error={problem}
        onChange={(event) => {
          const next = event.currentTarget.value;
          setText(next);
          const levels = next.split(',').flatMap((level) => (level.trim() === '' ? [] : [scalarOf(level.trim())]));
          if (levels.length > 0) onChange({ ...factor, levels });
        }}
      />
      <IconAction label={`Do not vary ${factor.name} in ${words}`} onClick={onRemove}>
        <IconTrash size={16} />
      </IconAction>
    </div>
  );
}

/** Required figures: without them, the rest of the trial is skipped. `act`: action of the step, or of the one that it repeats. */
export function Gate({ step, act, words, problems, onChange }: PartProperties & { act: FormStep['do'] }) {
  const [open, setOpen] = useState(false);
  if (!open && step.gate === undefined)
    return (
      <div className={classes.form}>
        <div>
          <Button
            size="compact-xs"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            aria-label={`Add a gate to ${words}`}
            onClick={() => setOpen(true)}
          >
            Add a gate
          </Button>
        </div>
      </div>
    );
  return (
    <div className={classes.form}>
      <p className={classes.gate}>
        {groupedIn(step)
          ? 'After each step of the group: the rest of the trial is measured only if all of these are met.'
          : 'The rest of the trial is measured only if all of these are met.'}
      </p>
      {problems.gate === undefined ? null : <p className={classes.problem}>{problems.gate}</p>}
      <OptionForm
        fields={gateFields(act)}
        values={gateValues(step)}
        problems={partProblems(problems, 'gate')}
        onChange={(values) => onChange(withGate(step, values))}
      />
    </div>
  );
}

const partProblems = (problems: Readonly<Record<string, string>>, part: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([path, words]) =>
      path.startsWith(`${part}.`) ? [[path.slice(part.length + 1), words]] : [],
    ),
  );
