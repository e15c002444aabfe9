import type { AppContract } from '../../../shared/contract/index.ts';
import { KneepointError, problemOf } from '../../../shared/model/problem.ts';
import type { Changed, PutBackResult } from '../../../shared/model/restore.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { mayBeAtWork } from '../jobs/job.ts';
import {
  type ChangedEntry,
  changedNow,
  leftoverClaims,
  releaseLeftoverClaims,
  restoreChanges,
} from '../world/index.ts';
import type { ApiContext } from './context.ts';

export function changesApi(context: ApiContext): Implementation<AppContract['changes']> {
  const { store, sessions, runs, events } = context;
  const isActive = ({ sessionId }: ChangedEntry): boolean => sessionId !== null && sessions.isActive(sessionId);
  const present = (entry: ChangedEntry): Changed => ({
    entry: entry.id,
    ...(entry.sessionId !== null && { session: entry.sessionId }),
    place: entry.place,
    what: entry.what,
    first: entry.undo.first.value,
    wanted: entry.wanted,
    since: entry.writtenAt,
    ...(entry.message !== null && { message: entry.message }),
    active: isActive(entry),
  });
  return {
    list: () => changedNow(store).map(present),
    async putBack({ session, force, confirm }, { signal }) {
      if (session !== undefined) requireRestorable(context, session);
      const entries = changedNow(store, session).filter((entry) => !isActive(entry));
      const under = new Map<number, string>();
      for (const id of force ? [] : new Set(entries.flatMap(({ sessionId }) => sessionId ?? []))) {
        const tool = await toolOf(context, id, signal);
        if (tool !== undefined) under.set(id, tool);
      }
      const measured = entries.filter(({ sessionId }) => under.has(sessionId ?? 0));
      const free = entries.filter((entry) => !measured.includes(entry));
      const results = await restoreChanges(runs, free, { signal, force, ...(confirm && { confirmed: confirm }) });
      await releaseClaims(context, signal);
      events.changed('hosts');
      return [...results, ...measured.map((entry) => underTool(entry, under.get(entry.sessionId ?? 0)))];
    },
    leave({ entry }) {
      const found = changedNow(store).find(({ id }) => id === entry);
      if (!found)
        throw new KneepointError({ code: 'not-found', message: 'This change is no longer listed.', details: entry });
      if (found.sessionId !== null) requireRestorable(context, found.sessionId);
      store.journal.close(entry, 'given-up', context.now());
      events.changed('hosts');
      return {};
    },
  };
}

/** Releases claims that sessions could not release. A host that is unreachable now is retried at the next contact. */
async function releaseClaims({ runs, machines }: ApiContext, signal: AbortSignal): Promise<void> {
  for (const host of new Set(leftoverClaims(runs).map((row) => row.host))) {
    try {
      await releaseLeftoverClaims(runs, machines.get(host), signal);
    } catch (error) {
      runs.log.warn('a claim could not be released', { host, message: problemOf(error).message });
    }
  }
}

/** Describes a tool of the session that loads something now, as its host reports. A host that does not respond may run one. */
async function toolOf(
  { runs, store }: ApiContext,
  sessionId: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const step = store.jobs.step(sessionId);
  const started = [...store.runs.open(sessionId).flatMap(({ jobs }) => jobs), ...(step ? [step] : [])];
  for (const { host, jobId } of started) {
    try {
      if (mayBeAtWork(await runs.jobs.status(runs.machines.get(host), jobId, signal)))
        return `A tool of session ${sessionId} uses this setting on ${host}.`;
    } catch (error) {
      if (signal.aborted) throw error;
      return `A tool of session ${sessionId} may still be running with this setting: ${problemOf(error).message}`;
    }
  }
  return undefined;
}

const underTool = ({ id, sessionId, place, what, undo }: ChangedEntry, tool = ''): PutBackResult => ({
  entry: id,
  ...(sessionId !== null && { session: sessionId }),
  place,
  what,
  first: undo.first.value,
  outcome: 'left',
  message: `${tool} Stop it and restore the setting with “kneepoint stop ${sessionId}”, or resume the session.`,
});

/** A session under way restores its own changes; another library's sessions are unknown here. */
function requireRestorable({ sessions, store, outside }: ApiContext, session: number): void {
  const safe = 'Nothing was changed.';
  if (sessions.isActive(session))
    throw new KneepointError({
      code: 'conflict',
      message: `Session ${session} is running and restores its changes when it ends.`,
      session,
      safe,
      next: 'Stop it, or wait until it has ended.',
    });
  if (store.sessions.get(session) || changedNow(store, session).length > 0) return;
  throw new KneepointError({
    code: 'not-found',
    message: `The library ${outside.dataDir} contains neither session ${session} nor changes made by it.`,
    session,
    safe,
    next: 'Changes are recorded only in the library that started the session: pass that library with --data, or open it in the app.',
  });
}
