import type { Finding } from '../../../shared/model/finding.ts';
import { describeProblem, KneepointError, problemKind, problemOf } from '../../../shared/model/problem.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import { isAct, type Step } from '../plans/index.ts';
import {
  allOrNone,
  commandsOf,
  type Generator,
  generatorsOf,
  moveRun,
  parserOf,
  stepOf,
  untilReachable,
} from '../runs/index.ts';
import type { RunRow } from '../store/store.ts';
import type { Tool } from '../tools/tool.ts';
import { waitUntil } from './before/idle.ts';
import { followCaptures, RunCaptures } from './captures/index.ts';
import { type Collected, collect } from './collect.ts';
import { conclude } from './conclude.ts';
import { conditionOf } from './conditions.ts';
import { runWords, type TrialContext, type TrialControl } from './context.ts';
import { type CommonStart, launchRun } from './launching.ts';
import { proofOf, type ServerUptime, uptimeAtLaunch, uptimeBefore } from './proof.ts';
import { Scenario } from './scenario.ts';
import { takeSizes } from './sizes.ts';
import { endedSteady, SteadyWatch } from './steady.ts';

/** Launches (or finds again) the jobs of one run, records them to their end, and stores the outcome. `start`: that of its parallel group. */
export async function executeTrial(
  context: TrialContext,
  run: RunRow,
  control: TrialControl,
  start?: CommonStart,
): Promise<RunRow> {
  const captures = new RunCaptures(context, run, stepOf(context, run).step, control);
  try {
    return await executeWith(context, run, captures, control, start);
  } finally {
    await captures.close();
  }
}

async function executeWith(
  context: TrialContext,
  run: RunRow,
  captures: RunCaptures,
  control: TrialControl,
  start: CommonStart | undefined,
): Promise<RunRow> {
  const session = context.store.sessions.snapshot(run.sessionId);
  const { tool, step } = stepOf(context, run);
  const wait = tool.waits?.(step.options);
  if (wait)
    return run.state === 'pending' && control.ended()
      ? neverStarted(context, run, control)
      : executeWait(context, run, step, wait, control);
  const generators = generatorsOf(context, step);

  let current = run;
  let before: ServerUptime | undefined;
  try {
    if (control.ended()) {
      const outcome = await endLeftoverJobs(context, run, generators, control);
      if (!outcome) return neverStarted(context, run, control);
      current = outcome;
    } else if (run.state === 'running') before = uptimeAtLaunch(run);
    else {
      await captures.before();
      if (!isAct(step)) before = await uptimeBefore(context, step, control);
      current = await launchRun(context, session, run, control, start);
    }
  } catch (error) {
    if (control.signal.aborted || !(error instanceof KneepointError) || !isRunsOwnFault(error)) throw error;
    // If the launch failed, no tool was running: the trial was not run.
    const neverRan = error.code !== 'job-lost' && context.store.runs.get(run.id)?.state !== 'running';
    return neverRan ? failBeforeLaunch(context, run, error) : failed(context, run, error, { partial: true });
  }
  const over = new AbortController();
  const scenario = new Scenario(context, current, step, control).follow(over.signal).catch((error: unknown) => {
    context.log.error('the scenario of a trial has ended', { message: problemOf(error).message });
  });
  const kept = followCaptures(context, captures, over.signal);
  const steady = SteadyWatch.of(context, current, step, control);
  const collected = await allOrNone(
    control.signal,
    generators.map(({ machine, part }) => (signal) => {
      const job = current.jobs[part.index];
      if (!job) throw new KneepointError({ code: 'internal', message: `Run ${run.id} has no job.`, run: run.id });
      return collect({
        context,
        machine,
        jobId: job.jobId,
        runId: run.id,
        generator: part.index,
        makeParser: parserOf(context, run, part),
        onFinding: ({ message, evidence }) =>
          control.notice(
            'warn',
            `${runWords(context, run)}: ${evidence ? `${message.slice(0, -1)}: ${evidence}` : message}`,
          ),
        onChanged: () => {
          control.onChanged();
          steady?.check();
        },
        signal,
      });
    }),
  ).finally(async () => {
    over.abort();
    await kept;
    await scenario;
    await steady?.settled();
  });
  await captures.after();
  if (!control.ended()) await takeSizes(context, current, 'end', control);
  const ended = context.store.runs.get(run.id) ?? current;
  // A user's statement or command may restart the server.
  const against =
    control.ended() || isAct(step)
      ? []
      : await proofOf(context, { run: ended, step, before, isGood: collected.every(isWhole) }, control);
  const unsteady = steady && collected.every(isWhole) ? steady.findings(collected) : [];
  return conclude(context, ended, generators, collected, [...unsteady, ...against], control);
}

const isWhole = (collected: Collected): boolean =>
  collected.lost === undefined && (collected.outcome.ok || endedSteady(collected));

/** Fails a run whose tool was never started. */
export const failBeforeLaunch = (context: TrialContext, run: RunRow, error: KneepointError): RunRow =>
  failed(context, run, error, { partial: false, startedAt: null });

const failed = (
  context: TrialContext,
  run: RunRow,
  error: KneepointError,
  how: Pick<RunRow, 'partial'> & Partial<Pick<RunRow, 'startedAt'>>,
): RunRow =>
  moveRun(context, run.id, 'fail', {
    message: describeProblem(error.problem),
    endedAt: context.clock.now(),
    ...how,
    findings: [
      {
        code: error.code,
        severity: 'error',
        message: error.message,
        ...(error.problem.next && { next: error.problem.next }),
      },
    ],
  });

