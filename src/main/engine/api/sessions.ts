import type { AppContract } from '../../../shared/contract/index.ts';
import { definedIn } from '../../../shared/measures/index.ts';
import type { ChartChoice } from '../../../shared/model/chart.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import type { DocumentProblem, Experiment } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { ENDED_RUN, ENDED_SESSION, type Session } from '../../../shared/model/session.ts';
import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import type { Implementation } from '../../../shared/rpc/define.ts';
import { chartProblems, measureProblems } from '../plans/index.ts';
import { requirePreflight } from '../preflight/index.ts';
import { requireLevels } from '../session/index.ts';
import type { RunRow } from '../store/store.ts';
import { hasOutput, reingest } from '../trial/index.ts';
import { type ApiContext, requireRun, requireSession } from './context.ts';
import { listSessions, sessionsWithFigures } from './damaged.ts';
import { importOutputs } from './imports.ts';
import { presentDetail, presentRun, presentSession } from './present.ts';
import { refuseWhileLocked } from './resuming.ts';
import { watchSession } from './watch-session.ts';

type Topic = Partial<Implementation<AppContract['sessions']>>;

export const sessionsApi = (context: ApiContext): Implementation<AppContract['sessions']> => ({
  ...reading(context),
  ...control(context),
  ...growing(context),
  ...judging(context),
  ...editing(context),
});

const show = (context: ApiContext, id: number): Session => presentSession(context, requireSession(context, id));

/** Lists and shows sessions, and follows one. */
function reading(context: ApiContext) {
  const { store } = context;
  return {
    list: ({ archived, most }) => listSessions(context, archived, most),
    figures: ({ ids }, { signal }) => sessionsWithFigures(context, ids, signal),
    async get({ id }, { progress }) {
      // The first request for a session with many cells may take seconds.
      for (const at of context.overviews.calculate(requireSession(context, id)))
        await progress({ what: 'Calculating figures of the session', unit: 'cell', ...at });
      return presentDetail(context, requireSession(context, id));
    },
    runs: ({ id }) => store.runs.ofSession(requireSession(context, id).id).map((run) => presentRun(context, run)),
    watch: ({ id, points }, { signal }) => watchSession(context, requireSession(context, id).id, points, signal),
    events: ({ id, kinds, runIds, afterId, limit }) =>
      store.events.ofSession(requireSession(context, id).id, kinds, afterId, limit, runIds),
  } satisfies Topic;
}

/** Starts and ends sessions and trials. */
function control(context: ApiContext) {
  const { sessions, events } = context;
  return {
    importOutputs: (request, { progress }) => importOutputs(context, request, progress),
    async start(request, call) {
      const known = await requirePreflight(context.runs, context.sessions, request, call);
      const row = sessions.start(request.text, known);
      events.changed('sessions');
      return show(context, row.id);
    },
    pause({ id }) {
      sessions.pause(requireSession(context, id).id);
      return show(context, id);
    },
    async resume({ id }) {
      const row = requireSession(context, id);
      refuseWhileLocked(context, row);
      const host = sessions.needs(row.id)?.host;
      // The user retries, so an earlier refusal no longer counts.
      if (host !== undefined) context.machines.retry(host);
      await sessions.resume(row.id);
      return show(context, id);
    },
    skip({ id, runId }) {
      sessions.skip(requireSession(context, id).id, runId);
      return show(context, id);
    },
    async stop({ id }) {
      await sessions.stop(requireSession(context, id).id);
      return show(context, id);
    },
  } satisfies Topic;
}

/** Adds trials to a session. */
function growing(context: ApiContext) {
  const { sessions, events } = context;
  return {
    async repeat({ id, runIds, reason }) {
      const row = requireSession(context, id);
      refuseWhileLocked(context, row);
      await sessions.repeat(row.id, runIds, reason);
      events.changed('sessions');
      return show(context, id);
    },
    async addRepeats({ id, repeats, cells }) {
      const row = requireSession(context, id);
      refuseWhileLocked(context, row);
      await sessions.addRepeats(row.id, { repeats, cells });
      events.changed('sessions');
      return show(context, id);
    },
    async addLevels({ id, factor, levels, baseCells, destroy }, { signal }) {
      const row = requireSession(context, id);
      refuseWhileLocked(context, row);
      const wanted = { factor, levels, baseCells };
      const known = await requireLevels(context.runs, sessions, { id: row.id, wanted, destroy }, signal);
      await sessions.addLevels(row.id, wanted, known);
      events.changed('sessions');
      return show(context, id);
    },
  } satisfies Topic;
}

