import { z } from 'zod';
import { problemOf } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { RunsContext } from './context.ts';

/** The host's copy of a sealed run is kept this long: the last resort, should the library be lost. */
const KEPT_DAYS = 7;
const SETTING = 'runs.jobs-on-hosts';
const Kept = z.array(z.object({ host: z.string(), jobId: z.string(), until: z.number() }));

const read = (context: RunsContext): z.infer<typeof Kept> => Kept.catch([]).parse(context.store.settings.get(SETTING));

/** Notes that a job's folder may be removed from its host in a week. */
export function keepForAWhile(context: RunsContext, job: { host: string; jobId: string }): void {
  const until = context.clock.now() + KEPT_DAYS * 86_400_000;
  context.store.settings.set(SETTING, [...read(context), { host: job.host, jobId: job.jobId, until }]);
}

/** Removes what was kept long enough on this host. A folder that cannot be removed is tried again next time. */
export async function removeOldJobs(context: RunsContext, machine: Machine): Promise<void> {
  const now = context.clock.now();
  const due = read(context).filter((job) => job.host === machine.name && job.until < now);
  const removed = new Set<string>();
  for (const { jobId } of due) {
    try {
      const { state } = await context.jobs.status(machine, jobId);
      if (state !== 'gone') await context.jobs.remove(machine, jobId);
      removed.add(jobId);
    } catch (error) {
      context.log.warn('an old job folder could not be removed', {
        host: machine.name,
        job: jobId,
        message: problemOf(error).message,
      });
    }
  }
  if (removed.size > 0) {
    context.store.settings.set(
      SETTING,
      read(context).filter((job) => !removed.has(job.jobId)),
    );
  }
}