/** Whether a refused start concerns this trial, not the connection to the host. */
const isRunsOwnFault = (error: KneepointError): boolean =>
  [
    'tool-missing',
    'tool-too-old',
    'device-refused',
    'read-only',
    'run-failed',
    'bad-request',
    'target-unreachable',
    'job-lost',
  ].includes(error.code);

/** Ends the jobs that an earlier start of this run left on their hosts. Undefined if there is none. */
async function endLeftoverJobs(
  context: TrialContext,
  run: RunRow,
  generators: readonly Generator[],
  control: TrialControl,
): Promise<RunRow | undefined> {
  const { signal } = control;
  const outcome = await Promise.all(
    generators.map(async ({ machine, part }) => {
      const jobId = run.jobs[part.index]?.jobId;
      if (jobId === undefined) return false;
      const status = await untilReachable(machine, control, () => context.jobs.status(machine, jobId, signal));
      if (status.state === 'gone') return false;
      await untilReachable(machine, control, () => context.jobs.stop(machine, jobId, { cause: 'stop', signal }));
      return true;
    }),
  );
  if (run.jobs.length === 0 || (run.state !== 'running' && !outcome.includes(true))) return undefined;
  return moveRun(context, run.id, 'run');
}

/** Ends a run that a user ended before its tool was started. */
export const neverStarted = (context: TrialContext, run: RunRow, control: TrialControl): RunRow =>
  moveRun(context, run.id, control.ended() === 'stopped' ? 'stop' : 'skip', {
    message: control.why?.() ?? 'Stopped by user before it was started.',
    startedAt: null,
    endedAt: context.clock.now(),
  });

type Wait = ReturnType<NonNullable<Tool['waits']>>;

/**
 * Runs a step that waits to its end, without a job. After the app was closed the wait continues, and its time and patience count from its start.
 * Throws `cancelled` when the app closes.
 */
async function executeWait(
  context: TrialContext,
  run: RunRow,
  step: Step,
  wait: Wait,
  control: TrialControl,
): Promise<RunRow> {
  const { clock } = context;
  const isReattached = run.state === 'running';
  const current = isReattached ? run : begin(context, run, step);
  control.onChanged();
  const before = isReattached ? Math.max(0, clock.now() - (current.startedAt ?? clock.now())) / 1000 : 0;
  const end = (trigger: 'finish' | 'fail' | 'skip' | 'stop', how: Parameters<typeof moveRun>[3]): RunRow =>
    moveRun(context, run.id, trigger, { endedAt: clock.now(), partial: trigger !== 'finish', ...how });
  try {
    const { what, read } = conditionOf(context, step, wait.until, control);
    const waited = control.ended()
      ? undefined
      : await waitUntil({ read }, wait.seconds - before, {
          clock,
          signal: control.signal,
          asked: () => control.ended() !== undefined,
        });
    if (control.signal.aborted)
      throw new KneepointError({ code: 'cancelled', message: 'The wait was interrupted: Kneepoint is closing.' });
    if (!waited) return end(control.ended() === 'stopped' ? 'stop' : 'skip', { message: endedWords(control) });
    const seconds = before + waited.seconds;
    const figures = { summary: { took_s: Number(seconds.toFixed(3)) } };
    const interrupted = isReattached ? [interruptedFinding(seconds)] : [];
    if (waited.busy.length === 0) {
      control.notice('info', `Trial ${run.trial + 1}: waited ${formatDuration(seconds)} until ${what}.`);
      return end('finish', { ...figures, findings: [...current.findings, ...interrupted] });
    }
    const message = `Timed out after ${formatDuration(seconds)}, waiting until ${what}. Last check: ${waited.busy.join('; ')}.`;
    const ranOut: Finding = {
      code: 'wait-ran-out',
      severity: wait.fails ? 'error' : 'warn',
      message,
      next: 'Allow a longer wait with “at-most” in the step.',
    };
    const findings = [...current.findings, ...interrupted, ranOut];
    if (wait.fails) return end('fail', { message, findings });
    control.notice('warn', `Trial ${run.trial + 1}: ${message}`);
    return end('finish', { ...figures, findings });
  } catch (error) {
    if (control.signal.aborted || !(error instanceof KneepointError) || !problemKind(error)?.endsTrial) throw error;
    const { next } = error.problem;
    const finding: Finding = { code: error.code, severity: 'error', message: error.message, ...(next && { next }) };
    return end('fail', { message: describeProblem(error.problem), findings: [...current.findings, finding] });
  }
}

/** Moves through both states at once: a run in the launching state has a job. */
function begin(context: TrialContext, run: RunRow, step: Step): RunRow {
  const { tool } = stepOf(context, run);
  const { run: shown } = commandsOf(context, tool, step, { seed: 0, connection: { kind: 'host' } });
  return context.store.atomically(() => {
    moveRun(context, run.id, 'launch', {
      command: context.shownCommand(shown),
      startedAt: run.startedAt ?? context.clock.now(),
    });
    return moveRun(context, run.id, 'run');
  });
}

const endedWords = (control: TrialControl): string =>
  control.ended() === 'stopped' ? 'Stopped by user.' : 'Skipped by user.';

const interruptedFinding = (seconds: number): Finding => ({
  code: 'wait-interrupted',
  severity: 'note',
  message: `Kneepoint was closed during this wait, which took ${formatDuration(seconds)} or less.`,
});
