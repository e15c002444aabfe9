import { KneepointError } from '../../../shared/model/problem.ts';
import { isCounted } from '../../../shared/model/repeats.ts';
import { ENDED_RUN } from '../../../shared/model/states.ts';
import { formatLevels } from '../../../shared/util/format.ts';
import type { RunRow, Store } from '../store/store.ts';

interface OfSession {
  id: number;
  runs: readonly RunRow[];
}

/** @throws KneepointError `not-found` for a run of another session, `conflict` for one that has not ended. */
export function excludable(session: OfSession, runIds: readonly number[]): RunRow[] {
  const wanted = runsOf(session, runIds);
  const open = wanted.find(({ state }) => !ENDED_RUN.includes(state));
  if (open)
    throw conflict(
      session.id,
      open,
      `Trial ${open.trial + 1} of session ${session.id} has not ended.`,
      'Skip it, or wait until it has ended.',
    );
  return wanted;
}

/** @throws KneepointError `not-found` for a run of another session, `conflict` if another run counts or is measured in its place. */
export function includable(session: OfSession, runIds: readonly number[]): RunRow[] {
  return runsOf(session, runIds).map((run) => {
    const taken = session.runs.find(
      (other) =>
        other.id !== run.id &&
        other.cell === run.cell &&
        other.repeat === run.repeat &&
        other.step === run.step &&
        (isCounted(other) || !ENDED_RUN.includes(other.state)),
    );
    if (!taken || !run.excluded) return run;
    throw conflict(
      session.id,
      run,
      `Trial ${taken.trial + 1} of session ${session.id} ${isCounted(taken) ? 'counts' : 'is measured'} in place of trial ${run.trial + 1}: both would count as the same repeat.`,
      `Exclude trial ${taken.trial + 1} first.`,
    );
  });
}

/** Call within a transaction. */
export function exclude(store: Store, { id, runs, reason, at }: OfSession & { reason: string; at: number }): void {
  for (const run of runs) {
    store.runs.update(run.id, { excluded: { reason, at } });
    noted(store, id, run, at, `${nameOf(run)} is excluded from all figures: ${reason}`);
  }
}

/** Call within a transaction. */
export function include(store: Store, { id, runs, at }: OfSession & { at: number }): void {
  for (const run of runs) {
    if (!run.excluded) continue;
    store.runs.update(run.id, { excluded: null });
    noted(store, id, run, at, `${nameOf(run)} counts again.`);
  }
}

function runsOf({ id, runs }: OfSession, runIds: readonly number[]): RunRow[] {
  return [...new Set(runIds)].map((runId) => {
    const run = runs.find((each) => each.id === runId);
    if (run) return run;
    throw new KneepointError({
      code: 'not-found',
      message: `Session ${id} has no run ${runId}.`,
      session: id,
      run: runId,
      safe: 'Nothing was changed.',
    });
  });
}

const conflict = (session: number, { id }: RunRow, message: string, next: string): KneepointError =>
  new KneepointError({ code: 'conflict', message, session, run: id, safe: 'Nothing was changed.', next });

const nameOf = ({ trial, levels }: RunRow): string =>
  [`Trial ${trial + 1}`, ...[formatLevels(levels)].filter(Boolean).map((words) => `(${words})`)].join(' ');

const noted = (store: Store, sessionId: number, run: RunRow, at: number, message: string): void =>
  void store.events.add({ sessionId, runId: run.id, kind: 'log', at, level: 'info', message });
