import type { Session } from '../../../shared/model/session.ts';
import { formatCount, formatDuration } from '../../../shared/util/format.ts';
import { useNow } from '../../ui/index.ts';

/** What is going on besides a trial, with the time it has taken so far, and what is still to be changed. */
export function Step({ session }: { session: Session }) {
  const { activity, activitySince, changesLeft } = session;
  const now = useNow(activity && activitySince !== undefined ? 1000 : undefined);
  const seconds = activitySince === undefined ? undefined : Math.max(0, Math.floor((now - activitySince) / 1000));
  const left = [
    ...(changesLeft && changesLeft.restarts > 0 ? [formatCount(changesLeft.restarts, 'restart')] : []),
    ...(changesLeft && changesLeft.reloads > 0 ? [formatCount(changesLeft.reloads, 'reload')] : []),
  ];
  return (
    <>
      {left.length > 0 ? <span>At most {left.join(', ')} left</span> : null}
      {activity ? (
        <span className="kp-live-step">
          {activity}
          {seconds === undefined ? null : ` · ${formatDuration(seconds)}`}
        </span>
      ) : null}
    </>
  );
}
