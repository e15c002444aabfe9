import { Button } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useLocation } from 'wouter';
import { extremeWord, metricOf } from '../../../shared/metrics/index.ts';
import type { Session } from '../../../shared/model/session.ts';
import { formatCount, formatLevels, formatValue } from '../../../shared/util/format.ts';
import { AgainMenu, RepeatTrials } from '../../domain/index.ts';
import { ProblemBanner, type Tone } from '../../ui/index.ts';

interface Banner {
  tone?: Tone;
  problem: ComponentProps<typeof ProblemBanner>['problem'];
  /** Whether there are results to look at. */
  results?: true;
}

/** What the state means and what to do about it; nothing while all is well. */
export function StateBanner({ session }: { session: Session }) {
  const [, go] = useLocation();
  const banner = bannerOf(session);
  if (!banner) return null;
  const { tone, problem, results } = banner;
  return (
    <ProblemBanner
      problem={problem}
      {...(tone && { tone })}
      {...(results && {
        actions: (
          <>
            <RepeatTrials session={session} />
            <AgainMenu sessions={[session]} />
            <Button onClick={() => go(`/sessions/${session.id}/results`)}>Open the results</Button>
          </>
        ),
      })}
    />
  );
}

function bannerOf(session: Session): Banner | undefined {
  const { state, message } = session;
  if (state === 'starting') {
    const words = session.activity ?? 'Starting: facts are read and data is prepared.';
    return { tone: 'busy', problem: { message: words } };
  }
  if (state === 'paused') return pausedBanner(session);
  if (state === 'interrupted') return interruptedBanner(session);
  if (state === 'failed') {
    const problem = {
      message: message ?? 'The session could not go on.',
      safe: `The ${formatCount(session.trialsEnded, 'trial')} that ended are kept.`,
      next: 'Fix the cause, then resume: the session continues with the next trial.',
    };
    return { problem, results: true };
  }
  if (state === 'stopped') {
    const problem = { message: message ?? 'Stopped by a person.', safe: 'What was measured until then is kept.' };
    return { tone: 'idle', problem, results: true };
  }
  if (state !== 'done') return undefined;
  return message
    ? { problem: { message }, results: true }
    : { tone: session.trialsMissing ? 'warn' : 'ok', problem: { message: doneWords(session) }, results: true };
}

const pausedBanner = ({ trialsTotal, trialsEnded }: Session): Banner => ({
  tone: 'warn',
  problem: {
    message: `Paused, ${formatCount(trialsTotal - trialsEnded, 'trial')} left.`,
    next: 'Resume continues with the next trial of the plan.',
  },
});

const interruptedBanner = ({ message, waitsForVault }: Session): Banner => ({
  tone: 'warn',
  problem: {
    message: message ?? 'Kneepoint ended while this session was running.',
    safe: 'Jobs on hosts keep running, and their output is stored there.',
    next: waitsForVault ? undefined : 'Resume re-attaches to them, fetches what is missing and continues the plan.',
  },
});

function doneWords(session: Session): string {
  const failed = session.trialsFailed > 0 ? `, ${formatCount(session.trialsFailed, 'trial')} failed` : '';
  const metric = metricOf(session.primaryMetric);
  const best = session.best
    ? ` ${extremeWord(metric)}: ${formatLevels(session.best.levels) || 'the only cell'} with ${formatValue(session.best.value, metric)}.`
    : '';
  const rule = session.stoppedBy ? ` ${session.stoppedBy}` : '';
  return `Done: ${formatCount(session.trialsEnded, 'trial')} ended${failed}.${rule}${best}`;
}
