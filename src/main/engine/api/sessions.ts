import type { AppContract } from '../../../shared/contract/index.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { ENDED_RUN, ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { requirePreflight } from '../preflight/index.ts';
import { requireLevels } from '../session/index.ts';
import type { RunRow, SessionRow } from '../store/store.ts';
import { hasOutput, reingest } from '../trial/index.ts';
import type { ApiContext } from './context.ts';
import { listSessions, sessionsWithFigures } from './damaged.ts';
import { presentDetail, presentRun, presentSession } from './present.ts';
import { requireRun, requireSession } from './require-session.ts';
import { refuseWhileLocked } from './resuming.ts';
import { watchSession } from './watch-session.ts';

export function sessionsApi(context: ApiContext): Implementation<AppContract['sessions']> {
  const { store, sessions, events } = context;
  const get = (id: number): SessionRow => requireSession(context, id);
  const show = (id: number): Session => presentSession(context, get(id));
  const shownRuns = (id: number, runIds: readonly number[]) =>
    runIds.map((runId) => presentRun(context, requireRun(context, id, runId)));
  return {
    list: ({ archived }) => listSessions(context, archived),
    figures: ({ ids }, { signal }) => sessionsWithFigures(context, ids, signal),
    get: ({ id }) => presentDetail(context, get(id)),
    runs: ({ id }) => store.runs.ofSession(get(id).id).map((run) => presentRun(context, run)),
    async start(request, { signal }) {
      const known = await requirePreflight(context.runs, context.sessions, request, signal);
      const row = sessions.start(request.text, known);
      events.changed('sessions');
      return show(row.id);
    },
    pause({ id }) {
      sessions.pause(get(id).id);
      return show(id);
    },
    async resume({ id }) {
      const row = get(id);
      refuseWhileLocked(context, row);
      const host = sessions.needs(row.id)?.host;
      // A person asks again, so an earlier refusal no longer counts.
      if (host !== undefined) context.machines.retry(host);
      await sessions.resume(row.id);
      return show(id);
    },
    async repeat({ id, runIds, reason }) {
      const row = get(id);
      refuseWhileLocked(context, row);
      await sessions.repeat(row.id, runIds, reason);
      events.changed('sessions');
      return show(id);
    },
    exclude({ id, runIds, reason }) {
      sessions.exclude(get(id).id, runIds, reason);
      events.changed('sessions');
      return shownRuns(id, runIds);
    },
    include({ id, runIds }) {
      sessions.include(get(id).id, runIds);
      events.changed('sessions');
      return shownRuns(id, runIds);
    },
    async addRepeats({ id, repeats, cells }) {
      const row = get(id);
      refuseWhileLocked(context, row);
      await sessions.addRepeats(row.id, { repeats, cells });
      events.changed('sessions');
      return show(id);
    },
    async addLevels({ id, factor, levels, beside, destroy }, { signal }) {
      const row = get(id);
      refuseWhileLocked(context, row);
      const wanted = { factor, levels, beside };
      const known = await requireLevels(context.runs, sessions, { id: row.id, wanted, destroy }, signal);
      await sessions.addLevels(row.id, wanted, known);
      events.changed('sessions');
      return show(id);
    },
    skip({ id, runId }) {
      sessions.skip(get(id).id, runId);
      return show(id);
    },
    async stop({ id }) {
      await sessions.stop(get(id).id);
      return show(id);
    },
    watch: ({ id, points }, { signal }) => watchSession(context, get(id).id, points, signal),
    async reingest({ id, runId }) {
      const ended = store.runs
        .ofSession(get(id).id)
        .filter((run) => ENDED_RUN.includes(run.state) && hasOutput(store, run));
      const wanted = runId === undefined ? ended : [requireRun(context, id, runId)];
      const runs: RunRow[] = [];
      try {
        for (const run of wanted)
          runs.push(await reingest(context.runs, requireRun(context, id, run.id), context.judging.closing));
      } finally {
        events.changed('sessions');
        sessions.changes.changed(id);
      }
      return runs.map((run) => presentRun(context, run));
    },
    events: ({ id, kinds, runIds, afterId, limit }) =>
      store.events.ofSession(get(id).id, kinds, afterId, limit, runIds),
    edit({ id, name, note, tags, archived }) {
      store.sessions.update(get(id).id, {
        ...(name !== undefined && { name }),
        ...(note !== undefined && { note }),
        ...(tags !== undefined && { tags }),
        ...(archived !== undefined && { archived }),
      });
      events.changed('sessions');
      sessions.changes.changed(id);
      return show(id);
    },
    addNote({ id, message }) {
      const running = store.runs.open(get(id).id).find((run) => run.state === 'running');
      const at = context.now();
      const entry = store.events.add({
        sessionId: id,
        kind: 'note',
        at,
        level: 'note',
        message,
        ...(running && { runId: running.id }),
        ...(running && running.startedAt !== null && { t: (at - running.startedAt) / 1000 }),
      });
      sessions.changes.changed(id);
      return entry;
    },
    remove({ id }) {
      const row = get(id);
      if (sessions.isActive(id) || !ENDED_SESSION.includes(row.state)) {
        throw new KneepointError({
          code: 'conflict',
          message: `Session ${id} has not ended.`,
          session: id,
          safe: 'Nothing was deleted.',
          next: 'Stop it first.',
        });
      }
      store.sessions.remove(id, context.now());
      events.changed('sessions');
      return {};
    },
  };
}
