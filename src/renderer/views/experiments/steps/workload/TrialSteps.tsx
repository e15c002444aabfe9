import { Button, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type DocumentStep, type Experiment, STEPS_FORMAT } from '../../../../../shared/model/experiment.ts';
import { runsAlone, wholeSteps } from '../../../../../shared/model/step.ts';
import { formatCount } from '../../../../../shared/util/format.ts';
import type { Field } from '../../../../forms/index.ts';
import { Fold } from '../../../../ui/index.ts';
import { problemsBelow, type StepProperties } from '../../document/steps.ts';
import { asKind, KINDS } from './actFields.ts';
import { StepForm } from './StepForm.tsx';
import { StepRail } from './StepRail.tsx';
import {
  dashed,
  dataAlong,
  type FormStep,
  groupedIn,
  linesOf,
  MOST,
  replacedBy,
  type StepLine,
  withGrouped,
  withSiblings,
} from './stepLines.ts';
import classes from './trialSteps.module.css';

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
    const added = asKind(named(before), kind, before.at(-1)?.name);
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
          With steps, each trial runs several loads, one after the other or at the same time. Examples: a suite of
          tests, a load that fills the cache before the measured one, a report during transactions.
        </p>
      ) : (
        <div className={classes.sides}>
          <StepRail
            {...{ lines, chosen: line, experiment, problemsOf }}
            data={dataAlong(steps, state.checked?.dataUses ?? [])}
            onChoose={setWanted}
            onMove={(own, to) => changeIn(own, moved(own.siblings, own.place, to), to)}
          />
          <StepForm
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

/**
 * Names that a line can repeat: earlier steps and groups that repeat none; in a group, only parallel steps can, and only single steps
 * before the group.
 */
function earlierOf({ group, place }: StepLine, steps: readonly DocumentStep[]): string[] {
  if (group === undefined) return steps.slice(0, place).flatMap(({ name, same }) => (same === undefined ? [name] : []));
  if (!steps[group]?.parallel) return [];
  return wholeSteps(steps.slice(0, group)).flatMap(({ name, do: act }) => (runsAlone({ do: act }) ? [] : [name]));
}

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

/** The format depends on whether there are steps. */
export function withSteps(experiment: Experiment, steps: readonly DocumentStep[]): Experiment {
  const { steps: _, ...rest } = experiment;
  return steps.length === 0 ? { ...rest, kneepoint: 1 } : { ...rest, kneepoint: STEPS_FORMAT, steps: [...steps] };
}
