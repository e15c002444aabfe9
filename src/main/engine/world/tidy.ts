import { problemOf } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { WorldContext } from './context.ts';

/** The host's copy of a sealed run is kept this long: the last resort, should the library be lost. */
const KEPT_MS = 7 * 86_400_000;

/** Notes that a job's folder may be removed from its host in a week. */
export function keepForAWhile(
  context: Pick<WorldContext, 'store' | 'clock'>,
  job: { host: string; jobId: string },
): void {
  context.store.jobs.removeAfter(job, context.clock.now() + KEPT_MS);
}

/** Removes what was kept long enough on this host. A folder that cannot be removed is tried again next time. */
export async function removeOldJobs(context: WorldContext, machine: Machine): Promise<void> {
  const { jobs } = context.store;
  for (const jobId of jobs.due(machine.name, context.clock.now())) {
    try {
      const { state } = await context.jobs.status(machine, jobId);
      if (state !== 'gone') await context.jobs.remove(machine, jobId);
      jobs.removed(machine.name, jobId);
    } catch (error) {
      context.log.warn('an old job folder could not be removed', {
        host: machine.name,
        job: jobId,
        message: problemOf(error).message,
      });
    }
  }
}
