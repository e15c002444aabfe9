import { IconAlertCircle, IconGripVertical } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { DocumentStep, Experiment } from '../../../../../shared/model/experiment.ts';
import {
  ACT_TITLES,
  gateWords,
  isMeasured,
  mostSeconds,
  steadyWords,
  untilWords,
} from '../../../../../shared/model/step.ts';
import { formatCount, formatDuration, plainLevel } from '../../../../../shared/util/format.ts';
import { sum } from '../../../../../shared/util/numbers.ts';
import { type DataPlace, dataWords, type FormStep, groupedIn, type StepLine } from './stepLines.ts';
import classes from './trialSteps.module.css';

interface Properties {
  lines: readonly StepLine[];
  chosen: StepLine;
  experiment: Experiment;
  problemsOf(path: string): Readonly<Record<string, string>>;
  /** Data along the lines, by their path; empty: unknown. */
  data: ReadonlyMap<string, DataPlace>;
  onChoose(line: StepLine): void;
  onMove(line: StepLine, to: number): void;
}

/**
 * All steps as one line each, next to the data that they use. They are moved by dragging, or with Alt and the arrow keys: those of a group within it, and a group as a
 * whole.
 */
export function StepRail({ lines, chosen, experiment, problemsOf, data, onChoose, onMove }: Properties) {
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
        // A parallel step has its own gate or none.
        const gate = step.gate ?? (inGroup?.parallel ? undefined : source.gate);
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
            <DataMark at={data.get(path)} />
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
                  gate ? `gate: ${gateWords(gate)}` : [],
                ]
                  .flat()
                  .filter(Boolean)
                  .join(' · ')}
                {(step.factors ?? []).map(({ name, levels }) => (
                  <span key={name} className={classes.chip}>
                    {name} {levels.map(plainLevel).join(', ')}
                  </span>
                ))}
              </span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** The data at a line, as a part of a line through all of them: it begins where it is prepared, and ends where it is removed. */
function DataMark({ at }: { at: DataPlace | undefined }) {
  if (!at) return null;
  const { before, use, after } = at;
  const words = dataWords(at);
  return (
    <span className={classes.data} title={words} data-before={before} data-after={after} data-use={use}>
      {words === '' ? null : <span className={classes.mark} role="img" aria-label={words} />}
    </span>
  );
}

const MOVES: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** The work of a step, in one line. */
function stepWords(step: DocumentStep, group: DocumentStep | undefined): string {
  const { same, parallel, do: act, until, statement = '', command = '', options, factors } = step;
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
  ];
  if (act !== undefined) return [ACT_TITLES[act], ...set].join(', ');
  if (grouped)
    return [`${formatCount(grouped.length, 'step')}${parallel ? ' at the same time' : ''}`, ...set].join(', ');
  if (set.length === 0 && factors) return '';
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
