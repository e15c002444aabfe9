import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Problem } from '../../../../shared/model/problem.ts';
import { ENDED_SESSION, type LogEntry, OPEN_RUN, type Run, type Session } from '../../../../shared/model/session.ts';
import { useStream } from '../../../client/index.ts';
import { type LiveState, LiveStore } from './live-store.ts';

interface Live {
  state: LiveState;
  /** As the stream told it last; as the page knows it where there is no stream. */
  session: Session | undefined;
  problem: Problem | undefined;
  /** Shows what this page has added to the log: no stream tells of a session that has ended. */
  addLog: (entry: LogEntry) => void;
}

/**
 * Follows the session: its state, runs, newest samples and log. The stream ends with the session and is opened again when the session
 * is continued. `known`: the session as the rest of the page has it, which hears of that.
 */
export function useLive(id: number, known: Session | undefined): Live {
  const store = useMemo(() => ({ id, store: new LiveStore() }), [id]).store;
  const [problem, setProblem] = useState<Problem>();
  const [end, setEnd] = useState<{ id: number; known: Session | undefined }>();
  const state = useSyncExternalStore(store.onChanged, store.state);

  const over = end?.id === id;
  // What the page knew when the stream ended may be of before the end; only what it has learnt since is newer.
  const news = over && known !== end.known ? known : undefined;
  if (news && !ENDED_SESSION.includes(news.state)) setEnd(undefined);
  useStream('sessions.watch', over ? undefined : { id }, {
    onEnd: () => setEnd({ id, known }),
    onOpen: () => {
      setProblem(undefined);
      store.reset();
    },
    onItem: (event) => store.apply(event),
    onError: (error) => setProblem(error.problem),
  });
  const addLog = (entry: LogEntry): void => store.apply({ kind: 'log', entries: [entry] });
  return { state, session: news ?? state.session ?? known, problem, addLog };
}

/** The runs going on: several of parallel steps. */
export const goingRuns = (state: LiveState): Run[] =>
  [...state.runs.values()].filter((run) => OPEN_RUN.includes(run.state));

/** The run going on, the first of several, else the one that ended last. */
export function currentRun(state: LiveState): Run | undefined {
  const runs = [...state.runs.values()];
  const [going] = goingRuns(state);
  if (going) return going;
  return runs
    .filter((run) => run.startedAt !== undefined)
    .sort((one, other) => (other.startedAt ?? 0) - (one.startedAt ?? 0))[0];
}
