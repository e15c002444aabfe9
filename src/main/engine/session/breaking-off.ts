import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import { moveRun, type RunsContext, type SessionRecord } from '../runs/index.ts';

/** Circumstances in which a session could not continue. */
export interface Circumstances {
  /** The app closes. */
  closing: boolean;
  /** A user abandoned a host that does not respond. */
  givenUp: boolean;
  /** A user requested a stop. */
  stopping: boolean;
}

/** Stores the outcome of an interrupted session. If even that cannot be stored, the session is found interrupted later, and can be continued. */
export function breakOff(context: RunsContext, record: SessionRecord, error: unknown, how: Circumstances): void {
  try {
    state(context, record, error, how);
  } catch (second) {
    context.log.error('the end of a session could not be stored', {
      session: record.id,
      message: problemOf(error).message,
      storing: problemOf(second).message,
    });
  }
}

function state(context: RunsContext, record: SessionRecord, error: unknown, how: Circumstances): void {
  const problem = problemOf(error);
  if (how.closing) {
    // A user's request stays in the state, and counts when the session continues.
    record.move('close', 'Kneepoint was closed. Jobs on the host keep running; resume the session to continue.');
    return;
  }
  if (how.givenUp) loseOpenRuns(context, record);
  const open = record.openRuns().length > 0;
  if (how.stopping && !open) {
    record.end('stop', 'Stopped by user.');
    return;
  }
  record.log('error', describeProblem(problem));
  context.log.error('session ended by an error', {
    session: record.id,
    code: problem.code,
    message: problem.message,
  });
  // With a job still on the host nothing is lost yet: the session can be continued once the cause is fixed.
  if (open) record.move('interrupt', describeProblem(problem));
  else record.end('fail', describeProblem(problem));
}

/** Hosts that do not respond; all of them if none is known to be down. */
function hostsGivenUp(context: RunsContext, hosts: readonly string[]): readonly string[] {
  const silent = hosts.filter((host) => context.machines.get(host).link().state !== 'up');
  return silent.length > 0 ? silent : hosts;
}

function loseOpenRuns(context: RunsContext, record: SessionRecord): void {
  for (const run of record.openRuns()) {
    const host = hostsGivenUp(
      context,
      run.jobs.map((job) => job.host),
    ).join(', ');
    moveRun(context, run.id, 'lose', {
      message: `${host} could not be reached and was abandoned; its tool may still be running there. Recorded data is kept.`,
      partial: true,
      endedAt: context.clock.now(),
    });
  }
}
