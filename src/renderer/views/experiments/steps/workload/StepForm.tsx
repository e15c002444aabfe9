import { Button, Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import type { Experiment } from '../../../../../shared/model/experiment.ts';
import { isMeasured, mostSeconds, runsAlone, steadyWords, worksOnData } from '../../../../../shared/model/step.ts';
import type { Field } from '../../../../forms/index.ts';
import { IconAction } from '../../../../ui/index.ts';
import { ActForm } from './ActForm.tsx';
import { asKind, GROUP, isAct, KINDS, PARALLEL, SAME } from './actFields.ts';
import { Gate, LoadOptions } from './StepOptions.tsx';
import {
  type FormStep,
  groupedIn,
  MOST,
  type StepLine,
  USUAL_STEADY,
  withFrom,
  withLength,
  withMeasured,
  withMost,
  withNote,
  withSteady,
} from './stepLines.ts';
import classes from './trialSteps.module.css';

/** Maximum steps of a group of parallel steps. */
const MOST_PARALLEL = 20;

/** Possible kinds of a step at its place. */
const kindsFor = ({ isGrouped, isParallel, repeats }: Record<'isGrouped' | 'isParallel' | 'repeats', boolean>) =>
  KINDS.filter(({ value }) => {
    if (value === SAME) return repeats;
    if (value === GROUP || value === PARALLEL) return !isGrouped;
    return !isParallel || !isAct(value) || !runsAlone({ do: value });
  });

interface Properties {
  line: StepLine;
  /** The experiment with the settings of the step's group. */
  experiment: Experiment;
  /** It runs at the same time as the others of its group. */
  isParallel: boolean;
  /** Steps and groups that it can repeat. */
  earlier: readonly string[];
  fields: readonly Field[];
  problems: Readonly<Record<string, string>>;
  onChange(step: FormStep): void;
  onMove(by: -1 | 1): void;
  onCopy(): void;
  onRemove(): void;
  /** Adds a step to the group. */
  onAdd(): void;
}

/** The form of one step. */
export function StepForm({ line, experiment, isParallel, earlier, fields, problems, ...on }: Properties) {
  const { step, number, group } = line;
  const words = `step ${number}`;
  const { same, each, parallel } = step;
  const grouped = groupedIn(step);
  const source = experiment.steps?.find(({ name }) => name === same);
  const measured = step.measured ?? isMeasured(source ?? step);
  return (
    <section className={classes.step} aria-label={`Step ${number}`}>
      <div className={classes.head}>
        <TextInput
          className={classes.name ?? ''}
          label="Name"
          aria-label={`Name of ${words}`}
          value={step.name}
          maxLength={60}
          error={problems.name}
          onChange={(event) => on.onChange({ ...step, name: event.currentTarget.value })}
        />
        <Select
          className={classes.kind ?? ''}
          label="Action"
          aria-label={`Kind of ${words}`}
          data={kindsFor({
            isGrouped: group !== undefined,
            isParallel,
            repeats: same !== undefined || earlier.length > 0,
          })}
          value={same !== undefined ? SAME : parallel ? PARALLEL : each ? GROUP : (step.do ?? 'load')}
          allowDeselect={false}
          error={problems.do}
          onChange={(chosen) =>
            on.onChange({
              ...asKind(step, chosen, earlier.at(-1)),
              ...(step.from !== undefined && { from: step.from }),
            })
          }
        />
        <Times {...{ step, words, experiment, isParallel, earlier, problems }} onChange={on.onChange} />
        <Checkbox
          className={classes.measured ?? ''}
          label="Measured"
          title="Off: the step only prepares the state of the system"
          checked={measured}
          onChange={(event) => on.onChange(withMeasured(step, event.currentTarget.checked))}
        />
        {measured || isParallel || grouped || step.do !== undefined || same !== undefined ? null : (
          <Checkbox
            className={classes.measured ?? ''}
            label="Until steady"
            title={`Ends when the ${steadyWords(step.steady ?? USUAL_STEADY)}`}
            checked={step.steady !== undefined}
            error={problems.steady}
            onChange={(event) => on.onChange(withSteady(step, event.currentTarget.checked))}
          />
        )}
        <Actions {...{ line, words, isParallel, ...on }} />
      </div>
      {same === undefined && worksOnData(step) ? (
        <div className={classes.form}>
          <p className={classes.gate}>
            {step.do === 'prepare'
              ? 'Removes existing data and prepares it again: the preparation time is the figure. Nothing is prepared before the trial.'
              : 'Removes the data of the workload: the time this takes is the figure.'}
          </p>
        </div>
      ) : null}
      {same !== undefined ? null : step.do === undefined || worksOnData(step) ? (
        <LoadOptions {...{ step, words, experiment, fields, problems, isParallel }} onChange={on.onChange} />
      ) : (
        <div className={classes.form}>
          <ActForm {...{ step, words, problems }} onChange={on.onChange} />
        </div>
      )}
      <Gate {...{ step, act: (source ?? step).do, words, problems }} onChange={on.onChange} />
      {grouped ? null : (
        <div className={classes.form}>
          <TextInput
            label="Note"
            aria-label={`Note of ${words}`}
            description="Purpose of the step. Written to the log when the step starts."
            value={step.note ?? ''}
            maxLength={300}
            error={problems.note}
            onChange={(event) => on.onChange(withNote(step, event.currentTarget.value))}
          />
        </div>
      )}
      {problems[PARALLEL] === undefined ? null : <p className={classes.problem}>{problems[PARALLEL]}</p>}
      {grouped ? (
        <div className={classes.form}>
          <div>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              disabled={grouped.length >= (parallel ? MOST_PARALLEL : MOST)}
              onClick={on.onAdd}
            >
              Add a step to the group
            </Button>
          </div>
        </div>
      ) : null}
    </section>
  );
}

type TimesProperties = Pick<Properties, 'experiment' | 'isParallel' | 'earlier' | 'problems' | 'onChange'> & {
  step: FormStep;
  words: string;
};

/** The step that it repeats, or its times. */
function Times({ step, words, experiment: { measure }, isParallel, earlier, problems, onChange }: TimesProperties) {
  const { same } = step;
  return (
    <>
      {same !== undefined ? (
        <Select
          className={classes.kind ?? ''}
          label="Step"
          aria-label={`Step that ${words} repeats`}
          data={[...new Set([...earlier, same])]}
          value={same}
          allowDeselect={false}
          error={problems.same}
          onChange={(chosen) => chosen !== null && onChange({ ...step, same: chosen })}
        />
      ) : step.do === undefined ? (
        <>
          <Seconds
            label="Warm-up"
            words={words}
            value={step.warmup}
            usual={measure.warmup}
            onChange={(warmup) => onChange(withLength(step, { warmup }))}
          />
          <Seconds
            label={step.steady ? 'At most' : 'Duration'}
            words={words}
            value={step.duration}
            usual={measure.duration}
            onChange={(duration) => onChange(withLength(step, { duration }))}
            problem={problems.duration}
          />
        </>
      ) : step.for !== undefined ? null : (
        <Seconds
          label="At most"
          words={words}
          value={step['at-most']}
          usual={mostSeconds({ do: step.do })}
          onChange={(most) => onChange(withMost(step, most))}
          problem={problems['at-most']}
        />
      )}
      {isParallel ? (
        <Seconds
          label="Starts after"
          words={words}
          value={step.from}
          usual={0}
          onChange={(from) => onChange(withFrom(step, from))}
          problem={problems.from}
        />
      ) : null}
    </>
  );
}

interface SecondsProperties {
  label: string;
  words: string;
  value: number | undefined;
  /** The value of the measurement. */
  usual: number;
  problem?: string | undefined;
  onChange(value: number | undefined): void;
}

const Seconds = ({ label, words, value, usual, problem, onChange }: SecondsProperties) => (
  <NumberInput
    label={label}
    aria-label={`${label} of ${words}, seconds`}
    w={112}
    min={0}
    suffix=" s"
    placeholder={usual > 0 || label === 'Warm-up' ? `${usual} s` : 'no limit'}
    value={value ?? ''}
    error={problem}
    onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
  />
);

type ActionProperties = Pick<Properties, 'line' | 'isParallel' | 'onMove' | 'onCopy' | 'onRemove'> & { words: string };

function Actions({ line: { place, siblings, group }, words, isParallel, onMove, onCopy, onRemove }: ActionProperties) {
  return (
    <div className={classes.actions}>
      <IconAction label={`Move ${words} up`} disabled={place === 0} onClick={() => onMove(-1)}>
        <IconArrowUp size={16} />
      </IconAction>
      <IconAction label={`Move ${words} down`} disabled={place === siblings.length - 1} onClick={() => onMove(1)}>
        <IconArrowDown size={16} />
      </IconAction>
      <IconAction label={`Duplicate ${words}`} onClick={onCopy}>
        <IconCopy size={16} />
      </IconAction>
      <IconAction
        label={`Remove ${words}`}
        // A group has at least one step, and a parallel one two.
        disabled={group !== undefined && siblings.length <= (isParallel ? 2 : 1)}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </IconAction>
    </div>
  );
}
