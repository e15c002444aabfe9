import { randomUUID } from 'node:crypto';
import type { Finding } from '../../../shared/model/finding.ts';
import { describeProblem, KneepointError } from '../../../shared/model/problem.ts';
import type { RunState } from '../../../shared/model/session.ts';
import type { Machine } from '../hosts/machine.ts';
import { cellOptions } from '../plans/index.ts';
import type { RunRow } from '../store/store.ts';
import { type Collected, collect } from './collect.ts';
import { contextOf, type RunsContext } from './context.ts';
import { onOurClock } from './host-time.ts';
import { launchStep } from './launch-step.ts';
import { untilReachable } from './reachable.ts';
import { connectionOf, stepsOf, toolOf } from './steps.ts';
import { keepForAWhile } from './tidy.ts';

export interface TrialControl {
  /** Aborts when the app closes: the job goes on. */
  signal: AbortSignal;
  /** Set when a person ended this trial; the job is then already being stopped. */
  ended(): 'skipped' | 'stopped' | undefined;
  onChange(): void;
  notice(level: 'info' | 'warn' | 'error', message: string): void;
}

/** Launches (or finds again) the job of one run, records it to its end, and states what became of it. */
export async function executeTrial(context: RunsContext, run: RunRow, control: TrialControl): Promise<RunRow> {
  const session = context.store.sessions.get(run.sessionId);
  if (!session) throw new KneepointError({ code: 'not-found', message: `Session ${run.sessionId} is gone.` });
  const { experiment } = contextOf(session);
  const tool = toolOf(context, experiment.workload.tool);
  const options = cellOptions(experiment, run.levels, tool);
  const host = experiment.where.generators[0] as string;
  const machine = context.machines.get(host);

  let current = run;
  try {
    if (control.ended()) {
      const left = await endLeftOver(context, run, machine, control);
      if (!left) return neverStarted(context, run, control);
      current = left;
    } else if (run.state !== 'running') current = await launch(context, run, machine, control);
  } catch (error) {
    if (control.signal.aborted || !(error instanceof KneepointError) || !isRunsOwnFault(error)) throw error;
    return context.store.runs.update(run.id, {
      state: 'failed',
      message: describeProblem(error.problem),
      endedAt: context.clock.now(),
      partial: true,
      findings: [
        {
          code: error.code,
          severity: 'error',
          message: error.message,
          ...(error.problem.next && { next: error.problem.next }),
        },
      ],
    });
  }
  const job = current.jobs[0];
  if (!job) throw new KneepointError({ code: 'internal', message: `Run ${run.id} has no job.`, run: run.id });
  const collected = await collect({
    context,
    machine,
    jobId: job.jobId,
    runId: run.id,
    generator: 0,
    makeParser: (events) => tool.parser('run', options, events),
    onCommit: control.onChange,
    signal: control.signal,
  });
  const { end } = collected;
  const endedAt = end ? await onOurClock(context, machine, end.at, control.signal) : context.clock.now();
  return conclude(context, current, collected, control, endedAt);
}

/** A full disk of this computer: it is waited out, nothing is wrong with the run. */
export const isOwnDiskFull = (error: unknown): boolean =>
  error instanceof KneepointError && error.code === 'disk-full' && error.problem.host === undefined;

/** A refused start that says something about this trial, not about the way to the host. */
const isRunsOwnFault = (error: KneepointError): boolean =>
  !isOwnDiskFull(error) &&
  [
    'tool-missing',
    'tool-too-old',
    'device-refused',
    'disk-full',
    'read-only',
    'run-failed',
    'bad-request',
    'secret-missing',
    'target-unreachable',
    'job-lost',
  ].includes(error.code);

