import { Button, Checkbox, Menu, NumberInput, Select, TextInput } from '@mantine/core';
import {
  IconAlertCircle,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconGripVertical,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { type DocumentStep, type Experiment, STEPS_FORMAT } from '../../../../../shared/model/experiment.ts';
import { optionOf } from '../../../../../shared/model/factor.ts';
import { ACT_TITLES, isMeasured, mostSeconds, untilWords } from '../../../../../shared/model/step.ts';
import { formatCount, formatDuration, formatLevel } from '../../../../../shared/util/format.ts';
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

/** The steps of each trial in their order, and the form of the chosen one; none: it runs the workload once. */
export function TrialSteps({ experiment, state, edit, fields }: Properties) {
  const steps = experiment.steps ?? [];
  const [wanted, setWanted] = useState(0);
  const chosen = Math.min(wanted, steps.length - 1);
  const change = (next: readonly DocumentStep[], then = chosen): void => {
    edit((now) => withSteps(now, next));
    setWanted(Math.max(0, then));
  };
  const add = (kind: string): void => {
    const before = steps.length > 0 ? steps : [named([])];
    const step = named(before);
    change(
      [
        ...before,
        kind === SAME
          ? { ...step, same: before.at(-1)?.name ?? '' }
          : { ...step, ...ofKind(step, isAct(kind) ? kind : undefined) },
      ],
      before.length,
    );
  };
  const problemsOf = (place: number) => problemsBelow(state.checked?.problems ?? [], `steps.${place}`);
  const step = steps[chosen];
  return (
    <Fold
      title="Steps of a trial"
      note={steps.length === 0 ? 'none: it runs the workload once' : formatCount(steps.length, 'step')}
      open={steps.length > 0}
    >
      {step === undefined ? (
        <p className={classes.words}>
          With steps, each trial runs several loads one after the other: a suite of tests, or a load that fills the
          cache before the one that is measured.
        </p>
      ) : (
        <div className={classes.sides}>
          <Rail
            {...{ steps, chosen, experiment, problemsOf }}
            onChoose={setWanted}
            onMove={(from, to) => change(moved(steps, from, to), to)}
          />
          <Step
            key={chosen}
            {...{ step, place: chosen, experiment, fields }}
            problems={problemsOf(chosen)}
            onChange={(next) => change(replacedBy(steps, chosen, 1, next))}
            onMove={(by) => change(moved(steps, chosen, chosen + by), chosen + by)}
            onCopy={() =>
              change(replacedBy(steps, chosen + 1, 0, { ...step, name: freeName(steps, step.name) }), chosen + 1)
            }
            onRemove={() => change(replacedBy(steps, chosen, 1), Math.min(chosen, steps.length - 2))}
            isLast={chosen === steps.length - 1}
            earlier={steps.slice(0, chosen).flatMap(({ name, same }) => (same === undefined ? [name] : []))}
          />
        </div>
      )}
      <Menu position="bottom-start">
        <Menu.Target>
          <Button variant="default" leftSection={<IconPlus size={16} />} disabled={steps.length >= MOST}>
            Add a step
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {KINDS.map(({ value, label }) => (
            <Menu.Item key={value} onClick={() => add(value)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Fold>
  );
}

interface RailProperties {
  steps: readonly DocumentStep[];
  chosen: number;
  experiment: Experiment;
  problemsOf(place: number): Readonly<Record<string, string>>;
  onChoose(place: number): void;
  onMove(from: number, to: number): void;
}

/** All steps as one line each. They are dragged into another order, or moved with Alt and the arrow keys. */
function Rail({ steps, chosen, experiment, problemsOf, onChoose, onMove }: RailProperties) {
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const drop = (to: number): void => {
    if (dragged !== undefined && dragged !== to) onMove(dragged, to);
    setDragged(undefined);
    setOver(undefined);
  };
  const press = (event: KeyboardEvent, place: number): void => {
    const to = place + (event.altKey ? (MOVES[event.key] ?? 0) : 0);
    if (to === place || to < 0 || to >= steps.length) return;
    event.preventDefault();
    onMove(place, to);
  };
  return (
    <ol className={classes.rail} aria-label="Steps in their order">
      {steps.map((step, place) => {
        const source = steps.find(({ name }) => name === step.same) ?? step;
        const isWrong = Object.keys(problemsOf(place)).length > 0;
        return (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: its name changes while it is typed
            key={place}
            className={classes.line}
            draggable
            data-chosen={place === chosen || undefined}
            data-over={over === place ? (dragged !== undefined && dragged < place ? 'below' : 'above') : undefined}
            onDragStart={() => setDragged(place)}
            onDragEnd={() => drop(dragged ?? 0)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(place);
            }}
            onDrop={(event) => {
              event.preventDefault();
              drop(place);
            }}
          >
            <IconGripVertical size={14} className={classes.grip} aria-hidden />
            <button
              type="button"
              className={classes.pick}
              aria-current={place === chosen ? 'step' : undefined}
              aria-label={`Step ${place + 1}: ${step.name}${isWrong ? ', has a problem' : ''}`}
              onClick={() => onChoose(place)}
              onKeyDown={(event) => press(event, place)}
            >
              <span className={classes.title}>
                <span className={classes.number}>{place + 1}</span>
                <span className={classes.called}>{step.name}</span>
                <span className={classes.length}>{lengthWords(source, experiment)}</span>
              </span>
              <span className={classes.what}>
                {isWrong ? <IconAlertCircle size={14} className={classes.wrong} aria-hidden /> : null}
                {[
                  stepWords(step),
                  (step.measured ?? isMeasured(source)) ? [] : 'not measured',
                  source.gate === undefined ? [] : 'gate',
                ]
                  .flat()
                  .join(' · ')}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

const MOVES: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** The work of a step, on one line. */
function stepWords({ same, do: act, until, statement = '', command = '', options }: DocumentStep): string {
  if (same !== undefined) return `again: ${same}`;
  if (act === 'wait') return until ? `until ${untilWords(until)}` : ACT_TITLES.wait;
  const [first = '', ...more] = [statement].flat();
  if (act === 'statement')
    return `${first}${more.length > 0 ? ` and ${formatCount(more.length, 'more statement')}` : ''}`;
  if (act === 'run') return command;
  const set = Object.entries(options).map(([name, value]) => `${name} ${formatLevel(value)}`);
  return set.length === 0 ? 'options of the workload' : set.join(', ');
}

/** How long it takes; of a step that ends by itself, how long at most. */
function lengthWords(step: DocumentStep, { measure }: Experiment): string {
  if (step.do !== undefined) {
    const most = mostSeconds(step);
    return most > 0 ? `≤ ${formatDuration(most)}` : 'until done';
  }
  return formatDuration((step.warmup ?? measure.warmup) + (step.duration ?? measure.duration));
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

/** The form of one step. */
function Step({ step, place, isLast, earlier, experiment, fields, problems, ...on }: StepRowProperties) {
  const { measure } = experiment;
  const words = `step ${place + 1}`;
  const { same } = step;
  const source = experiment.steps?.find(({ name }) => name === same);
  const measured = step.measured ?? isMeasured(source ?? step);
  return (
    <section className={classes.step} aria-label={`Step ${place + 1}`}>
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
    </section>
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

function moved(steps: readonly DocumentStep[], from: number, to: number): DocumentStep[] {
  const rest = steps.filter((_, place) => place !== from);
  return [...rest.slice(0, to), ...steps.slice(from, from + 1), ...rest.slice(to)];
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
