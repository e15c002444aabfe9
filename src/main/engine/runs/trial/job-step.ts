import { randomUUID } from 'node:crypto';
import { KneepointError } from '../../../../shared/model/problem.ts';
import type { ExitStatus } from '../../../../shared/model/session.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { Parser, Step, Tool } from '../../tools/tool.ts';
import type { RunsContext, SessionContext } from '../context.ts';
import { untilReachable } from '../reachable.ts';
import { exitOf } from './collect.ts';
import type { TrialControl } from './control.ts';
import { launchStep } from './launch-step.ts';
import { decodeLine, splitLines } from './lines.ts';

const KEPT_LINES = 2000;
const SHOWN_LINES = 20;

type StepJob = Omit<NonNullable<SessionContext['prepareJob']>, 'key'>;

/** What a step is planned from, and the devices that it may overwrite. */
export interface StepWork extends Pick<SessionContext, 'granted'> {
  tool: Tool;
  options: Record<string, unknown>;
}

export interface JobStep {
  kind: StepJob['step'];
  step: Step;
  /** The job of this step that an earlier start left under way. */
  underWay: StepJob | undefined;
  /** Stored before the launch and after the end, so that a restart follows the job instead of starting it twice. */
  save(job: StepJob | undefined): void;
}

/**
 * Runs a prepare or clean-up step to its end as a job that survives us. When it fails, its last lines go to the session's log,
 * and `run-failed` says what the tool's own parser makes of them.
 */
export async function runJobStep(
  context: RunsContext,
  work: StepWork,
  machine: Machine,
  control: TrialControl,
  { kind, step, underWay, save }: JobStep,
): Promise<void> {
  const job: StepJob = underWay ?? { host: machine.name, jobId: randomUUID(), step: kind };
  save(job);
  control.notice('info', `${kind === 'prepare' ? 'Preparing' : 'Cleaning up'}: ${context.shownCommand(step)}`);
  await launchStep(context, work, machine, control, { step, jobId: job.jobId });
  // A person may have stopped the session while the step was being launched, before there was anything to end.
  if (control.ended()) await context.jobs.stop(machine, job.jobId, { cause: 'stop', signal: control.signal });
  const parser = work.tool.parser(kind, work.options, {
    sample: () => {},
    finding: (finding) => control.notice('warn', finding.message),
    unparsed: () => {},
  });
  const { lines, exit } = await readJob(context, machine, job.jobId, parser, control.signal);
  const outcome = parser.end(exit);
  save(undefined);
  if (outcome.ok) return;
  if (lines.length > 0) control.notice('error', lines.slice(-SHOWN_LINES).join('\n'));
  const reason = outcome.reason?.message ?? exit.unknown ?? `exit code ${exit.code}`;
  throw new KneepointError({
    code: 'run-failed',
    message: `${kind === 'prepare' ? 'Preparing the data' : 'Cleaning up'} failed: ${reason}`,
    host: machine.name,
    safe: 'No trial was started on it.',
    ...(outcome.reason?.next && { next: outcome.reason.next }),
  });
}

/** Feeds a job's whole output to a parser; gives its last lines and its exit. */
async function readJob(
  context: RunsContext,
  machine: Machine,
  jobId: string,
  parser: Parser,
  signal: AbortSignal,
): Promise<{ lines: string[]; exit: ExitStatus }> {
  const lines: string[] = [];
  const take = (text: string, stream: 'stdout' | 'stderr', cut: boolean): void => {
    parser.line(text, stream, cut);
    if (lines.push(text) > KEPT_LINES) lines.shift();
  };
  for (const stream of ['stdout', 'stderr'] as const) {
    let rest: Uint8Array = new Uint8Array(0);
    for await (const chunk of context.jobs.follow(machine, jobId, stream, 0, signal)) {
      const bytes = Buffer.concat([rest, chunk.bytes]);
      const split = splitLines(bytes);
      rest = bytes.subarray(split.used);
      for (const line of split.lines) take(line.text, stream, line.cut);
    }
    if (rest.length > 0) take(decodeLine(rest), stream, true);
  }
  if (signal.aborted) throw new KneepointError({ code: 'cancelled', message: 'Interrupted while preparing data.' });
  const status = await untilReachable(machine, { signal }, () => context.jobs.status(machine, jobId, signal));
  return { lines, exit: exitOf(status) };
}
