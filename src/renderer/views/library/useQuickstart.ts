import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { KneepointError, type Problem } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatDuration } from '../../../shared/util/format.ts';
import { ask, useCall, useLink } from '../../client/index.ts';

const QUICKSTART = 'quickstart';

export interface Quickstart {
  start: () => void;
  starting: boolean;
  problem: Problem | undefined;
  /** How long all of it takes, to follow its name on a button; empty until it is known. */
  lasts: string;
}

/** One click: starts the quick benchmark's document as it is shipped, and goes to watch it. */
export function useQuickstart(): Quickstart {
  const link = useLink();
  const [, go] = useLocation();
  const documents = useCall('experiments.list', {});
  const action = useMutation<Session, KneepointError>({
    mutationFn: async () => {
      const listed = await ask(link, 'experiments.list', {});
      const document = listed.find((entry) => entry.id === QUICKSTART);
      if (!document) {
        throw new KneepointError({
          code: 'not-found',
          message: 'The quick benchmark is missing from this installation.',
          next: 'Install Kneepoint again, or start a new experiment.',
        });
      }
      return ask(link, 'sessions.start', { text: document.text });
    },
    onSuccess: (session) => go(`/sessions/${session.id}/live`),
  });
  const seconds = documents.data?.find((entry) => entry.id === QUICKSTART)?.outline?.seconds;
  const lasts = seconds === undefined ? '' : `, about ${formatDuration(Math.max(1, Math.round(seconds / 30)) * 30)}`;
  return { start: () => action.mutate(), starting: action.isPending, problem: action.error?.problem, lasts };
}
