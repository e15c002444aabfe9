import { randomUUID } from 'node:crypto';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ExitStatus } from '../../../shared/model/session.ts';
import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import { readProgram, requireDevices } from '../facts/index.ts';
import type { Machine } from '../hosts/machine.ts';
import { type JobStatus, mayBeAtWork } from '../jobs/job.ts';
import { decodeLine, jobOf, takeLines, untilReachable, type Waiting } from '../runs/index.ts';
import type { StepJob } from '../store/store.ts';
import type { Command, Parser, ToolReader } from '../tools/tool.ts';
import { type JobOwner, noteSecrets, removeLeftoverSecrets, secretsGone } from '../world/index.ts';
import { exitOf } from './collect.ts';
import type { TrialContext, TrialControl } from './context.ts';

/** For a failed step: number of its last lines in the log, and letters of each. */
const SHOWN_LINES = 20;
const SHOWN_LETTERS = 4000;

type Job = Omit<StepJob, 'key'>;

/** Input of a step's plan, and the devices that it may overwrite. */
export interface StepWork extends Pick<SessionSnapshot, 'granted'> {
  tool: ToolReader;
  /** Absent for work that a user requested outside of a session. */
  sessionId?: number;
  options: Record<string, unknown>;
}

export interface JobStep {
  kind: Job['step'];
  command: Command;
  /** The job of this step that an earlier start left under way. */
  underWay: Job | undefined;
  /** Called before the launch and after the end, so a restart follows the job instead of starting it twice. */
  save(job: Job | undefined): void;
}

/**
 * Runs a prepare or clean-up step to its end as a job that survives the app. If it fails, its last lines go to the session's log, and `run-failed`
 * has the reason found by the tool's own parser. Throws `job-lost` if its end is unknown: it can be started again.
 */
export async function runJobStep(
  context: TrialContext,
  work: StepWork,
  machine: Machine,
  control: TrialControl,
  { kind, command, underWay, save }: JobStep,
): Promise<void> {
  const job: Job = underWay ?? { host: machine.name, jobId: randomUUID(), step: kind };
  save(job);
  control.notice('info', `${kind === 'prepare' ? 'Preparing' : 'Cleaning up'}: ${context.shownCommand(command)}`);
  const parser = work.tool.parser(kind, work.options, {
    sample: () => {},
    finding: (finding) => control.notice('warn', finding.message),
    unparsed: () => {},
  });
  context.jobsAtWork.add(job.jobId);
  const { lines, exit, ended } = await launchAndRead(
    context,
    work,
    machine,
    control,
    { command, jobId: job.jobId },
    parser,
  )
    .finally(() => context.jobsAtWork.delete(job.jobId))
    .catch(async (error: unknown) => {
      if (!(error instanceof KneepointError) || error.code !== 'job-lost') throw error;
      await endLost(context, machine, job, control, save);
      throw lostStep(work, kind, error);
    });
  const outcome = parser.end(exit);
  save(undefined);
  if (ended) secretsGone(context, job);
  else await removeLeftoverSecrets(context, machine, control.signal);
  if (outcome.ok) return;
  if (lines.length > 0) control.notice('error', lines.join('\n'));
  const reason = outcome.reason?.message ?? exit.unknown ?? `exit code ${exit.code}`;
  throw new KneepointError({
    code: 'run-failed',
    message: `${kind === 'prepare' ? 'Preparing the data' : 'Cleaning up'} failed: ${reason}`,
    host: machine.name,
    safe: 'No trial was started on this data.',
    ...(outcome.reason?.next && { next: outcome.reason.next }),
  });
}

/**
 * Ends what may be left of a job whose own end is unknown, to allow a new start of the step. While something of it cannot be ended, it stays the job
 * under way.
 */
async function endLost(
  context: TrialContext,
  machine: Machine,
  { jobId }: Job,
  control: TrialControl,
  save: JobStep['save'],
): Promise<void> {
  const { signal } = control;
  const status = await untilReachable(machine, control, () => context.jobs.status(machine, jobId, signal));
  if (mayBeAtWork(status)) {
    const { left } = await untilReachable(machine, control, () =>
      context.jobs.stop(machine, jobId, { cause: 'stop', signal }),
    );
    if (left > 0) return;
  }
  save(undefined);
  await removeLeftoverSecrets(context, machine, signal);
}

