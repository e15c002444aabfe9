import { Button } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useLocation } from 'wouter';
import { extremeWord, metricOf } from '../../../shared/metrics/index.ts';
import { caveatWords } from '../../../shared/model/figure.ts';
import type { Trial } from '../../../shared/model/plan.ts';
import type { Run, Session } from '../../../shared/model/session.ts';
import { factName, factValue } from '../../../shared/model/session-words.ts';
import { OPEN_RUN } from '../../../shared/model/states.ts';
import { formatCount, formatDuration, formatLevels, formatValue } from '../../../shared/util/format.ts';
import { RepeatTrials, RerunMenu } from '../../domain/index.ts';
import { ProblemBanner, type Tone, useNow } from '../../ui/index.ts';

interface Banner {
  tone?: Tone;
  problem: ComponentProps<typeof ProblemBanner>['problem'];
  /** Whether there are results to show. */
  results?: true;
}

interface StateProperties {
  session: Session;
  run: Run | undefined;
  /** Names of parallel steps that also run. */
  parallel: readonly string[];
  /** The next trial, in words. */
  next: string | undefined;
}

/** Meaning of the state and the next action; the running trial while all is well, so that the place is never empty. */
export function StateBanner({ session, run, parallel, next }: StateProperties) {
  const [, go] = useLocation();
  const banner = bannerOf(session);
  if (!banner) return <TrialNow {...{ session, run, parallel, next }} />;
  const { tone, problem, results } = banner;
  return (
    <ProblemBanner
      problem={problem}
      {...(tone && { tone })}
      {...(results && {
        actions: (
          <>
            <RepeatTrials session={session} />
            <RerunMenu sessions={[session]} />
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
    const words = session.activity ?? 'Starting: reading facts, preparing data.';
    return { tone: 'busy', problem: { message: words } };
  }
  if (state === 'paused') return pausedBanner(session);
  if (state === 'interrupted') return interruptedBanner(session);
  if (state === 'failed') {
    const problem = {
      message: message ?? 'The session could not continue.',
      safe: `The data of the ${formatCount(session.trialsEnded, 'trial')} that ended is stored.`,
      next: 'Fix the cause, then resume: the session continues with the next trial.',
    };
    return { problem, results: true };
  }
  if (state === 'stopped') {
    const problem = { message: message ?? 'Stopped by user.', safe: 'Measured data is stored.' };
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
    message: `Paused, ${formatCount(trialsTotal - trialsEnded, 'trial')} remaining.`,
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
  const { trialsEnded, trialsFailed, trialsMissing = 0 } = session;
  const trials = formatCount(trialsEnded, 'trial');
  const rule = session.stoppedBy ? ` ${session.stoppedBy}` : '';
  const ended =
    trialsFailed > 0
      ? `${trialsEnded - trialsMissing} of ${trials} succeeded, ${trialsFailed} failed.`
      : `Done: ${trials}.`;
  // The highest figure is no answer to a question that is about something else, or undecided.
  const answer = session.answer ?? highestWords(session);
  return `${ended}${rule}${answer === undefined ? '' : ` ${answer}`}`;
}

function highestWords({ primaryMetric, best }: Session): string | undefined {
  if (!best || primaryMetric === null) return undefined;
  const metric = metricOf(primaryMetric);
  return `${extremeWord(metric)}: ${formatLevels(best.levels) || 'the only cell'} with ${formatValue(best.value, metric)}${caveatWords('figure', best)}.`;
}

/** A trial by its cell and its repeat. */
export const trialWords = ({
  stepName,
  levels,
  repeat,
  canary,
}: Pick<Trial, 'repeat' | 'canary'> & Pick<Run, 'levels' | 'stepName'>): string =>
  [stepName, ...(canary ? ['canary'] : [formatLevels(levels), `repeat ${repeat + 1}`])].filter(Boolean).join(', ');

/** The current activity, its settings and the next trial. */
function TrialNow({ session, run, parallel, next }: StateProperties) {
  const { activity, activitySince, changesLeft, state } = session;
  const now = useNow(activity && activitySince !== undefined ? 1000 : undefined);
  const seconds = activitySince === undefined ? undefined : Math.max(0, Math.floor((now - activitySince) / 1000));
  const trial =
    run && OPEN_RUN.includes(run.state) ? `Trial ${run.trial + 1}: ${trialWords(run)}` : 'Between two trials';
  const last =
    state === 'pausing' ? 'The session pauses after this trial.' : next ? `Next: ${next}.` : 'This is the last trial.';
  const remaining = [
    ...(changesLeft && changesLeft.restarts > 0 ? [formatCount(changesLeft.restarts, 'restart')] : []),
    ...(changesLeft && changesLeft.reloads > 0 ? [formatCount(changesLeft.reloads, 'reload')] : []),
  ];
  return (
    <section className="kp-live-going" aria-label="Now">
      <p className="kp-ellipsis">
        {activity ?? trial}
        {activity && seconds !== undefined ? ` · ${formatDuration(seconds)} elapsed` : null}
      </p>
      <p className="kp-small kp-ellipsis">
        {[
          ...parallelWords(parallel),
          ...settingWords(run),
          last,
          ...(remaining.length > 0 ? [`At most ${remaining.join(', ')} remaining.`] : []),
        ].join(' ')}
      </p>
    </section>
  );
}

const parallelWords = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`At the same time: ${names.join(', ')}.`];

/** More settings are only counted. */
const NAMED = 3;

/** Settings of hosts and servers for a trial, as read back. */
function settingWords(run: Run | undefined): string[] {
  const facts = run?.facts ?? [];
  if (!run || facts.length === 0) return [];
  const named = facts.slice(0, NAMED).map((fact) => `${factName(fact)} = ${factValue(fact.found)}`);
  const more = facts.length > NAMED ? [`${facts.length - NAMED} more`] : [];
  return [`Applied for trial ${run.trial + 1}: ${[...named, ...more].join(' · ')}.`];
}
