import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import type { Session } from '../../shared/model/session.ts';
import { formatCount } from '../../shared/util/format.ts';
import { type Notice, useCall, useNotices } from '../client/index.ts';
import { useNoticesWanted } from '../domain/index.ts';

/** Why a session needs attention; empty if it continues, or was ended by the user. */
type Reason = 'done' | 'failed' | 'needs' | '';

function reasonOf({ state, needs, waitsForVault }: Session): Reason {
  if (state === 'done' || state === 'failed') return state;
  return needs || waitsForVault ? 'needs' : '';
}

/** The notice for a session that needs attention; undefined if nothing has changed since `before`. */
function noticeOf(before: Session, now: Session): Notice | undefined {
  const reason = reasonOf(now);
  if (reason === '' || reason === reasonOf(before)) return undefined;
  const tag = `session ${now.id}`;
  if (reason === 'failed')
    return { tag, title: `Failed: ${now.name}`, body: now.message ?? 'The session could not continue.' };
  if (reason === 'needs') {
    const body = now.needs?.message ?? 'The vault with the passwords it needs is locked.';
    return { tag, title: `Input needed: ${now.name}`, body };
  }
  const failed = now.trialsFailed > 0 ? `, ${now.trialsFailed} failed` : '';
  return { tag, title: `Done: ${now.name}`, body: `${formatCount(now.trialsEnded, 'trial')} ended${failed}.` };
}

/** Shows a notification when a session is done, has failed or needs input while the page is not in view. */
export function useSessionNotices(): void {
  const { api } = useNotices();
  const [wanted] = useNoticesWanted();
  const [, go] = useLocation();
  const { data } = useCall('sessions.list', {});
  const known = useRef<ReadonlyMap<number, Session>>(undefined);
  useEffect(() => {
    if (!data) return;
    const before = known.current;
    known.current = new Map(data.map((session) => [session.id, session]));
    if (!before || !wanted || api.isSeen()) return;
    for (const session of data) {
      const earlier = before.get(session.id);
      const notice = earlier && noticeOf(earlier, session);
      if (notice) api.show(notice, () => go(`/sessions/${session.id}/live`));
    }
  }, [data, api, wanted, go]);
}
