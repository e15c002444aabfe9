import { useMemo } from 'react';
import { OPEN_RUN, type Run, type TimelineEvent } from '../../../../shared/model/session.ts';
import { useCall } from '../../../client/index.ts';
import type { LiveState } from './live-store.ts';

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
