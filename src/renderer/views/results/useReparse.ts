import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { KneepointError, Problem } from '../../../shared/model/problem.ts';
import type { Run } from '../../../shared/model/session.ts';
import { formatCount } from '../../../shared/util/format.ts';
import { ask, inSequence, useLink } from '../../client/index.ts';

interface Reparse {
  busy: boolean;
  problem: Problem | undefined;
  start: (runIds: readonly number[]) => void;
}

/** Rebuilds samples and figures of runs from their raw output. The engine then reports that its results have changed. */
export function useReparse(sessionId: number): Reparse {
  const link = useLink();
  const action = useMutation<Run[], KneepointError, readonly number[]>({
    mutationFn: async (runIds) => {
      const read: Run[] = [];
      await inSequence(['Re-parsing the output', 'run'], runIds, async (runId) =>
        read.push(...(await ask(link, 'sessions.reingest', { id: sessionId, runId }))),
      );
      return read;
    },
    onSuccess: (runs) => notifications.show({ message: readWords(runs) }),
  });
  return { busy: action.isPending, problem: action.error?.problem, start: action.mutate };
}

function readWords(runs: readonly Run[]): string {
  const seconds = formatCount(
    runs.reduce((sum, run) => sum + run.seconds, 0),
    'second',
  );
  return runs.length === 1 ? `${seconds} re-parsed.` : `${seconds} of ${formatCount(runs.length, 'run')} re-parsed.`;
}
