import { useEffect, useState } from 'react';
import { formatDuration } from '../../../../../shared/util/format.ts';
import { type FormValues, OptionForm, problemsOf } from '../../../../forms/index.ts';
import { Panel } from '../../../../ui/index.ts';
import type { StepProperties } from '../../document/stepProperties.ts';
import { problemsBelow } from '../../document/steps.ts';
import { CapturesPanel } from './captures/CapturesPanel.tsx';
import { costlyChanges } from './changes.ts';
import { ChartsPanel } from './charts/ChartsPanel.tsx';
import { EventsPanel } from './events/EventsPanel.tsx';
import { MEASURE_FIELDS, measureValues, withMeasure } from './measureFields.ts';
import classes from './measurement.module.css';
import { MeasuresPanel } from './measures/MeasuresPanel.tsx';
import { MonitorsPanel } from './monitors/MonitorsPanel.tsx';
import { PhaseBar } from './PhaseBar.tsx';
import { TrialOrder } from './TrialOrder.tsx';

/** Duration, repeats and order. */
export function MeasureStep({
  experiment,
  state,
  tools,
  edit,
  onUnfit,
}: StepProperties & { onUnfit(count: number): void }) {
  const [typed, setTyped] = useState<FormValues>({});
  const [unfitEvents, setUnfitEvents] = useState(0);
  const unfit = Object.keys(typed).length + unfitEvents;
  useEffect(() => {
    onUnfit(unfit);
    return () => onUnfit(0);
  }, [onUnfit, unfit]);
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
      <EventsPanel {...{ experiment, state, edit }} onUnfit={setUnfitEvents} />
      <CapturesPanel {...{ experiment, state, edit }} />
      <MeasuresPanel {...{ experiment, state, edit }} />
      <ChartsPanel {...{ experiment, state, tools, edit }} />
      {plan && (
        <Panel title="Order of the trials" note="Each column is a trial in time, each row a cell.">
          <TrialOrder plan={plan} changes={costlyChanges(plan, experiment.factors, state.checked?.changeCosts ?? [])} />
        </Panel>
      )}
    </>
  );
}
