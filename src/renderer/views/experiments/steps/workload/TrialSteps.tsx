import { Button, Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { type DocumentStep, type Experiment, STEPS_FORMAT } from '../../../../../shared/model/experiment.ts';
import { optionOf } from '../../../../../shared/model/factor.ts';
import { isMeasured, mostSeconds } from '../../../../../shared/model/step.ts';
import { formatCount } from '../../../../../shared/util/format.ts';
import { type Field, OptionForm } from '../../../../forms/index.ts';
import { Fold, IconAction } from '../../../../ui/index.ts';
import type { StepProperties } from '../../document/stepProperties.ts';
import { problemsBelow } from '../../document/steps.ts';
import { ActForm } from './ActForm.tsx';
import { gateFields, gateValues, isAct, KINDS, ofKind, SAME, withGate } from './actFields.ts';
import { dashed } from './dashed.ts';
import classes from './trialSteps.module.css';

/** As many as a document takes. */
const MOST = 60;

type Properties = Pick<StepProperties, 'experiment' | 'state' | 'edit'> & { fields: readonly Field[] };

/** The steps of each trial in their order; none: it runs the workload once. */
export function TrialSteps({ experiment, state, edit, fields }: Properties) {
  const steps = experiment.steps ?? [];
  const change = (next: readonly DocumentStep[]): void => edit((now) => withSteps(now, next));
  const add = (): void =>
    change([...(steps.length > 0 ? steps : [named([])]), named(steps.length > 0 ? steps : [named([])])]);
  return (
    <Fold
      title="Steps of a trial"
      note={steps.length === 0 ? 'none: it runs the workload once' : formatCount(steps.length, 'step')}
      open={steps.length > 0}
    >
      {steps.length === 0 ? (
        <p className={classes.words}>
          With steps, each trial runs several loads one after the other: a suite of tests, or a load that fills the
          cache before the one that is measured.
        </p>
      ) : (
        <ol className={classes.steps}>
          {steps.map((step, place) => (
            <Step
              // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed
              key={place}
              {...{ step, place, experiment, fields }}
              problems={problemsBelow(state.checked?.problems ?? [], `steps.${place}`)}
              onChange={(next) => change(replacedBy(steps, place, 1, next))}
              onMove={(by) => change(moved(steps, place, by))}
              onCopy={() => change(replacedBy(steps, place + 1, 0, { ...step, name: freeName(steps, step.name) }))}
              onRemove={() => change(replacedBy(steps, place, 1))}
              isLast={place === steps.length - 1}
              earlier={steps.slice(0, place).flatMap(({ name, same }) => (same === undefined ? [name] : []))}
            />
          ))}
        </ol>
      )}
      <Button variant="default" leftSection={<IconPlus size={16} />} disabled={steps.length >= MOST} onClick={add}>
        Add a step
      </Button>
    </Fold>
  );
}

interface StepRowProperties {
  step: DocumentStep;
  place: number;
  isLast: boolean;
  /** Names of steps that it can repeat. */
  earlier: readonly string[];
  experiment: Experiment;
  fields: readonly Field[];
  problems: Readonly<Record<string, string>>;
  onChange(step: DocumentStep): void;
  onMove(by: -1 | 1): void;
  onCopy(): void;
  onRemove(): void;
}

function Step({ step, place, isLast, earlier, experiment, fields, problems, ...on }: StepRowProperties) {
  const { measure } = experiment;
  const words = `step ${place + 1}`;
  const { same } = step;
  const source = experiment.steps?.find(({ name }) => name === same);
  const measured = step.measured ?? isMeasured(source ?? step);
  return (
    <li className={classes.step} data-prepares={measured ? undefined : true}>
      <div className={classes.head}>
        <span className={classes.number}>{place + 1}</span>
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
          label="Does"
          aria-label={`Kind of ${words}`}
          data={KINDS.filter(({ value }) => value !== SAME || same !== undefined || earlier.length > 0)}
          value={same === undefined ? (step.do ?? 'load') : SAME}
          allowDeselect={false}
          error={problems.do}
          onChange={(chosen) =>
            on.onChange(
              chosen === SAME
                ? { name: step.name, options: {}, same: earlier.at(-1) ?? '' }
                : ofKind(step, isAct(chosen) ? chosen : undefined),
            )
          }
        />
        {same !== undefined ? (
          <Select
            className={classes.kind ?? ''}
            label="Step"
            aria-label={`Step that ${words} repeats`}
            data={[...new Set([...earlier, same])]}
            value={same}
            allowDeselect={false}
            error={problems.same}
            onChange={(chosen) => chosen !== null && on.onChange({ ...step, same: chosen })}
          />
        ) : step.do === undefined ? (
          <>
            <Seconds
              label="Warm-up"
              words={words}
              value={step.warmup}
              usual={measure.warmup}
              onChange={(warmup) => on.onChange(withLength(step, { warmup }))}
            />
            <Seconds
              label="Duration"
              words={words}
              value={step.duration}
              usual={measure.duration}
              onChange={(duration) => on.onChange(withLength(step, { duration }))}
              problem={problems.duration}
            />
          </>
        ) : (
          <Seconds
            label="At most"
            words={words}
            value={step['at-most']}
            usual={mostSeconds({ do: step.do })}
            onChange={(most) => on.onChange(withMost(step, most))}
            problem={problems['at-most']}
          />
        )}
        <Checkbox
          className={classes.measured ?? ''}
          label="Measured"
          title="Not measured: it only brings the system into a state"
          checked={measured}
          onChange={(event) => on.onChange(withMeasured(step, event.currentTarget.checked))}
        />
        <div className={classes.actions}>
          <IconAction label={`Move step ${place + 1} up`} disabled={place === 0} onClick={() => on.onMove(-1)}>
            <IconArrowUp size={16} />
          </IconAction>
          <IconAction label={`Move step ${place + 1} down`} disabled={isLast} onClick={() => on.onMove(1)}>
            <IconArrowDown size={16} />
          </IconAction>
          <IconAction label={`Duplicate step ${place + 1}`} onClick={on.onCopy}>
            <IconCopy size={16} />
          </IconAction>
          <IconAction label={`Remove step ${place + 1}`} onClick={on.onRemove}>
            <IconTrash size={16} />
          </IconAction>
        </div>
      </div>
      {same !== undefined ? null : step.do === undefined ? (
        <LoadOptions {...{ step, place, experiment, fields, problems }} onChange={on.onChange} />
      ) : (
        <div className={classes.form}>
          <ActForm {...{ step, words, problems }} onChange={on.onChange} />
        </div>
      )}
      {same === undefined ? <Gate {...{ step, words, problems }} onChange={on.onChange} /> : null}
    </li>
  );
}

type GateProperties = Pick<StepRowProperties, 'step' | 'problems' | 'onChange'> & { words: string };

/** Figures without which the rest of the trial is skipped. */
function Gate({ step, words, problems, onChange }: GateProperties) {
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
      <p className={classes.gate}>The rest of the trial is measured only when all of these hold.</p>
      {problems.gate === undefined ? null : <p className={classes.problem}>{problems.gate}</p>}
      <OptionForm
        fields={gateFields(step)}
        values={gateValues(step)}
        problems={partProblems(problems, 'gate')}
        onChange={(values) => onChange(withGate(step, values))}
      />
    </div>
  );
}

