import type { EngineFinding } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { Machine } from '../hosts/machine.ts';
import { mayBeAtWork } from '../jobs/job.ts';
import { untilReachable, type Waiting } from '../runs/index.ts';
import type { Stray } from '../store/store.ts';
import type { WatchingContext } from './context.ts';
import { endMonitorLeft } from './left.ts';

/**
 * Ends the tools of earlier trials and steps on a host whose end was not seen: their output was cut off, or the host was abandoned. Otherwise they
 * would load the target during what is about to start. Resolves with findings on processes that could not be ended.
 */
export async function endStrays(context: WatchingContext, machine: Machine, waiting: Waiting): Promise<Finding[]> {
  const { store, jobs } = context;
  const { signal } = waiting;
  const left: Finding[] = [];
  for (const stray of store.jobs.strays(machine.name)) {
    const { jobId } = stray;
    // A session that is ending now handles its own monitors.
    if (context.jobsAtWork.has(jobId)) continue;
    if (stray.kind === 'monitor') {
      const processes = await untilReachable(machine, waiting, () => endMonitorLeft(context, machine, stray, signal));
      if (processes > 0) left.push(overlap(machine.name, wordsOn(context, stray), processes));
      continue;
    }
    const status = await untilReachable(machine, waiting, () => jobs.status(machine, jobId, signal));
    if (mayBeAtWork(status)) {
      const owner = wordsOn(context, stray);
      waiting.notice?.('warn', `The tool of ${owner} is still running on ${machine.name}; ending it first.`);
      const stopped = await untilReachable(machine, waiting, () =>
        jobs.stop(machine, jobId, { cause: 'stop', signal }),
      );
      if (stopped.left > 0) {
        left.push(overlap(machine.name, owner, stopped.left));
        continue;
      }
    }
    store.jobs.jobEnded(machine.name, jobId);
  }
  return left;
}

const overlap = (host: string, owner: string, left: number): EngineFinding => ({
  code: 'overlapping-load',
  severity: 'warn',
  message: `This trial ran in parallel with ${left} ${left === 1 ? 'process' : 'processes'} of ${owner} on ${host} that could not be ended: both put load on the target.`,
  next: 'End them on the host, then measure this trial again.',
});

function wordsOn({ store }: WatchingContext, { runId, sessionId, kind }: Stray): string {
  const run = runId === null ? undefined : store.runs.get(runId);
  if (run) return `trial ${run.trial + 1} of session ${run.sessionId}`;
  if (sessionId === null) return 'a deleted session';
  return kind === 'monitor' ? `the monitors of session ${sessionId}` : `the data preparation of session ${sessionId}`;
}
