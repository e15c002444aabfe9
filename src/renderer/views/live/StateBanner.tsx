import { Button } from '@mantine/core';
import { useLocation } from 'wouter';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatCount, formatLevels, formatValue } from '../../../shared/util/format.ts';
import { ProblemBanner } from '../../ui/index.ts';

/** What the state means and what to do about it; nothing while all is well. */
export function StateBanner({ session }: { session: Session }) {
  const [, go] = useLocation();
  const left = session.trialsTotal - session.trialsEnded;
  const open = <Button onClick={() => go(`/sessions/${session.id}/results`)}>Open the results</Button>;
  switch (session.state) {
    case 'starting':
      return (
        <ProblemBanner
          tone="busy"
          problem={{ message: session.activity ?? 'Starting: facts are read and data is prepared.' }}
        />
      );
    case 'paused':
      return (
        <ProblemBanner
          tone="warn"
          problem={{
            message: `Paused, ${formatCount(left, 'trial')} left.`,
            next: 'Resume continues with the next trial of the plan.',
          }}
        />
      );
    case 'interrupted':
      return (
        <ProblemBanner
          tone="warn"
          problem={{
            message: session.message ?? 'Kneepoint ended while this session was running.',
            safe: 'What runs on a host goes on there, and every second of it is kept.',
            next: session.waitsForVault
              ? undefined
              : 'Resume re-attaches to it, fetches what is missing and goes on with the plan.',
          }}
        />
      );
    case 'failed':
      return (
        <ProblemBanner
          problem={{
            message: session.message ?? 'The session could not go on.',
            safe: `The ${formatCount(session.trialsEnded, 'trial')} that ended are kept.`,
            next: 'When the cause is gone, Resume continues with the rest of the plan.',
          }}
          actions={open}
        />
      );
    case 'stopped':
      return (
        <ProblemBanner
          tone="idle"
          problem={{
            message: session.message ?? 'Stopped by a person.',
            safe: 'What was measured until then is kept.',
          }}
          actions={open}
        />
      );
    case 'done':
      return session.message ? (
        <ProblemBanner problem={{ message: session.message }} actions={open} />
      ) : (
        <ProblemBanner tone="ok" problem={{ message: doneWords(session) }} actions={open} />
      );
    default:
      return null;
  }
}

function doneWords(session: Session): string {
  const failed = session.trialsFailed > 0 ? `, ${formatCount(session.trialsFailed, 'trial')} failed` : '';
  const best = session.best
    ? ` Best: ${formatLevels(session.best.levels) || 'the only cell'} with ${formatValue(session.best.value, metricOf(session.primaryMetric))}.`
    : '';
  return `Done: ${formatCount(session.trialsEnded, 'trial')} ended${failed}.${best}`;
}
