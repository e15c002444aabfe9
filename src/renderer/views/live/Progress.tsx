import { Button, Tooltip } from '@mantine/core';
import { IconTablePlus } from '@tabler/icons-react';
import { Fragment, useEffect, useRef } from 'react';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Levels } from '../../../shared/model/experiment.ts';
import type { Cell, SessionStep, Trial } from '../../../shared/model/plan.ts';
import {
  ENDED_RUN,
  ENDED_SESSION,
  OPEN_RUN,
  type Run,
  type Session,
  type SessionDetail,
} from '../../../shared/model/session.ts';
import { runWords, workedSeconds } from '../../../shared/model/session-words.ts';
import { mostSeconds, nameInGroup, type TrialStep, wholeSteps } from '../../../shared/model/step.ts';
import { formatDuration, formatLevels, formatTimeOfDay, formatValue } from '../../../shared/util/format.ts';
import { AskForNotices } from '../../domain/index.ts';
import { useNow } from '../../ui/index.ts';

interface ProgressProperties {
  session: Session;
  trials: readonly Trial[];
  cells: readonly Cell[];
  runs: ReadonlyMap<number, Run>;
  /** Absent: no levels can be added. */
  onAdd?(): void;
}

/** Up to this number, trials have room for gaps between them in the narrowest window. */
const WITH_GAPS = 100;

/** The plan as a row of trials, each in the colour of its state, with elapsed and remaining time. */
export function Progress({ session, trials, cells, runs, onAdd }: ProgressProperties) {
  const ended = ENDED_SESSION.includes(session.state);
  const now = useNow(ended ? undefined : 1000);
  const planned = new Set(trials.map(placeOf));
  // A trial that was measured again shows its last run; additional repeats follow the plan.
  const latest = new Map([...runs.values()].sort((one, other) => one.id - other.id).map((run) => [placeOf(run), run]));
  const further = [...latest.values()].filter((run) => !planned.has(placeOf(run)));
  const elapsed = workedSeconds(session, now);
  const remaining = session.expectedEndAt === undefined ? undefined : Math.max(0, (session.expectedEndAt - now) / 1000);
  const current = Math.min(session.trialsTotal, session.trialsEnded + 1);
  const done = [...latest.values()].filter((run) => run.state === 'done').length;
  return (
    <section className="kp-progress" aria-label="Progress">
      <div className="kp-progress-words kp-figures">
        <span>
          {ended ? (
            <>
              <b>{done}</b> of <b>{session.trialsTotal}</b> {session.trialsTotal === 1 ? 'trial' : 'trials'} done
            </>
          ) : (
            <>
              Trial <b>{current}</b> of <b>{session.trialsTotal}</b>
            </>
          )}
        </span>
        {session.state === 'interrupted' ? null : (
          <span>
            Elapsed <b>{formatDuration(elapsed === undefined ? undefined : Math.floor(elapsed))}</b>
          </span>
        )}
        {ended || remaining === undefined || session.state !== 'running' ? null : (
          <span>
            Remaining <b>{formatDuration(Math.round(remaining))}</b>
            <span className="kp-dim"> · ends about {formatTimeOfDay(session.expectedEndAt).slice(0, 5)}</span>
          </span>
        )}
        {session.trialsFailed > 0 ? <span className="kp-progress-failed">{session.trialsFailed} failed</span> : null}
        <span className="kp-progress-add" />
        {ended ? null : <AskForNotices />}
        {onAdd ? (
          <Button variant="subtle" size="compact-sm" leftSection={<IconTablePlus size={14} />} onClick={onAdd}>
            Add levels…
          </Button>
        ) : null}
      </div>
      <div
        className="kp-progress-trials"
        data-many={trials.length + further.length > WITH_GAPS || undefined}
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={session.trialsTotal}
        aria-valuenow={session.trialsEnded}
        aria-label="Trials ended"
      >
        {trials.map((trial) => (
          <TrialMark
            key={trial.index}
            trial={trial}
            levels={cells[trial.cell]?.levels ?? {}}
            run={latest.get(placeOf(trial))}
          />
        ))}
        {further.map((run) => (
          <TrialMark key={`run ${run.id}`} trial={{ ...run, index: run.trial }} levels={run.levels} run={run} />
        ))}
      </div>
    </section>
  );
}

/** Key of a trial of the plan. */
export const placeOf = ({ cell, repeat }: Pick<Trial, 'cell' | 'repeat'>): string => `${cell} ${repeat}`;

function TrialMark({
  trial,
  levels,
  run,
}: {
  trial: Pick<Trial, 'index' | 'repeat' | 'canary'>;
  levels: Levels;
  run: Run | undefined;
}) {
  const which = trial.canary ? 'canary' : `repeat ${trial.repeat + 1}`;
  const words = `${trial.index + 1}: ${formatLevels(levels)}, ${which}: ${run ? runWords(run).word : 'waiting'}`;
  return (
    <Tooltip label={words} openDelay={100}>
      <div
        className="kp-progress-trial"
        data-tone={run ? runWords(run).tone : 'idle'}
        data-waiting={!run || run.state === 'pending' || undefined}
      >
        {run && !ENDED_RUN.includes(run.state) ? <div style={{ width: `${100 * shareOf(run)}%` }} /> : null}
      </div>
    </Tooltip>
  );
}

