import type { Finding } from '../../../shared/model/finding.ts';
import type { RunsContext } from '../runs/index.ts';
import type { DataProgress, DataSetRow, RunRow, UsedSet } from '../store/store.ts';
import type { Need } from './kind.ts';
import { isWhole, writingWords } from './sets.ts';

/** Data that a session has made or found for a group of cells. */
export interface DataThere {
  group: number;
  keys: string[];
  sets: UsedSet[];
  complete: boolean;
  /** Key of data that the next trial needs unchanged but an earlier one has used up. */
  usedUp: string | undefined;
}

/** Data available for a trial, unless another session has replaced or changed it meanwhile. */
export function thereFor(context: RunsContext, run: RunRow, need: Need | undefined): DataThere {
  const { sessions, runs } = context.store;
  const group = sessions.snapshot(run.sessionId).plan.cells[run.cell]?.data ?? 0;
  const progress = sessions.dataProgress(run.sessionId);
  const mine = progress?.group === group ? progress : undefined;
  const usedUp = need?.eachTrial && mine && mine.run !== run.id ? need.key : undefined;
  if (!mine?.sets.every((set) => isUntouched(context, run.sessionId, set)))
    return { group, keys: [], sets: [], complete: false, usedUp };
  // Earlier versions handled files separately, so before the first trial their record does not cover files.
  const isBegun = mine.keys.length > 0 || runs.ofSession(run.sessionId).some(({ startedAt }) => startedAt !== null);
  const keys = mine.keys.filter((key) => key !== usedUp);
  return { group, keys, sets: [...mine.sets], complete: mine.complete && isBegun && usedUp === undefined, usedUp };
}

/** Whether no other session has written to it since this session began to use it. */
function isUntouched({ store }: RunsContext, sessionId: number, { kind, id, writtenAt }: UsedSet): boolean {
  const set = store.dataSets[kind].get(id);
  if (!set || !isWhole(set)) return false;
  return set.state === 'ready' || set.writtenBy === sessionId || set.writtenAt === writtenAt;
}

export function noteEnsured(
  context: RunsContext,
  { id: run, sessionId }: RunRow,
  there: DataThere,
  key: string,
  sets: readonly DataSetRow[],
): void {
  const { sessions, dataSets } = context.store;
  there.keys.push(key);
  there.sets = [
    // Making one set can have replaced another.
    ...there.sets.filter(({ kind, id }) => dataSets[kind].get(id) !== undefined),
    ...sets.map(({ kind, id, writtenAt }) => ({ kind, id, writtenAt })),
  ];
  sessions.setDataProgress(sessionId, { ...progressOf(there), complete: false, run });
}

export function noteComplete(context: RunsContext, { id: run, sessionId }: RunRow, there: DataThere): void {
  const { store, clock } = context;
  store.atomically(() => {
    for (const finding of writtenBefore(context, there.sets)) {
      const { message } = finding;
      // Data can be checked again: before each group, or when the session is continued.
      if (store.events.has(sessionId, 'finding', message)) continue;
      store.events.add({ sessionId, kind: 'finding', at: clock.now(), level: 'note', message, detail: finding });
    }
    store.sessions.setDataProgress(sessionId, { ...progressOf(there), complete: true, run });
  });
}

const progressOf = ({ group, keys, sets, complete }: DataThere): DataProgress => ({ group, keys, sets, complete });

/** Shown with the results: pages of such data are not as they are right after loading. */
function writtenBefore({ store }: RunsContext, sets: readonly UsedSet[]): Finding[] {
  const ids = new Map(sets.map((set) => [`${set.kind} ${set.id}`, set]));
  return [...ids.values()].flatMap(({ kind, id }) => {
    const set = store.dataSets[kind].get(id);
    const words = set && writingWords({ store }, set);
    if (!words) return [];
    const message = `The trials started on modified data: ${set.title}. ${words}`;
    return [{ code: 'data-written', severity: 'note', message }];
  });
}
