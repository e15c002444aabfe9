import './live.css';
import { Button, Select } from '@mantine/core';
import { IconChartDots } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { ENDED_SESSION, type Run, type Session, type SessionDetail } from '../../../shared/model/session.ts';
import { sessionWords, systemWords } from '../../../shared/model/session-words.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import { LaneWindow, type PlotEdges } from '../../charts/index.ts';
import { useCall } from '../../client/index.ts';
import { SessionNeeds } from '../../domain/index.ts';
import {
  BlockSkeleton,
  EmptyState,
  Page,
  PageHeader,
  Panel,
  ProblemBanner,
  Status,
  useCrumbs,
  useKeys,
} from '../../ui/index.ts';
import { AddLevels } from './AddLevels.tsx';
import { Controls } from './Controls.tsx';
import { CurvePanel } from './CurvePanel.tsx';
import { Dock } from './Dock.tsx';
import { NoteBox } from './NoteBox.tsx';
import { Progress, placeOf, StepsOfTrial } from './Progress.tsx';
import { RunningPanel } from './running/RunningPanel.tsx';
import { StateBanner, trialWords } from './StateBanner.tsx';
import type { LiveState } from './stream/live-store.ts';
import { currentRun, goingRuns, useLive } from './stream/useLive.ts';
import { LiveStrips } from './strips/LiveStrips.tsx';
import { RefusedCells } from './world/RefusedCells.tsx';

/** A session while it runs. */
export function LiveView() {
  const id = Number(useParams<'/sessions/:id/live'>().id);
  const detail = useCall('sessions.get', { id });
  const { state, session, problem, addLog } = useLive(id, detail.data?.session);
  const [noting, setNoting] = useState(false);
  const [adding, setAdding] = useState(false);
  const [step, setStep] = useState<number>();
  const axis = useSharedAxis();
  useCrumbs(session ? [{ label: session.name, to: `/sessions/${id}/live` }, { label: 'Live' }] : []);
  useKeys({ n: () => setNoting(true) });

  const failure = problem ?? detail.error?.problem;
  if (failure && !session) {
    return (
      <Page>
        <PageHeader title={`Session ${id}`} />
        <ProblemBanner problem={failure} actions={<Link href="/">All sessions</Link>} />
      </Page>
    );
  }
  if (!session || !detail.data) {
    return (
      <Page>
        <PageHeader title={session?.name ?? 'Reading the session…'} />
        <BlockSkeleton height={56} />
        <BlockSkeleton height={360} />
      </Page>
    );
  }
  const going = goingRuns(state);
  const run = going.find((each) => each.step === step) ?? currentRun(state);
  const { tone, word } = sessionWords(session);
  return (
    <Page>
      <PageHeader
        title={session.name}
        aside={
          <>
            <Status tone={tone}>{word}</Status>
            <StepPicker going={going} run={run} onChange={setStep} />
          </>
        }
        subtitle={
          run && !ENDED_SESSION.includes(session.state)
            ? [run.stepName, formatLevels(run.levels)].filter(Boolean).join(' · ') || 'one cell, no factors'
            : subtitleOf(session)
        }
        actions={
          <Actions
            session={session}
            run={run}
            note={<NoteBox sessionId={id} opened={noting} onOpen={setNoting} onAdded={addLog} />}
          />
        }
      />
      <div className="kp-live-state" data-going={ENDED_SESSION.includes(session.state) ? undefined : true}>
        {failure ? <ProblemBanner problem={failure} /> : null}
        {session.needs ? (
          <SessionNeeds session={session} />
        ) : (
          <StateBanner
            session={session}
            run={run}
            parallel={going.flatMap(({ id: other, stepName }) => (other === run?.id ? [] : (stepName ?? [])))}
            next={nextOf(detail.data.plan, state.runs)}
          />
        )}
      </div>
      <Progress
        session={session}
        trials={detail.data.plan.trials}
        cells={detail.data.plan.cells}
        runs={state.runs}
        {...(canGrow(session, detail.data) && { onAdd: () => setAdding(true) })}
      />
      <StepsOfTrial detail={detail.data} run={run} runs={state.runs} onStep={setStep} />
      {adding ? <AddLevels detail={detail.data} onDone={() => setAdding(false)} /> : null}
      {session.primaryMetric === null ? (
        <Panel label="Running trial">
          <EmptyState title="No load is generated">Hosts and servers are monitored. See “Results so far”.</EmptyState>
        </Panel>
      ) : (
        <div className="kp-split kp-live-split">
          <RunningPanel
            detail={detail.data}
            primary={session.steps?.[run?.step ?? 0]?.metric ?? session.primaryMetric}
            state={state}
            run={run}
            below={axis.below}
          />
          <CurvePanel sessionId={id} repeats={session.repeats} runs={state.runs} />
        </div>
      )}
      <LiveStrips session={session} state={state} run={run} {...axis.strips} />
      <Dock detail={detail.data} state={state} run={run} />
      {/* Last on the page, as it may appear while users read the content above. Its findings are also among the alerts. */}
      <RefusedCells runs={state.runs} />
    </Page>
  );
}

