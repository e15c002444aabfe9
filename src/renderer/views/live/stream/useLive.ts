import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Problem } from '../../../../shared/model/problem.ts';
import {
  ENDED_SESSION,
  type LogEntry,
  OPEN_RUN,
  type Run,
  type Session,
  type TimelineEvent,
} from '../../../../shared/model/session.ts';
import { useCall, useStream } from '../../../client/index.ts';
import { type LiveState, LiveStore } from './live-store.ts';

interface Live {
  state: LiveState;
  /** As last sent by the stream; without a stream, as the page knows it. */
  session: Session | undefined;
  problem: Problem | undefined;
  /** Shows an entry that this page has added to the log: there is no stream for a session that has ended. */
  addLog: (entry: LogEntry) => void;
}

/**
 * Follows the session: its state, runs, newest samples and log. The stream ends with the session and is opened again when the session is
 * continued. `known`: the session as known to the rest of the page, which is notified of that.
 */
export function useLive(id: number, known: Session | undefined): Live {
  const store = useMemo(() => ({ id, store: new LiveStore() }), [id]).store;
  const [problem, setProblem] = useState<Problem>();
  const [end, setEnd] = useState<{ id: number; known: Session | undefined }>();
  const state = useSyncExternalStore(store.onChanged, store.state);

  const over = end?.id === id;
  // Knowledge of the page at the end of the stream may be older than the end; only later changes are newer.
  const latest = over && known !== end.known ? known : undefined;
  if (latest && !ENDED_SESSION.includes(latest.state)) setEnd(undefined);
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
  return { state, session: latest ?? state.session ?? known, problem, addLog };
}

/** The runs in progress: several for parallel steps. */
export const goingRuns = (state: LiveState): Run[] =>
  [...state.runs.values()].filter((run) => OPEN_RUN.includes(run.state));

/** The run in progress, the first of several, otherwise the one that ended last. */
export function currentRun(state: LiveState): Run | undefined {
  const runs = [...state.runs.values()];
  const [going] = goingRuns(state);
  if (going) return going;
  return runs
    .filter((run) => run.startedAt !== undefined)
    .sort((one, other) => (other.startedAt ?? 0) - (one.startedAt ?? 0))[0];
}

const EVERY_MS = 2000;

/** Marks of a run: the stream delivers notes and alerts, other moments are requested while it continues. */
export function useMoments(run: Run | undefined, { marked }: LiveState): readonly TimelineEvent[] {
  const isGoing = run !== undefined && OPEN_RUN.includes(run.state);
  const moments = useCall(
    'sessions.events',
    { id: run?.sessionId ?? 0, kinds: ['warm-up-end', 'checkpoint', 'scenario', 'mark'], runIds: run ? [run.id] : [] },
    { enabled: run !== undefined, staleTime: 0, refetchInterval: isGoing ? EVERY_MS : false },
  ).data;
  return useMemo(() => [...marked, ...(moments ?? [])], [marked, moments]);
}