type LoadProperties = Pick<StepRowProperties, 'step' | 'place' | 'experiment' | 'fields' | 'problems' | 'onChange'>;

/** The options that a step sets itself, and a field to set another one. */
function LoadOptions({ step, place, experiment: { factors, workload }, fields, problems, onChange }: LoadProperties) {
  const set = dashed(fields, step.options);
  // Whether an option applies is decided by those of the workload too: what is set is always shown. So few need no groups.
  const own = fields.flatMap(({ when: _, ...field }) =>
    Object.hasOwn(set, field.name) ? [{ ...field, group: '' }] : [],
  );
  const varied = new Set(factors.map(optionOf));
  const free = fields.filter(({ name }) => !Object.hasOwn(set, name) && !varied.has(name));
  const common = dashed(fields, workload.options);
  const setOption = (name: string): void => {
    const field = free.find((each) => each.name === name);
    const value = common[name] ?? field?.default;
    onChange({ ...step, options: { ...step.options, [name]: value ?? '' } });
  };
  return (
    <div className={classes.form}>
      {own.length > 0 ? (
        <OptionForm
          fields={own}
          values={set}
          folded
          problems={optionProblems(problems)}
          onChange={(options) => onChange({ ...step, options })}
        />
      ) : null}
      <Select
        className={classes.set ?? ''}
        aria-label={`Set an option in step ${place + 1}`}
        placeholder={own.length === 0 ? 'Set an option: all are those of the workload' : 'Set another option'}
        searchable
        value={null}
        data={free.map(({ name, title }) => ({ value: name, label: title === name ? name : `${title} (${name})` }))}
        onChange={(name) => name !== null && setOption(name)}
      />
    </div>
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

/** Undefined: as the measurement has it. */
function withLength(
  step: DocumentStep,
  change: { warmup?: number | undefined; duration?: number | undefined },
): DocumentStep {
  const { warmup, duration, ...rest } = { ...step, ...change };
  return { ...rest, ...(warmup !== undefined && { warmup }), ...(duration !== undefined && { duration }) };
}

function withMost(step: DocumentStep, most: number | undefined): DocumentStep {
  const { 'at-most': _, ...rest } = step;
  return { ...rest, ...(most !== undefined && { 'at-most': most }) };
}

/** Goes without saying where it is as for other steps of the kind. */
function withMeasured(step: DocumentStep, measured: boolean): DocumentStep {
  const { measured: _, ...rest } = step;
  return { ...rest, ...(measured !== isMeasured(rest) && { measured }) };
}

const optionProblems = (problems: Readonly<Record<string, string>>): Record<string, string> =>
  partProblems(problems, 'options');

const partProblems = (problems: Readonly<Record<string, string>>, part: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).flatMap(([path, words]) =>
      path.startsWith(`${part}.`) ? [[path.slice(part.length + 1), words]] : [],
    ),
  );

const named = (others: readonly DocumentStep[]): DocumentStep => ({
  name: freeName(others, 'step'),
  options: {},
});

/** `reads`, `reads 2`, … */
function freeName(others: readonly DocumentStep[], wanted: string): string {
  const base = wanted.replace(/ \d+$/, '');
  for (let number = base === 'step' ? 1 : 2; ; number += 1) {
    const name = `${base} ${number}`;
    if (others.every((other) => other.name !== name)) return name;
  }
}

function moved(steps: readonly DocumentStep[], place: number, by: -1 | 1): DocumentStep[] {
  const [one, other] = [steps[place], steps[place + by]];
  if (!one || !other) return [...steps];
  return steps.map((step, index) => (index === place ? other : index === place + by ? one : step));
}

/** With these steps in place of so many. */
const replacedBy = (
  steps: readonly DocumentStep[],
  place: number,
  count: number,
  ...others: DocumentStep[]
): DocumentStep[] => [...steps.slice(0, place), ...others, ...steps.slice(place + count)];

/** The format follows from whether there are steps. */
export function withSteps(experiment: Experiment, steps: readonly DocumentStep[]): Experiment {
  const { steps: _, ...rest } = experiment;
  return steps.length === 0 ? { ...rest, kneepoint: 1 } : { ...rest, kneepoint: STEPS_FORMAT, steps: [...steps] };
}