/** The next step of the current trial, or the next trial, in words. Trials that were added later are not in the plan. */
function nextOf({ trials, cells }: SessionDetail['plan'], runs: LiveState['runs']): string | undefined {
  const begunRuns = [...runs.values()].filter(({ state }) => state !== 'pending');
  const pending = [...runs.values()].filter(({ state }) => state === 'pending');
  const under = new Set(begunRuns.map(({ trial }) => trial));
  const step = pending.find(({ trial }) => under.has(trial));
  if (step) return step.stepName;
  const begun = new Set(begunRuns.map(placeOf));
  const next = trials.find((trial) => !begun.has(placeOf(trial)));
  if (next) return trialWords({ ...next, levels: cells[next.cell]?.levels ?? {} });
  const [added] = [...pending].sort((one, other) => one.trial - other.trial);
  return added && trialWords(added);
}

const NOWHERE = { from: 0, to: 1 };

/** The axis of the running trial, shared by the hosts and servers below while they can be placed on it. */
function useSharedAxis() {
  const [shared] = useState(() => new LaneWindow(NOWHERE, NOWHERE));
  const [plot, onPlot] = useState<PlotEdges>();
  const [isJoined, onJoin] = useState(false);
  return {
    below: useMemo(() => (isJoined ? { shared, onPlot } : undefined), [isJoined, shared]),
    strips: { shared, plot, onJoin },
  };
}

interface ActionsProperties {
  session: Session;
  run: Run | undefined;
  note: ReactNode;
}

/** Buttons that disappear at the end are left of the one that stays, so that nothing moves. */
function Actions({ session, run, note }: ActionsProperties) {
  const [, go] = useLocation();
  return (
    <>
      {ENDED_SESSION.includes(session.state) ? null : (
        <Button
          variant="default"
          leftSection={<IconChartDots size={16} />}
          onClick={() => go(`/sessions/${session.id}/results`)}
        >
          Results so far
        </Button>
      )}
      <Controls session={session} run={run} />
      {note}
    </>
  );
}

/** Whether there is a factor that levels can be added to. */
const canGrow = ({ state, damaged }: Session, { experiment }: SessionDetail): boolean =>
  experiment.factors.length > 0 && state !== 'stopping' && !damaged;

const subtitleOf = (session: Session): string =>
  session.state === 'starting'
    ? systemWords(session)
    : ENDED_SESSION.includes(session.state)
      ? endedWords(session)
      : 'No trial is running now.';

/** Words for a session that has ended. */
function endedWords({ state, question, stoppedBy, trialsMissing = 0, trialsTotal }: Session): string {
  if (state === 'stopped') return 'The session was stopped.';
  if (state === 'failed') return 'The session could not continue.';
  if (stoppedBy) return stoppedBy;
  return trialsMissing === 0
    ? (question ?? 'All trials have ended.')
    : `${trialsTotal - trialsMissing} of ${trialsTotal} trials were measured.`;
}

interface Properties {
  /** Runs in progress. */
  going: readonly Run[];
  /** The run shown on the page. */
  run: Run | undefined;
  /** `step`: its place in the trial. */
  onChange(step: number): void;
}

/** Selects which of several parallel steps the page shows; renders nothing for a single one. */
export function StepPicker({ going, run, onChange }: Properties) {
  if (going.length < 2 || !run) return null;
  return (
    <Select
      size="xs"
      aria-label="Parallel step"
      data={going.map(({ step = 0, stepName }) => ({ value: String(step), label: stepName ?? `Step ${step + 1}` }))}
      value={String(run.step ?? 0)}
      allowDeselect={false}
      onChange={(step) => step !== null && onChange(Number(step))}
    />
  );
}
