import { describeProblem, problemOf } from '../../../shared/model/problem.ts';
import { LOADING_SESSION } from '../../../shared/model/states.ts';
import type { Machine } from '../hosts/machine.ts';
import type { JobSpec } from '../jobs/job.ts';
import type { Identity } from '../store/store.ts';
import type { WorldContext } from './context.ts';
import { machineIdentity, machineMismatch } from './identity.ts';

type Context = Pick<WorldContext, 'store' | 'clock' | 'jobs' | 'hostsChanged' | 'log'> & {
  jobsAtWork: ReadonlySet<string>;
};

/** Owner of a job; null for work that a user requested outside of a session. */
export interface JobOwner {
  sessionId: number | null;
  runId: number | null;
}

const placeOf = (host: string) => ({ kind: 'host', name: host }) as const;

/** Notes in the journal, before the launch, that secrets of a job will be on a host. The supervisor removes them when the tool has ended. */
export async function noteSecrets(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  machine: Machine,
  { id, files }: Pick<JobSpec, 'id' | 'files'>,
  owner: JobOwner,
  signal: AbortSignal,
): Promise<void> {
  if (!files.some(({ secret }) => secret) || entryOf(store, machine.name, id)) return;
  const identity = await machineIdentity(machine, signal);
  store.journal.write({
    ...owner,
    identity,
    place: placeOf(machine.name),
    what: `Files of job ${id}, with a password`,
    oldValue: null,
    wanted: 'kept while the tool runs',
    undo: { kind: 'remove-secret-files', jobId: id },
    writtenAt: clock.now(),
  });
}

/** Closes the entry: the end of the job was seen, so its supervisor has removed the secrets. */
export function secretsGone({ store, clock }: Context, { host, jobId }: { host: string; jobId: string }): void {
  const entry = entryOf(store, host, jobId);
  if (entry) store.journal.close(entry.id, 'restored', clock.now());
}

/** Removes secrets left on a host by supervisors that were killed, or went down with the host. Those that cannot be removed stay listed. */
export async function removeLeftoverSecrets(context: Context, machine: Machine, signal?: AbortSignal): Promise<void> {
  const { store, clock, jobs, log } = context;
  let here: Promise<Identity> | undefined;
  for (const { id, undo, runId, sessionId, identity } of store.journal.open(placeOf(machine.name))) {
    if (undo.kind !== 'remove-secret-files' || isAtWork(context, undo.jobId, { runId, sessionId })) continue;
    try {
      here ??= machineIdentity(machine, signal);
      // On another machine there is nothing to remove, and the file would count as gone.
      const mismatch = machineMismatch(machine.name, identity, await here);
      if (mismatch !== undefined) {
        store.journal.note(id, { message: mismatch });
        context.hostsChanged();
        continue;
      }
      if ((await jobs.removeSecrets(machine, undo.jobId, signal)) !== 'removed') continue;
      store.journal.close(id, 'restored', clock.now());
      context.hostsChanged();
    } catch (error) {
      if (signal?.aborted) return;
      const message = describeProblem(problemOf(error));
      store.journal.note(id, { message });
      context.hostsChanged();
      log.warn('a password file could not be removed from a host', { host: machine.name, job: undo.jobId, message });
    }
  }
}

/** Whether a host may hold any. */
export const hasLeftoverSecrets = ({ store }: Pick<Context, 'store'>, host: string): boolean =>
  store.journal.open(placeOf(host)).length > 0;

/** Whether the job is being launched, or runs, or did so when the app ended: its secrets must stay, and its own end handles them. */
function isAtWork({ store, jobsAtWork }: Context, jobId: string, { runId, sessionId }: JobOwner): boolean {
  if (jobsAtWork.has(jobId)) return true;
  if (sessionId === null) return false;
  const { state } = store.sessions.get(sessionId) ?? {};
  const mayGoOn = state !== undefined && LOADING_SESSION.includes(state);
  return (
    (mayGoOn && store.jobs.step(sessionId)?.jobId === jobId) ||
    store.runs.open(sessionId).some(({ id }) => id === runId)
  );
}

const entryOf = (store: Context['store'], host: string, jobId: string) =>
  store.journal.open(placeOf(host)).find(({ undo }) => undo.kind === 'remove-secret-files' && undo.jobId === jobId);

/** How long the host's copy of a sealed run is kept: the last resort if the library is lost. */
const KEPT_MS = 7 * 86_400_000;

/** Schedules the removal of a job's folder from its host in a week. */
export function keepForAWhile(
  context: Pick<WorldContext, 'store' | 'clock'>,
  job: { host: string; jobId: string },
): void {
  context.store.jobs.removeAfter(job, context.clock.now() + KEPT_MS);
}

/** Removes folders on this host whose time is over. A folder that cannot be removed is tried again next time. */
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
