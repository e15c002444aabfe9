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
import {
  type DocumentStep,
  type Experiment,
  type Scalar,
  STEPS_FORMAT,
} from '../../../../../shared/model/experiment.ts';
import { optionOf } from '../../../../../shared/model/factor.ts';
import {
  ACT_TITLES,
  isMeasured,
  mostSeconds,
  optionIn,
  runsAlone,
  SteadyWhen,
  type StepFactor,
  steadyWords,
  untilWords,
  wholeSteps,
  worksOnData,
} from '../../../../../shared/model/step.ts';
import { formatCount, formatDuration, plainLevel } from '../../../../../shared/util/format.ts';
import { sum } from '../../../../../shared/util/numbers.ts';
import { type Field, OptionForm } from '../../../../forms/index.ts';
import { Fold, IconAction } from '../../../../ui/index.ts';
import { problemsBelow, type StepProperties } from '../../document/steps.ts';
import { ActForm } from './ActForm.tsx';
import {
  asGroup,
  asParallel,
  GROUP,
  gateFields,
  gateValues,
  isAct,
  KINDS,
  ofKind,
  PARALLEL,
  SAME,
  withGate,
} from './actFields.ts';
import { dashed, type FormStep, groupedIn, linesOf, type StepLine, withGrouped, withSiblings } from './stepLines.ts';
import classes from './trialSteps.module.css';

/** Maximum steps of a document or group, and of a group of parallel steps. */
const MOST = 60;
const MOST_PARALLEL = 20;

type Properties = Pick<StepProperties, 'experiment' | 'state' | 'edit'> & { fields: readonly Field[] };

