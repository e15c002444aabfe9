import { type Experiment, pauseBetween } from '../../../shared/model/experiment.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { SessionSnapshot } from '../../../shared/model/session-snapshot.ts';
import { type PastSession, type Prepared, placesOf, stepOfRun } from '../plans/index.ts';
import type { RunRow, SessionRow, Store } from '../store/store.ts';
import { actToolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';

/** Older sessions may be from another machine with the same name. */
const MOST_SESSIONS = 8;

interface Learned {
  /** Identifies the sessions and their state. */
  stamp: string;
  past: PastSession[];
}
/** Cached because it is read on every keystroke in an editor. */
const learned = new WeakMap<Store, Map<string, Learned>>();

/** Times of earlier sessions with the same tool, targets and generators, newest first. Empty if the library cannot be read. */
export function pastSessions(store: Store, experiment: Experiment, tool: Tool): readonly PastSession[] {
  const { workload } = experiment;
  const places = placesOf(experiment, tool);
  const kind = { tool: workload.tool, targets: [...places.targets], generators: [...places.generators] };
  try {
    const rows = store.sessions.doneLike(kind, MOST_SESSIONS);
    const known = learned.get(store) ?? new Map<string, Learned>();
    learned.set(store, known);
    const key = JSON.stringify(kind);
    const stamp = rows.map(({ id, revision }) => `${id}.${revision}`).join(' ');
    const had = known.get(key);
    if (had?.stamp === stamp) return had.past;
    const past = rows.map((row) => toPastSession(store, row, tool));
    known.set(key, { stamp, past });
    return past;
  } catch (error) {
    if (error instanceof KneepointError && error.code === 'store-corrupt') return [];
    throw error;
  }
}

function toPastSession(store: Store, row: SessionRow, tool: Tool): PastSession {
  const snapshot = store.sessions.snapshot(row.id);
  const { experiment } = snapshot;
  const { measure } = experiment;
  const runs = store.runs.ofSession(row.id);
  const prepared = store.events.prepared(row.id);
  const between = (from: number, to: number): number =>
    prepared.filter(({ at }) => at >= from && at <= to).reduce((sum, { seconds }) => sum + seconds, 0);
  const { createdAt, startedAt } = row;
  return {
    id: row.id,
    ...(measure.before && { before: measure.before }),
    ...(startedAt !== null && { start: (startedAt - createdAt) / 1000 - between(createdAt, startedAt) }),
    overheads: overheadsOf(runs, experiment, between, (run) => isActStep(snapshot, run)),
    acts: runs.flatMap((run) => {
      const { took_s: seconds } = run.summary;
      const { name } = snapshot.steps[run.step] ?? {};
      return isActStep(snapshot, run) && run.state === 'done' && seconds !== undefined && name !== undefined
        ? [{ name, seconds }]
        : [];
    }),
    rates: tool.endsAfter ? ratesOf(runs, snapshot, tool) : [],
    prepared: prepared.map(({ at: _, ...each }): Prepared => each),
  };
}

const isActStep = ({ steps }: SessionSnapshot, { step }: RunRow): boolean =>
  actToolById(steps[step]?.tool ?? '') !== undefined;

/** Rates of trials that finished their operations before their time was over. */
function ratesOf(runs: readonly RunRow[], snapshot: SessionSnapshot, tool: Tool): number[] {
  return runs.flatMap((run) => {
    if (run.state !== 'done' || run.startedAt === null || run.endedAt === null) return [];
    const known = stepOfRun(snapshot, run, () => tool);
    const operations = known && tool.endsAfter?.(known.step.options);
    const seconds = (run.endedAt - run.startedAt) / 1000;
    return operations === undefined || seconds <= 0 || seconds > run.warmup + run.duration
      ? []
      : [operations / seconds];
  });
}

/** Time from the start of one trial to the next, without load, pause and preparing data. */
function overheadsOf(
  runs: readonly RunRow[],
  experiment: Experiment,
  preparedBetween: (from: number, to: number) => number,
  isAct: (run: RunRow) => boolean,
): number[] {
  return runs.flatMap((run, at) => {
    const next = runs[at + 1];
    if (run.state !== 'done' || run.startedAt === null || next?.startedAt == null) return [];
    const took = (next.startedAt - run.startedAt) / 1000 - preparedBetween(run.startedAt, next.startedAt);
    // A step that ends by itself has a limit in place of a duration.
    const load = isAct(run) ? ((run.endedAt ?? 0) - run.startedAt) / 1000 : run.warmup + run.duration;
    const overhead = took - load - (next.trial === run.trial ? 0 : pauseBetween(experiment, run.levels, next.levels));
    return overhead >= 0 ? [overhead] : [];
  });
}