const lostStep = ({ sessionId }: StepWork, kind: Job['step'], cause: KneepointError): KneepointError =>
  new KneepointError(
    {
      ...cause.problem,
      message: `${kind === 'prepare' ? 'Preparing the data' : 'Cleaning up'} was interrupted: ${cause.message}`,
      safe: 'No trial was started on this data.',
      next: sessionId === undefined ? 'Clean up again.' : 'Resume the session: it repeats this step from the start.',
    },
    { cause },
  );

async function launchAndRead(
  context: TrialContext,
  work: StepWork,
  machine: Machine,
  control: TrialControl,
  launch: { command: Command; jobId: string },
  parser: Parser,
): ReturnType<typeof readJob> {
  const owner = { sessionId: work.sessionId ?? null, runId: null };
  await launchStep(context, work, machine, control, { ...launch, owner });
  const { signal } = control;
  // A user may have stopped the session while the step was being launched, before there was anything to end.
  if (control.ended()) await context.jobs.stop(machine, launch.jobId, { cause: 'stop', signal });
  return readJob(context, machine, launch.jobId, parser, signal);
}

/** Feeds a job's whole output to a parser. Resolves with its last lines and its exit. */
async function readJob(
  context: TrialContext,
  machine: Machine,
  jobId: string,
  parser: Parser,
  signal: AbortSignal,
): Promise<{ lines: string[]; exit: ExitStatus; ended: boolean }> {
  const abort = new AbortController();
  const over = AbortSignal.any([signal, abort.signal]);
  const lines: string[] = [];
  const take = (text: string, stream: 'stdout' | 'stderr', cut: boolean): void => {
    parser.line(text, stream, cut);
    if (lines.push(text.slice(0, SHOWN_LETTERS)) > SHOWN_LINES) lines.shift();
  };
  let last: JobStatus | undefined;
  const read = async (stream: 'stdout' | 'stderr'): Promise<void> => {
    let rest: Uint8Array = new Uint8Array(0);
    const onEnd = (seen: JobStatus): void => {
      last = seen;
    };
    for await (const chunk of context.jobs.follow(machine, jobId, stream, 0, over, { onEnd })) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk.bytes]) : chunk.bytes;
      rest = bytes.subarray(takeLines(bytes, (text, cut) => take(text, stream, cut)));
    }
    if (rest.length > 0) take(decodeLine(rest), stream, true);
  };
  // Only the end of the index matters.
  const readIndex = async (): Promise<void> => {
    for await (const _chunk of context.jobs.follow(machine, jobId, 'index', 0, over));
  };
  await Promise.all([read('stdout'), read('stderr'), readIndex()]).finally(() => abort.abort());
  if (signal.aborted) throw new KneepointError({ code: 'cancelled', message: 'Interrupted while preparing data.' });
  const status = last ?? (await untilReachable(machine, { signal }, () => context.jobs.status(machine, jobId, signal)));
  return { lines, exit: exitOf(status), ended: status.state === 'ended' };
}

interface Launch {
  command: Command;
  jobId: string;
  waitSeconds?: number;
  owner: JobOwner;
}

/**
 * Starts a step as a job, once, however often the reply is lost. Checks the devices that it overwrites again before each attempt: hours may lie
 * between two, and someone may have mounted a device meanwhile. An existing job has the device open itself.
 */
export async function launchStep(
  context: TrialContext,
  session: Pick<SessionSnapshot, 'granted'>,
  machine: Machine,
  waiting: Waiting,
  { command, jobId, waitSeconds, owner }: Launch,
): Promise<void> {
  const { signal } = waiting;
  const devices = command.overwrites ?? [];
  const shared = (command.programs ?? []).map(({ name, path }) => ({ name, content: readProgram(path) }));
  await untilReachable(machine, waiting, async () => {
    if (devices.length > 0 && (await context.jobs.status(machine, jobId, signal)).state === 'gone')
      await requireDevices(session.granted ?? [], machine, devices, signal);
    const job = { ...jobOf(command, jobId, waitSeconds), shared };
    await noteSecrets(context, machine, job, owner, signal);
    return context.jobs.launch(machine, job, signal);
  });
}