const shareOf = (run: Run): number => Math.min(1, run.seconds / Math.max(1, run.warmup + run.duration));

interface StepsProperties {
  detail: { session: Pick<Session, 'steps'>; experiment: Pick<SessionDetail['experiment'], 'steps'> };
  /** The run shown on the page. */
  run: Run | undefined;
  runs: ReadonlyMap<number, Run>;
  /** Shows another running step. `step`: its place in the trial. */
  onStep(step: number): void;
}

/**
 * The steps of the trial that runs or ended last, in order: figures of those that ended, the time of the running ones, and the planned time
 * of the others. Renders nothing if trials have a single step.
 */
export function StepsOfTrial({ detail, run, runs, onStep }: StepsProperties) {
  const steps = wholeSteps(detail.experiment.steps ?? []);
  const list = useRef<HTMLOListElement>(null);
  const place = run?.step ?? 0;
  useEffect(() => {
    const marked = list.current?.querySelector<HTMLElement>(`[data-place="${place}"]`);
    if (list.current && marked) list.current.scrollTop = marked.offsetTop - list.current.clientHeight / 2;
  }, [place]);
  const now = useNow(run && OPEN_RUN.includes(run.state) ? 1000 : undefined);
  if (steps.length < 2 || !run) return null;
  // A step that was measured again shows its last run.
  const ofTrial = [...runs.values()].filter(({ trial }) => trial === run.trial);
  const latest = new Map(ofTrial.sort((one, other) => one.id - other.id).map((each) => [each.step ?? 0, each]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard, as axe requires.
    <ol className="kp-steps-now kp-figures" aria-label={`Steps of trial ${run.trial + 1}`} ref={list} tabIndex={0}>
      {steps.map((step, index) => (
        <Fragment key={step.name}>
          {step.group !== undefined && step.group !== steps[index - 1]?.group ? (
            <li className="kp-steps-group">{step.group}</li>
          ) : null}
          <StepMark
            step={step}
            place={index}
            metric={detail.session.steps?.[index]?.metric}
            run={latest.get(index)}
            isShown={index === place}
            isFirst={step.group === undefined && steps[index - 1]?.group !== undefined}
            now={now}
            onStep={onStep}
          />
        </Fragment>
      ))}
    </ol>
  );
}

interface MarkProperties extends Pick<StepsProperties, 'run' | 'onStep'> {
  step: TrialStep;
  place: number;
  /** Metric of the step; absent or null: it has none. */
  metric: SessionStep['metric'] | undefined;
  isShown: boolean;
  /** The first one after a group begins a new row. */
  isFirst: boolean;
  now: number;
}

function StepMark({ step, place, metric, run, isShown, isFirst, now, onStep }: MarkProperties) {
  const { word, tone } = run ? runWords(run) : { word: 'waiting', tone: 'idle' };
  const isGoing = run !== undefined && OPEN_RUN.includes(run.state);
  const isWaiting = !run || run.state === 'pending';
  const figure = figureWords({ step, metric, run, now });
  const parts = (
    <>
      <span className="kp-steps-name">
        {place + 1} {nameInGroup(step)}
      </span>
      <span className="kp-steps-figure">{figure}</span>
      {isGoing ? <span className="kp-steps-done" style={{ width: `${100 * shareOf(run)}%` }} /> : null}
    </>
  );
  return (
    <li
      data-place={place}
      data-tone={tone}
      data-waiting={isWaiting || undefined}
      data-shown={isShown || undefined}
      data-first={isFirst || undefined}
      aria-current={isShown ? 'step' : undefined}
      title={`${step.name}: ${[word, figure].filter(Boolean).join(', ')}`}
    >
      {isGoing && !isShown ? (
        <button type="button" onClick={() => onStep(place)}>
          {parts}
        </button>
      ) : (
        parts
      )}
    </li>
  );
}

/** The figure of a run that ended, otherwise its state; the time of a running one; the planned time of one to come. */
function figureWords({ step, metric, run, now }: Pick<MarkProperties, 'step' | 'metric' | 'run' | 'now'>): string {
  const planned = run && step.do === undefined ? run.warmup + run.duration : mostSeconds(step);
  const limit =
    planned > 0 ? `${step.do === undefined || step.for !== undefined ? '' : '≤ '}${formatDuration(planned)}` : '';
  if (!run || run.state === 'pending') return limit;
  const { startedAt, endedAt } = run;
  if (OPEN_RUN.includes(run.state)) {
    const elapsed = startedAt === undefined ? 0 : Math.max(0, Math.floor((now - startedAt) / 1000));
    return [formatDuration(elapsed), limit].filter(Boolean).join(' of ');
  }
  if (run.state !== 'done') return runWords(run).word;
  const value = metric == null ? undefined : run.summary[metric];
  if (metric != null && value !== undefined) return formatValue(value, metricOf(metric));
  return startedAt === undefined || endedAt === undefined
    ? ''
    : formatDuration(Math.round((endedAt - startedAt) / 1000));
}
