import { type LeftBehind, LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { OPEN_RUN } from '../../../shared/model/states.ts';
import type { JournalEntry } from '../store/store.ts';
import { leftoverMonitors } from '../watching/index.ts';
import { leftoverClaims } from '../world/index.ts';
import type { ApiContext } from './context.ts';

type Context = Pick<ApiContext, 'store' | 'sessions' | 'runs'>;

/** Changes on hosts and servers that Kneepoint has not been able to undo yet, except those that a running job needs. */
export const leftBehind = (context: Context): LeftBehind[] => [
  ...leftoversOf(context, context.store.journal.open()),
  ...monitors(context),
  ...claims(context),
];

export const leftoversOnHosts = (context: Context): LeftBehind[] => [
  ...leftoversOf(
    context,
    context.store.journal.open().filter(({ place }) => place.kind === 'host'),
  ),
  ...monitors(context),
  ...claims(context),
];

/** Programs that monitor hosts for sessions that have ended. */
const monitors = ({ store, runs }: Context): LeftBehind[] =>
  [LOCAL_HOST_NAME, ...store.hosts.list().map(({ spec }) => spec.name)].flatMap((host) =>
    leftoverMonitors(runs, host).map(({ sessionId }) => {
      const session = sessionId === null ? undefined : store.sessions.get(sessionId);
      const since = session?.endedAt;
      return {
        host,
        what: `Monitoring program of ${session ? `session ${session.id}` : 'a removed session'}`,
        ...(typeof since === 'number' && { since }),
        next: `Kneepoint stops it at the next contact with ${host}.`,
      };
    }),
  );

/** Claims of sessions that have restored everything. */
const claims = ({ runs }: Context): LeftBehind[] =>
  leftoverClaims(runs).map(({ host, path }) => ({
    host,
    what: `${path}, the marker of a session that varied settings here`,
    next: `Kneepoint removes it at the next contact with ${host}.`,
  }));

const leftoversOf = (context: Context, entries: readonly JournalEntry[]): LeftBehind[] =>
  entries
    .filter((entry) => entry.undo.kind === 'remove-secret-files' && !isNeeded(context, entry))
    .map((entry) => ({
      host: entry.place.name,
      what: entry.what,
      since: entry.writtenAt,
      ...(entry.message !== null && { message: entry.message }),
      next: isOpen(context, entry)
        ? `Kneepoint removes it when session ${entry.sessionId} is resumed.`
        : `Kneepoint removes it at the next contact with ${entry.place.name}.`,
    }));

function isNeeded(context: Context, entry: JournalEntry): boolean {
  const { sessionId, undo } = entry;
  if (undo.kind !== 'remove-secret-files') return false;
  if (context.runs.jobsAtWork.has(undo.jobId)) return true;
  return sessionId !== null && context.sessions.isActive(sessionId) && isOpen(context, entry);
}

/** The tool of an interrupted session may still be running: the file stays until that is known. */
function isOpen({ store }: Context, { sessionId, runId, undo }: JournalEntry): boolean {
  const run = runId === null ? undefined : store.runs.get(runId);
  if (run !== undefined && OPEN_RUN.includes(run.state)) return true;
  return sessionId !== null && undo.kind === 'remove-secret-files' && store.jobs.step(sessionId)?.jobId === undo.jobId;
}
