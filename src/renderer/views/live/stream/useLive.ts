import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Problem } from '../../../../shared/model/problem.ts';
import { OPEN_RUN, type Run } from '../../../../shared/model/session.ts';
import { useStream } from '../../../client/index.ts';
import { type LiveState, LiveStore } from './live-store.ts';

/** Follows the session: its state, runs, newest samples and log. */
export function useLive(id: number): { state: LiveState; problem: Problem | undefined } {
  const store = useMemo(() => ({ id, store: new LiveStore() }), [id]).store;
  const [problem, setProblem] = useState<Problem>();
  const state = useSyncExternalStore(store.onChanged, store.state);

  useStream(
    'sessions.watch',
    { id },
    {
      onOpen: () => {
        setProblem(undefined);
        store.reset();
      },
      onItem: (event) => store.apply(event),
      onError: (error) => setProblem(error.problem),
    },
  );
  return { state, problem };
}

/** The run going on, else the one that ended last. */
export function currentRun(state: LiveState): Run | undefined {
  const runs = [...state.runs.values()];
  const going = runs.find((run) => OPEN_RUN.includes(run.state));
  if (going) return going;
  return runs
    .filter((run) => run.startedAt !== undefined)
    .sort((one, other) => (other.startedAt ?? 0) - (one.startedAt ?? 0))[0];
}