/** The steps of each trial in order, and the form of the selected one; without steps, it runs the workload once. */
export function TrialSteps({ experiment, state, edit, fields }: Properties) {
  const steps = experiment.steps ?? [];
  const lines = linesOf(steps);
  const [wanted, setWanted] = useState<Wanted>({ place: 0 });
  const line = lines.find(({ place, group }) => place === wanted.place && group === wanted.group) ?? lines.at(-1);
  const change = (next: readonly DocumentStep[], then: Wanted): void => {
    edit((now) => withSteps(now, next));
    setWanted(then);
  };
  /** `to`: index that is selected afterwards among the siblings of the line. */
  const changeIn = (own: StepLine, siblings: readonly FormStep[], to = own.place): void =>
    change(withSiblings(steps, own, siblings), { ...own, place: Math.max(0, to) });
  const add = (kind: string): void => {
    const before = steps.length > 0 ? steps : [named([])];
    const step = named(before);
    const added =
      kind === SAME
        ? { ...step, same: before.at(-1)?.name ?? '' }
        : kind === GROUP
          ? asGroup(step)
          : kind === PARALLEL
            ? asParallel(step)
            : { ...step, ...ofKind(step, isAct(kind) ? kind : undefined) };
    change([...before, added], { place: before.length });
  };
  const problemsOf = (path: string) => problemsBelow(state.checked?.problems ?? [], path);
  return (
    <Fold
      title="Steps of a trial"
      note={
        steps.length === 0 ? 'none: each trial runs the workload once' : formatCount(wholeSteps(steps).length, 'step')
      }
      open={steps.length > 0}
    >
      {line === undefined ? (
        <p className={classes.words}>
          With steps, each trial runs several loads one after the other, or at the same time: a suite of tests, a load
          that fills the cache before the measured one, or a report during transactions.
        </p>
      ) : (
        <div className={classes.sides}>
          <Rail
            {...{ lines, chosen: line, experiment, problemsOf }}
            onChoose={setWanted}
            onMove={(own, to) => changeIn(own, moved(own.siblings, own.place, to), to)}
          />
          <Step
            key={line.path}
            {...{ line, fields }}
            experiment={withSettings(experiment, steps[line.group ?? -1], fields)}
            isParallel={steps[line.group ?? -1]?.parallel !== undefined}
            earlier={earlierOf(line, steps)}
            problems={problemsOf(line.path)}
            onChange={(next) => changeIn(line, replacedBy(line.siblings, line.place, 1, next))}
            onMove={(by) => changeIn(line, moved(line.siblings, line.place, line.place + by), line.place + by)}
            onCopy={() => {
              const copy = { ...line.step, name: freeName(line.siblings, line.step.name) };
              changeIn(line, replacedBy(line.siblings, line.place + 1, 0, copy), line.place + 1);
            }}
            onRemove={() =>
              changeIn(line, replacedBy(line.siblings, line.place, 1), Math.min(line.place, line.siblings.length - 2))
            }
            onAdd={() => {
              const grouped = groupedIn(line.step) ?? [];
              const group = withGrouped(line.step, [...grouped, named(grouped)]);
              change(replacedBy(steps, line.place, 1, group), { group: line.place, place: grouped.length });
            }}
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

type Wanted = Pick<StepLine, 'place' | 'group'>;

/** The experiment as it applies to the steps of a group. */
function withSettings(experiment: Experiment, group: DocumentStep | undefined, fields: readonly Field[]): Experiment {
  if (!group) return experiment;
  const { workload, measure } = experiment;
  const { options, warmup = measure.warmup, duration = measure.duration } = group;
  return {
    ...experiment,
    workload: { ...workload, options: { ...dashed(fields, workload.options), ...dashed(fields, options) } },
    measure: { ...measure, warmup, duration },
  };
}

interface RailProperties {
  lines: readonly StepLine[];
  chosen: StepLine;
  experiment: Experiment;
  problemsOf(path: string): Readonly<Record<string, string>>;
  onChoose(line: StepLine): void;
  onMove(line: StepLine, to: number): void;
}

/**
 * All steps as one line each. They are moved by dragging, or with Alt and the arrow keys: those of a group within it, and a group as a
 * whole.
 */
function Rail({ lines, chosen, experiment, problemsOf, onChoose, onMove }: RailProperties) {
  const [dragged, setDragged] = useState<StepLine>();
  const [over, setOver] = useState<StepLine>();
  /** The index that the dragged line would get over another one; undefined if it cannot be dropped. */
  const placeOver = (line: StepLine): number | undefined =>
    dragged?.group === line.group ? line.place : dragged?.group === undefined ? line.group : undefined;
  const drop = (line: StepLine | undefined): void => {
    const to = line && placeOver(line);
    if (dragged && to !== undefined && to !== dragged.place) onMove(dragged, to);
    setDragged(undefined);
    setOver(undefined);
  };
  const press = (event: KeyboardEvent, line: StepLine): void => {
    const to = line.place + (event.altKey ? (MOVES[event.key] ?? 0) : 0);
    if (to === line.place || to < 0 || to >= line.siblings.length) return;
    event.preventDefault();
    onMove(line, to);
  };
  const overTo = over && placeOver(over);
  return (
    <ol className={classes.rail} aria-label="Steps in their order">
      {lines.map((line) => {
        const { step, number, path, group } = line;
        const top = lines.filter((each) => each.group === undefined);
        const source = top.find(({ step: { name } }) => name === step.same)?.step ?? step;
        const inGroup = top.find(({ place }) => place === group)?.step;
        const isWrong = Object.keys(problemsOf(path)).some((below) => !/^(?:each|parallel)\.\d/.test(below));
        const isOver = over?.path === path && overTo !== undefined && dragged !== undefined;
        const measured = inGroup?.measured !== false && (step.measured ?? isMeasured(source));
        return (
          <li
            key={path}
            className={classes.line}
            draggable
            data-in-group={group === undefined ? undefined : true}
            data-chosen={path === chosen.path || undefined}
            data-over={isOver ? (dragged.place < overTo ? 'below' : 'above') : undefined}
            onDragStart={() => setDragged(line)}
            onDragEnd={() => drop(undefined)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(line);
            }}
            onDrop={(event) => {
              event.preventDefault();
              drop(line);
            }}
          >
            <IconGripVertical size={14} className={classes.grip} aria-hidden />
            <button
              type="button"
              className={classes.pick}
              aria-current={path === chosen.path ? 'step' : undefined}
              aria-label={`Step ${number}: ${step.name}${isWrong ? ', has a problem' : ''}`}
              onClick={() => onChoose(line)}
              onKeyDown={(event) => press(event, line)}
            >
              <span className={classes.title}>
                <span className={classes.number}>{number}</span>
                <span className={classes.called}>{step.name}</span>
                <span className={classes.length}>{lengthWords(source, inGroup, experiment)}</span>
              </span>
              <span className={classes.what}>
                {isWrong ? <IconAlertCircle size={14} className={classes.wrong} aria-hidden /> : null}
                {[
                  stepWords(step, inGroup),
                  step.from ? `from ${formatDuration(step.from)}` : [],
                  measured ? [] : 'not measured',
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

/** The work of a step, in one line. */
function stepWords(step: DocumentStep, group: DocumentStep | undefined): string {
  const { same, parallel, do: act, until, statement = '', command = '', options, factors = [] } = step;
  const grouped = groupedIn(step);
  if (same !== undefined) return group?.parallel ? `as ${same}, which ran alone` : `again: ${same}`;
  if (act === 'wait') return until ? `until ${untilWords(until)}` : ACT_TITLES.wait;
  const [first = '', ...more] = [statement].flat();
  if (act === 'statement')
    return `${first}${more.length > 0 ? ` and ${formatCount(more.length, 'more statement')}` : ''}`;
  if (act === 'run') return command;
  const set = [
    ...(step.steady ? [`until the ${steadyWords(step.steady)}`] : []),
    ...Object.entries(options).map(([name, value]) => `${name} ${plainLevel(value)}`),
    ...factors.map(({ name, levels }) => `${name} ${levels.map(plainLevel).join(', ')}`),
  ];
  if (act !== undefined) return [ACT_TITLES[act], ...set].join(', ');
  if (grouped)
    return [`${formatCount(grouped.length, 'step')}${parallel ? ' at the same time' : ''}`, ...set].join(', ');
  return set.length === 0 ? `options of the ${group ? 'group' : 'workload'}` : set.join(', ');
}

/** Its duration; for a step that ends by itself, its maximum; for a group, the duration of its loads. */
function lengthWords(step: FormStep, group: DocumentStep | undefined, { measure }: Experiment): string {
  if (step.do !== undefined) {
    if (step.for !== undefined) return formatDuration(step.for);
    const most = mostSeconds(step);
    return most > 0 ? `≤ ${formatDuration(most)}` : 'until done';
  }
  if (step.steady) return `≤ ${formatDuration((step.warmup ?? 0) + (step.duration ?? 0))}`;
  const secondsOf = (own: DocumentStep, above: DocumentStep | undefined): number =>
    ((own.warmup ?? above?.warmup ?? measure.warmup) + (own.duration ?? above?.duration ?? measure.duration)) *
    [...(own.factors ?? []), ...(above?.factors ?? [])].reduce((times, { levels }) => times * levels.length, 1);
  const loads = groupedIn(step)?.filter((own) => own.do === undefined);
  if (loads?.length === 0) return 'until done';
  if (!loads) {
    // A load that starts later ends with its group.
    const ends = (group?.parallel ?? []).flatMap((own) =>
      own.do === undefined && !own.from && step.from ? [secondsOf(own, group) - step.from] : [],
    );
    return formatDuration(
      Math.max(0, Math.min(secondsOf(step, group), ends.length > 0 ? Math.max(...ends) : Infinity)),
    );
  }
  const seconds = loads.map((own) => secondsOf(own, step));
  return formatDuration(step.parallel ? Math.max(...seconds) : sum(seconds));
}

/**
 * Names that a line can repeat: earlier steps and groups that repeat none; in a group, only parallel steps can, and only single steps
 * before the group.
 */
function earlierOf({ group, place }: StepLine, steps: readonly DocumentStep[]): string[] {
  if (group === undefined) return steps.slice(0, place).flatMap(({ name, same }) => (same === undefined ? [name] : []));
  if (!steps[group]?.parallel) return [];
  return wholeSteps(steps.slice(0, group)).flatMap(({ name, do: act }) => (runsAlone({ do: act }) ? [] : [name]));
}

/** Possible kinds of a step at its place. */
const kindsFor = ({ isGrouped, isParallel, repeats }: Record<'isGrouped' | 'isParallel' | 'repeats', boolean>) =>
  KINDS.filter(({ value }) => {
    if (value === SAME) return repeats;
    if (value === GROUP || value === PARALLEL) return !isGrouped;
    return !isParallel || !isAct(value) || !runsAlone({ do: value });
  });

interface StepRowProperties {
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
function Step({ line, experiment, isParallel, earlier, fields, problems, ...on }: StepRowProperties) {
  const { measure } = experiment;
  const { step, number, place, siblings, group } = line;
  const words = `step ${number}`;
  const { same, each, parallel } = step;
  const grouped = groupedIn(step);
  const isLast = place === siblings.length - 1;
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
          label="Does"
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
              ...(chosen === SAME
                ? { name: step.name, options: {}, same: earlier.at(-1) ?? '' }
                : chosen === GROUP
                  ? asGroup(step)
                  : chosen === PARALLEL
                    ? asParallel(step)
                    : ofKind(step, isAct(chosen) ? chosen : undefined)),
              ...(step.from !== undefined && { from: step.from }),
            })
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
              label={step.steady ? 'At most' : 'Duration'}
              words={words}
              value={step.duration}
              usual={measure.duration}
              onChange={(duration) => on.onChange(withLength(step, { duration }))}
              problem={problems.duration}
            />
          </>
        ) : step.for !== undefined ? null : (
          <Seconds
            label="At most"
            words={words}
            value={step['at-most']}
            usual={mostSeconds({ do: step.do })}
            onChange={(most) => on.onChange(withMost(step, most))}
            problem={problems['at-most']}
          />
        )}
        {isParallel ? (
          <Seconds
            label="Starts after"
            words={words}
            value={step.from}
            usual={0}
            onChange={(from) => on.onChange(withFrom(step, from))}
            problem={problems.from}
          />
        ) : null}
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
        <div className={classes.actions}>
          <IconAction label={`Move ${words} up`} disabled={place === 0} onClick={() => on.onMove(-1)}>
            <IconArrowUp size={16} />
          </IconAction>
          <IconAction label={`Move ${words} down`} disabled={isLast} onClick={() => on.onMove(1)}>
            <IconArrowDown size={16} />
          </IconAction>
          <IconAction label={`Duplicate ${words}`} onClick={on.onCopy}>
            <IconCopy size={16} />
          </IconAction>
          <IconAction
            label={`Remove ${words}`}
            // A group has at least one step, and a parallel one two.
            disabled={group !== undefined && siblings.length <= (isParallel ? 2 : 1)}
            onClick={on.onRemove}
          >
            <IconTrash size={16} />
          </IconAction>
        </div>
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
      {same === undefined ? <Gate {...{ step, words, problems }} onChange={on.onChange} /> : null}
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

type GateProperties = Pick<StepRowProperties, 'problems' | 'onChange'> & { step: DocumentStep; words: string };

/** Required figures: without them, the rest of the trial is skipped. */
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
      <p className={classes.gate}>
        {groupedIn(step)
          ? 'After each step of the group: the rest of the trial is measured only if all of these are met.'
          : 'The rest of the trial is measured only if all of these are met.'}
      </p>
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

type LoadProperties = Pick<StepRowProperties, 'experiment' | 'fields' | 'problems' | 'isParallel' | 'onChange'> & {
  step: FormStep;
  words: string;
};

/** The options that a step sets itself, and a field to set another one. */
function LoadOptions({ step, words, experiment, fields, problems, isParallel, onChange }: LoadProperties) {
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
          problems={optionProblems(problems)}
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

function scalarOf(text: string): Scalar {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

function withFactors({ factors: _, ...step }: FormStep, factors: readonly StepFactor[]): FormStep {
  return factors.length === 0 ? step : { ...step, factors: [...factors] };
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

/** Undefined: that of the measurement. */
function withLength(step: FormStep, change: { warmup?: number | undefined; duration?: number | undefined }): FormStep {
  const { warmup, duration, ...rest } = { ...step, ...change };
  return { ...rest, ...(warmup !== undefined && { warmup }), ...(duration !== undefined && { duration }) };
}

/** Undefined: with its group. */
function withFrom({ from: _, ...step }: FormStep, from: number | undefined): FormStep {
  return from === undefined || from === 0 ? step : { ...step, from };
}

function withMost(step: FormStep, most: number | undefined): FormStep {
  const { 'at-most': _, ...rest } = step;
  return { ...rest, ...(most !== undefined && { 'at-most': most }) };
}

/** Omitted if it is the default of the kind. */
function withMeasured(step: FormStep, measured: boolean): FormStep {
  const { measured: _, ...rest } = measured && step.steady ? withSteady(step, false) : step;
  return { ...rest, ...(measured !== isMeasured(rest) && { measured }) };
}

const USUAL_STEADY = SteadyWhen.parse({});
/** Default maximum of seconds for a load to become steady. */
const USUAL_MOST = 3600;

/** A load that runs until it is steady has a maximum time. */
function withSteady(step: FormStep, isSteady: boolean): FormStep {
  const { steady: _, else: __, ...rest } = step;
  return isSteady ? { ...step, steady: USUAL_STEADY, duration: step.duration ?? USUAL_MOST } : rest;
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

function moved(steps: readonly FormStep[], from: number, to: number): FormStep[] {
  const rest = steps.filter((_, place) => place !== from);
  return [...rest.slice(0, to), ...steps.slice(from, from + 1), ...rest.slice(to)];
}

/** Replaces `count` items from `place` on. */
const replacedBy = <Item,>(items: readonly Item[], place: number, count: number, ...others: Item[]): Item[] => [
  ...items.slice(0, place),
  ...others,
  ...items.slice(place + count),
];

/** The format depends on whether there are steps. */
export function withSteps(experiment: Experiment, steps: readonly DocumentStep[]): Experiment {
  const { steps: _, ...rest } = experiment;
  return steps.length === 0 ? { ...rest, kneepoint: 1 } : { ...rest, kneepoint: STEPS_FORMAT, steps: [...steps] };
}
