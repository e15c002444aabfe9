import { sessionTrend } from '../../../shared/chart-models/index.ts';
import type { Session } from '../../../shared/model/session.ts';
import { TrendDots } from '../../charts/index.ts';
import { FollowingFigure, LoadBound } from '../../domain/index.ts';

/** Beside the name of an experiment: how the best cell of its sessions went. */
export function ExperimentTrend({ sessions }: { sessions: readonly Session[] }) {
  // Without some of them it would tell of others than the last two.
  const following = sessions.filter(({ best, figuresFollow }) => figuresFollow && !best).map(({ id }) => id);
  if (following.length > 0 && sessions.length > 1) return <FollowingFigure ids={following} />;
  const trend = sessionTrend(sessions);
  if (!trend || trend.points.length < 2) return null;
  return (
    <span className="kp-library-trend" title={trend.words}>
      <span className="kp-small">
        {trend.short}
        <LoadBound bound={trend.bound} />
      </span>
      <TrendDots trend={trend} />
    </span>
  );
}
