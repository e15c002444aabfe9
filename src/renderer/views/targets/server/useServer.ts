import { useState } from 'react';
import { type Problem, problemOf } from '../../../../shared/model/problem.ts';
import { ask, useCall, useLink } from '../../../client/index.ts';

const CALLS = {
  start: 'targets.startServer',
  stop: 'targets.stopServer',
  restart: 'targets.restartServer',
} as const;
export type ServerAct = keyof typeof CALLS;

const POLL_MS = 1_000;

/** A server as it is, one act on it at a time, and how far that is. */
export function useServer(id: number) {
  const link = useLink();
  const [act, setAct] = useState<{ what: ServerAct; since: number }>();
  const [problem, setProblem] = useState<Problem>();
  const look = useCall('targets.lookAtServer', { id }, { enabled: !act, retry: false, staleTime: 0 });
  const progress = useCall(
    'targets.serverState',
    { id },
    { enabled: act !== undefined, refetchInterval: POLL_MS, retry: false, gcTime: 0 },
  );
  const begin = async (what: ServerAct): Promise<void> => {
    setAct({ what, since: Date.now() });
    setProblem(undefined);
    try {
      await ask(link, CALLS[what], { id });
    } catch (error) {
      setProblem(problemOf(error));
    }
    setAct(undefined);
    await look.refetch();
  };
  return { look, act, state: progress.data?.state, problem, begin: (what: ServerAct) => void begin(what) };
}
