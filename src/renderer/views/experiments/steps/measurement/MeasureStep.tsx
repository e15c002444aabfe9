import { useEffect, useState } from 'react';
import type { Measure } from '../../../../../shared/model/experiment.ts';
import type { Plan } from '../../../../../shared/model/plan.ts';
import { formatCount, formatDuration, formatLevels } from '../../../../../shared/util/format.ts';
import { type FormValues, OptionForm, problemsOf } from '../../../../forms/index.ts';
import { Panel } from '../../../../ui/index.ts';
import { problemsBelow, type StepProperties } from '../../document/steps.ts';
import { CapturesPanel } from './captures/CapturesPanel.tsx';
import { ChartsPanel } from './charts/ChartsPanel.tsx';
import { EventsPanel } from './events/EventsPanel.tsx';
import { type CostlyChange, costlyChanges, MEASURE_FIELDS, measureValues, withMeasure } from './measureFields.ts';
import classes from './measurement.module.css';
import { MeasuresPanel } from './measures/MeasuresPanel.tsx';
import { MonitorsPanel } from './monitors/MonitorsPanel.tsx';

/** Duration, repeats and order. */
export function MeasureStep({
  experiment,
  state,
  tools,
  edit,
  onInvalid,
}: StepProperties & { onInvalid(count: number): void }) {
  const [typed, setTyped] = useState<FormValues>({});
  const [invalidEvents, setInvalidEvents] = useState(0);
  const invalid = Object.keys(typed).length + invalidEvents;
  useEffect(() => {
    onInvalid(invalid);
    return () => onInvalid(0);
  }, [onInvalid, invalid]);
  const { measure } = experiment;
  const plan = state.checked?.plan;
  const change = (values: FormValues): void => {
    const wrong = problemsOf(MEASURE_FIELDS, values);
    setTyped(Object.fromEntries(Object.entries(values).filter(([name]) => name in wrong)));
    edit((now) => withMeasure(now, values));
  };
  return (
    <>
      <Panel title="Trials" note={`${formatDuration(measure.warmup + measure.duration)} of load each`}>
        <div className={classes.phasesOfTrial}>
          <PhaseBar measure={measure} />
        </div>
        <OptionForm
          folded
          fields={MEASURE_FIELDS}
          values={{ ...measureValues(experiment), ...typed }}
          problems={problemsBelow(state.checked?.problems ?? [], 'measure')}
          onChange={change}
          controlWidth={160}
        />
      </Panel>
      <MonitorsPanel {...{ experiment, state, edit }} />
      <EventsPanel {...{ experiment, state, edit }} onInvalid={setInvalidEvents} />
      <CapturesPanel {...{ experiment, state, edit }} />
      <MeasuresPanel {...{ experiment, state, edit }} />
      <ChartsPanel {...{ experiment, state, tools, edit }} />
      {plan && (
        <Panel title="Order of the trials" note="Each column is a trial, in time order; each row is a cell.">
          <TrialOrder plan={plan} changes={costlyChanges(plan, experiment.factors, state.checked?.changeCosts ?? [])} />
        </Panel>
      )}
    </>
  );
}

/** A trial's phases, drawn to scale; very short phases have a minimum width. */
function PhaseBar({ measure }: { measure: Measure }) {
  const phases = [
    { id: 'warm-up', words: 'Warm-up', seconds: measure.warmup },
    { id: 'measure', words: 'Measure', seconds: measure.duration },
    { id: 'pause', words: 'Pause', seconds: measure.pause },
  ].filter((phase) => phase.seconds > 0);
  return (
    <div
      className={classes.phases}
      role="img"
      aria-label={phases.map(({ words, seconds }) => `${words} ${formatDuration(seconds)}`).join(', ')}
    >
      {phases.map(({ id, words, seconds }) => (
        <div key={id} data-phase={id} style={{ flexGrow: seconds }} title={`${words}: ${formatDuration(seconds)}`}>
          <strong>{words}</strong>
          <span>{formatDuration(seconds)}</span>
        </div>
      ))}
    </div>
  );
}

const MOST_TRIALS = 120;
const MOST_CELLS = 40;
const HEIGHT = 8;

/** The order of the plan as a chart. Shows how a drift of the machine would spread over the cells. */
function TrialOrder({ plan, changes }: { plan: Plan; changes: readonly CostlyChange[] }) {
  const trials = plan.trials.slice(0, MOST_TRIALS);
  const cells = Math.min(plan.cells.length, MOST_CELLS);
  const width = 100 / Math.max(1, trials.length);
  const shown = trials.filter((trial) => trial.cell < cells);
  const remaining = plan.trials.length - trials.length;
  return (
    <>
      <svg
        className={classes.order}
        style={{ height: Math.max(24, cells * (HEIGHT + 1)) }}
        role="img"
        aria-label={`${formatCount(plan.trials.length, 'trial')} in order`}
      >
        {changes
          .filter(({ trial }) => trial < trials.length)
          .map(({ trial, cost }) => (
            <line
              key={`change ${trial}`}
              x1={`${trial * width}%`}
              x2={`${trial * width}%`}
              y1={0}
              y2="100%"
              data-cost={cost}
            >
              <title>{`Before trial ${trial + 1}: ${cost}`}</title>
            </line>
          ))}
        {shown.map((trial) => (
          <rect
            key={trial.index}
            x={`${trial.index * width}%`}
            y={trial.cell * (HEIGHT + 1)}
            width={`${Math.min(width * 0.92, 4)}%`}
            height={HEIGHT}
            rx={1.5}
            data-repeat={trial.repeat % 2}
            data-canary={trial.canary}
          >
            <title>{`Trial ${trial.index + 1}: ${formatLevels(plan.cells[trial.cell]?.levels ?? {}) || 'the only cell'}, ${trial.canary ? 'canary' : `repeat ${trial.repeat + 1}`}`}</title>
          </rect>
        ))}
      </svg>
      <ul className={classes.orderKey} aria-label="Key">
        <li>
          <i /> trial, every other repeat paler
        </li>
        {trials.some(({ canary }) => canary) && (
          <li>
            <i data-canary /> canary
          </li>
        )}
        {changes.length > 0 && (
          <li>
            <i data-line /> {costWords(changes)} between two trials
          </li>
        )}
      </ul>
      {remaining > 0 && <p className="kp-small">and {formatCount(remaining, 'more trial')}</p>}
    </>
  );
}

const costWords = (changes: readonly CostlyChange[]): string =>
  [...new Set(changes.map(({ cost }) => cost))].join(', ');
