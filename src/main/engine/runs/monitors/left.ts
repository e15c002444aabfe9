import { problemOf } from '../../../../shared/model/problem.ts';
import type { Machine } from '../../hosts/machine.ts';
import type { Stray } from '../../store/store.ts';
import type { RunsContext } from '../context.ts';
import { mayBeAtWork } from '../strays.ts';
import { keepForAWhile } from '../tidy.ts';

type Context = Pick<RunsContext, 'store' | 'clock' | 'jobs' | 'hostsChanged' | 'log'> & {
  jobsAtWork: ReadonlySet<string>;
};

/** Programs that still watch a host although their session has ended: the host was out of reach then. */
export const monitorsLeft = ({ store, jobsAtWork }: Pick<Context, 'store' | 'jobsAtWork'>, host: string): Stray[] =>
  store.jobs.strays(host).filter(({ kind, jobId }) => kind === 'monitor' && !jobsAtWork.has(jobId));

/** Ends them. What they have seen since the end of their session belongs to nothing. One that cannot be ended is tried again at the next contact. */
export async function endMonitorsLeft(context: Context, machine: Machine, signal?: AbortSignal): Promise<void> {
  const { store, jobs, log } = context;
  for (const { jobId } of monitorsLeft(context, machine.name)) {
    try {
      const status = await jobs.status(machine, jobId, signal);
      if (mayBeAtWork(status)) {
        const { left } = await jobs.stop(machine, jobId, { cause: 'stop', graceSeconds: 2, ...(signal && { signal }) });
        if (left > 0) continue;
      }
      store.atomically(() => {
        store.monitored.endJob(jobId);
        store.jobs.jobEnded(machine.name, jobId);
      });
      if (status.state !== 'gone') keepForAWhile(context, { host: machine.name, jobId });
      context.hostsChanged();
    } catch (error) {
      if (signal?.aborted) return;
      const message = problemOf(error).message;
      log.warn('a program that watches a host could not be ended', { host: machine.name, job: jobId, message });
    }
  }
}
