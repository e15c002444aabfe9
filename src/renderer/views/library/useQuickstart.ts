import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { KneepointError, type Problem } from '../../../shared/model/problem.ts';
import type { Session } from '../../../shared/model/session.ts';
import { ask, useLink } from '../../client/index.ts';

const QUICKSTART = 'quickstart';

export interface Quickstart {
  start: () => void;
  starting: boolean;
  problem: Problem | undefined;
}

/** One click: starts the quick benchmark's document as it is shipped, and goes to watch it. */
export function useQuickstart(): Quickstart {
  const link = useLink();
  const [, go] = useLocation();
  const action = useMutation<Session, KneepointError>({
    mutationFn: async () => {
      const documents = await ask(link, 'experiments.list', {});
      const document = documents.find((entry) => entry.id === QUICKSTART);
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
  return { start: () => action.mutate(), starting: action.isPending, problem: action.error?.problem };
}
