import { randomUUID } from 'node:crypto';
import type { Machine } from '../hosts/machine.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import { untilReachable } from '../runs/index.ts';
import type { MonitorJob, Source } from '../store/store.ts';
import { keepForAWhile, noteSecrets, removeLeftoverSecrets, secretsGone } from '../world/index.ts';
import type { WatchingContext } from './context.ts';

/** A monitor without contact to the app ends by itself after the planned time of its session and this. */
const BEYOND_PLAN_S = 2 * 3600;

/** The source of the jobs, and the machine that they run on. */
export interface Watched {
  sessionId: number;
  source: Source;
  machine: Machine;
  /** Planned seconds of the session. */
  plannedSeconds: number;
}

/** Seconds that a monitor runs without contact to the app; each contact starts them anew. */
export const limitOf = ({ plannedSeconds }: Pick<Watched, 'plannedSeconds'>): number =>
  Math.ceil(plannedSeconds) + BEYOND_PLAN_S;

/** Jobs whose end has not been seen. */
export const openJobs = (
  { store }: Pick<WatchingContext, 'store'>,
  { source }: Pick<Watched, 'source'>,
): MonitorJob[] => store.monitored.jobs(source.id).filter(({ ended }) => !ended);

/** Stored before the launch: a restart attaches to it instead of starting a second one. */
export function beginJob({ store }: WatchingContext, { sessionId, source, machine }: Watched): MonitorJob {
  const job = { jobId: randomUUID(), sourceId: source.id, host: machine.name };
  store.atomically(() => {
    store.jobs.beginMonitor(sessionId, job);
    store.monitored.beginJob(job);
  });
  return { ...job, readBytes: 0, ended: false };
}

/** Starts the job, or attaches to it; waits for its host. Calls `spec` at each attempt, once its host has responded: before that nothing is noted. */
export async function launchJob(
  context: WatchingContext,
  watched: Watched,
  { jobId }: Pick<MonitorJob, 'jobId'>,
  spec: () => MonitorProgram['job'] | Promise<MonitorProgram['job']>,
  signal: AbortSignal,
): Promise<void> {
  const { sessionId, machine } = watched;
  await untilReachable(machine, { signal }, async () => {
    await machine.exec('exit 0', { signal });
    const job = { id: jobId, ...(await spec()), limitSeconds: limitOf(watched) };
    await noteSecrets(context, machine, job, { sessionId, runId: null }, signal);
    await context.jobs.launch(machine, job, signal);
  });
}

/** Whether it was ever launched; waits for its host. */
export async function isOnHost(
  { jobs }: WatchingContext,
  machine: Machine,
  { jobId }: Pick<MonitorJob, 'jobId'>,
  signal: AbortSignal,
): Promise<boolean> {
  const status = await untilReachable(machine, { signal }, () => jobs.status(machine, jobId, signal));
  return status.state !== 'gone';
}

/** Whether its host reports that nothing of it is running any more. */
export async function hasEnded(
  { jobs }: WatchingContext,
  machine: Machine,
  { jobId }: Pick<MonitorJob, 'jobId'>,
  signal: AbortSignal,
): Promise<boolean> {
  const status = await jobs.status(machine, jobId, signal);
  return status.state === 'ended' || (status.state === 'lost' && status.tool === 'gone');
}

/** Marks a job as ended: no more output is expected. `seen`: its end was seen, so its supervisor has removed its secrets. */
export async function endJob(
  context: Pick<WatchingContext, 'store' | 'clock' | 'jobs' | 'jobsAtWork' | 'hostsChanged' | 'log'>,
  job: Pick<MonitorJob, 'jobId' | 'host'>,
  { machine, seen, signal }: { machine: Machine; seen: boolean; signal: AbortSignal },
): Promise<void> {
  const { store } = context;
  store.atomically(() => {
    store.monitored.endJob(job.jobId);
    store.jobs.jobEnded(job.host, job.jobId);
  });
  keepForAWhile(context, job);
  if (seen) secretsGone(context, job);
  else await removeLeftoverSecrets(context, machine, signal);
}