async function launch(context: RunsContext, run: RunRow, machine: Machine, control: TrialControl): Promise<RunRow> {
  const session = context.store.sessions.get(run.sessionId);
  if (!session) throw new KneepointError({ code: 'not-found', message: `Session ${run.sessionId} is gone.` });
  const kept = contextOf(session);
  const { experiment } = kept;
  const tool = toolOf(context, experiment.workload.tool);
  const connection = await connectionOf(context, experiment, tool, cellOptions(experiment, run.levels, tool));
  const { plan } = stepsOf(context, experiment, run, connection);
  // The job's id is stored before anything is sent: after a lost reply or a crash the same id attaches instead of starting twice.
  const jobId = run.jobs[0]?.jobId ?? randomUUID();
  const claimed = context.store.runs.update(run.id, {
    state: 'launching',
    jobs: [{ host: machine.name, jobId }],
    command: context.shownCommand(plan.run),
    startedAt: run.startedAt ?? context.clock.now(),
  });
  control.onChange();
  await launchStep(context, kept, machine, control, { step: plan.run, jobId });
  // A person may have ended the trial while it was being launched, before there was anything to stop.
  if (control.ended()) await context.jobs.stop(machine, jobId, { cause: 'stop', signal: control.signal });
  const running = context.store.runs.update(claimed.id, { state: 'running' });
  control.onChange();
  return running;
}

/** Ends the job that an earlier start of this run left on its host; undefined when there is none. */
async function endLeftOver(
  context: RunsContext,
  run: RunRow,
  machine: Machine,
  control: TrialControl,
): Promise<RunRow | undefined> {
  const jobId = run.jobs[0]?.jobId;
  if (jobId === undefined) return undefined;
  const { signal } = control;
  const status = await untilReachable(machine, control, () => context.jobs.status(machine, jobId, signal));
  if (status.state === 'gone' && run.state !== 'running') return undefined;
  await untilReachable(machine, control, () => context.jobs.stop(machine, jobId, { cause: 'stop', signal }));
  return context.store.runs.update(run.id, { state: 'running' });
}

const neverStarted = (context: RunsContext, run: RunRow, control: TrialControl): RunRow =>
  context.store.runs.update(run.id, {
    state: control.ended() ?? 'skipped',
    message: 'Ended by a person before it was started.',
    partial: true,
    endedAt: context.clock.now(),
  });

function conclude(
  context: RunsContext,
  run: RunRow,
  collected: Collected,
  control: TrialControl,
  endedAt: number,
): RunRow {
  const { outcome, recorder, status, exit, end } = collected;
  const byPerson = control.ended();
  const state = stateOf(collected, byPerson);
  const findings: Finding[] = [...recorder.findings];
  if (outcome.reason && !byPerson) findings.unshift(outcome.reason);
  if (end?.cause === 'limit') {
    findings.unshift({
      code: 'time-limit',
      severity: 'error',
      message: 'The tool was still running long after its planned end and was ended by its supervisor.',
      next: 'Look at the target: a stalled server keeps the tool waiting.',
    });
  }
  if (recorder.unparsed.length > 0) {
    findings.push({
      code: 'unparsed-output',
      severity: 'note',
      message: `${recorder.unparsed.length} ${recorder.unparsed.length === 1 ? 'line' : 'lines'} of output were not understood; they are kept in the raw output.`,
      evidence: recorder.unparsed.slice(0, 5).join('\n'),
    });
  }
  const message = messageOf(collected, byPerson);
  const updated = context.store.runs.update(run.id, {
    state,
    exit,
    endedAt,
    summary: outcome.summary,
    findings,
    partial: state !== 'done',
    ...(message && { message }),
  });
  // Not sealed while its end is unknown: more output may come when a lost job is adopted.
  if (status.state === 'ended') {
    context.store.samples.seal(run.id);
    for (const job of run.jobs) keepForAWhile(context, job);
  }
  return updated;
}

function stateOf({ outcome, status, lost }: Collected, byPerson: 'skipped' | 'stopped' | undefined): RunState {
  if (byPerson) return byPerson;
  if (lost !== undefined || status.state !== 'ended') return 'lost';
  return outcome.ok ? 'done' : 'failed';
}

function messageOf(
  { outcome, exit, lost }: Collected,
  byPerson: 'skipped' | 'stopped' | undefined,
): string | undefined {
  if (byPerson) return byPerson === 'skipped' ? 'Skipped by a person.' : 'Stopped by a person.';
  if (lost !== undefined) return `${lost} What was recorded until then is kept.`;
  if (exit.unknown) return `${exit.unknown} What was recorded until then is kept.`;
  if (outcome.ok) return undefined;
  return outcome.reason
    ? [outcome.reason.message, outcome.reason.next].filter(Boolean).join(' ')
    : 'The tool ended without a result.';
}