/** Decides which runs count, and reads them again. */
function judging(context: ApiContext) {
  const { store, sessions, events } = context;
  return {
    exclude({ id, runIds, reason }) {
      sessions.exclude(requireSession(context, id).id, runIds, reason);
      events.changed('sessions');
      return shownRuns(context, id, runIds);
    },
    include({ id, runIds }) {
      sessions.include(requireSession(context, id).id, runIds);
      events.changed('sessions');
      return shownRuns(context, id, runIds);
    },
    async reingest({ id, runId }, { progress }) {
      if (requireSession(context, id).origin === 'imported') throw alreadyImported(id);
      const ended = store.runs.ofSession(id).filter((run) => ENDED_RUN.includes(run.state) && hasOutput(store, run));
      const wanted = runId === undefined ? ended : [requireRun(context, id, runId)];
      const runs: RunRow[] = [];
      try {
        for (const [index, run] of wanted.entries()) {
          await progress({ what: 'Re-parsing the output', unit: 'run', done: index + 1, of: wanted.length });
          runs.push(await reingest(context.runs, requireRun(context, id, run.id), context.judging.closing));
        }
      } finally {
        events.changed('sessions');
        sessions.changes.changed(id);
      }
      return runs.map((run) => presentRun(context, run));
    },
  } satisfies Topic;
}

/** Names, notes and removal. */
function editing(context: ApiContext) {
  const { store, sessions, events } = context;
  return {
    edit({ id, name, note, tags, tested, measures, charts, archived }) {
      const row = requireSession(context, id);
      if (measures) requireMeasures(store.sessions.snapshot(id).experiment, measures);
      if (charts) requireCharts({ ...store.sessions.snapshot(id), ...(measures && { measures }) }, charts);
      const change = {
        ...(tested !== undefined && { tested }),
        ...(name !== undefined && { name }),
        ...(note !== undefined && { note }),
        ...(tags !== undefined && { tags }),
        ...(archived !== undefined && { archived }),
      };
      store.atomically(() => {
        if (measures) store.sessions.keepMeasures(row.id, measures);
        if (charts) store.sessions.keepCharts(row.id, charts);
        store.sessions.update(row.id, change);
      });
      events.changed('sessions');
      sessions.changes.changed(id);
      return show(context, id);
    },
    addNote({ id, message, at: asked }) {
      const { runs } = store;
      requireSession(context, id);
      const at = asked ?? context.now();
      const running =
        asked === undefined
          ? runs.open(id).find((run) => run.state === 'running')
          : runs.ofSession(id).find((run) => wasRunning(run, at));
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
      const row = requireSession(context, id);
      if (sessions.isActive(id) || !ENDED_SESSION.includes(row.state)) {
        throw new KneepointError({
          code: 'conflict',
          message: `Session ${id} has not ended.`,
          session: id,
          safe: 'Nothing was removed.',
          next: 'Stop it first.',
        });
      }
      store.sessions.remove(id, context.now());
      events.changed('sessions');
      return {};
    },
  } satisfies Topic;
}

/** Throws bad-request, with the first problem, if they cannot be calculated. */
function requireMeasures(experiment: Experiment, measures: readonly DerivedMeasure[]): void {
  refuseFirst(measureProblems({ ...experiment, derived: [...(experiment.derived ?? []), ...measures] }));
}

/** Throws bad-request, with the first problem, if they cannot be drawn. */
function requireCharts(
  session: Pick<SessionSnapshot, 'experiment' | 'measures'>,
  charts: readonly ChartChoice[],
): void {
  const known = { ...session.experiment, derived: definedIn(session), charts: [...charts] };
  refuseFirst(chartProblems(known));
}

function refuseFirst([problem]: readonly DocumentProblem[]): void {
  if (problem) throw new KneepointError({ code: 'bad-request', message: problem.message, details: [problem] });
}

const shownRuns = (context: ApiContext, id: number, runIds: readonly number[]) =>
  runIds.map((runId) => presentRun(context, requireRun(context, id, runId)));

/** Whether a run was going on at a moment. */
const wasRunning = ({ startedAt, endedAt }: RunRow, at: number): boolean =>
  startedAt !== null && startedAt <= at && (endedAt === null || at <= endedAt);

const alreadyImported = (id: number): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `Session ${id} was imported, so its output cannot be re-parsed.`,
    session: id,
    safe: 'Nothing was changed.',
    next: 'Import its files again as a new session.',
  });
