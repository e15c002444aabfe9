import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, useSyncExternalStore } from 'react';
import type { Problem } from '../../../shared/model/problem.ts';
import { ENDED_RUN, type Run, type SessionEvent } from '../../../shared/model/session.ts';
import { callKey, useStream } from '../../client/index.ts';
import { type LiveState, LiveStore } from './live-store.ts';

/** Follows the session: its state, runs, newest samples and log. */
export function useLive(id: number): { state: LiveState; problem: Problem | undefined } {
  const queries = useQueryClient();
  const store = useMemo(() => ({ id, store: new LiveStore() }), [id]).store;
  const [problem, setProblem] = useState<Problem>();
  const state = useSyncExternalStore(store.subscribe, store.state);

  const apply = (event: SessionEvent): void => {
    const before = event.kind === 'run' ? store.state().runs.get(event.run.id)?.state : undefined;
    store.apply(event);
    // A run that ended changes means, intervals and the curve, and its stored seconds are complete now.
    if (
      event.kind === 'run' &&
      before !== undefined &&
      before !== event.run.state &&
      ENDED_RUN.includes(event.run.state)
    ) {
      void queries.invalidateQueries({ queryKey: ['results'] });
      void queries.invalidateQueries({ queryKey: callKey('sessions.runs', { id }) });
    }
  };
  useStream(
    'sessions.watch',
    { id },
    {
      onOpen: () => {
        setProblem(undefined);
        store.reset();
      },
      onItem: apply,
      onError: (error) => setProblem(error.problem),
    },
  );
  return { state, problem };
}

/** The run going on, else the one that ended last. */
export function currentRun(state: LiveState): Run | undefined {
  const runs = [...state.runs.values()];
  const going = runs.find((run) => run.state === 'running' || run.state === 'launching');
  if (going) return going;
  return runs
    .filter((run) => run.startedAt !== undefined)
    .sort((one, other) => (other.startedAt ?? 0) - (one.startedAt ?? 0))[0];
}
