import { Button, Tooltip } from '@mantine/core';
import { IconTablePlus } from '@tabler/icons-react';
import type { Levels } from '../../../shared/model/experiment.ts';
import type { Cell, Trial } from '../../../shared/model/plan.ts';
import { ENDED_RUN, ENDED_SESSION, type Run, type Session } from '../../../shared/model/session.ts';
import { runWords, workedSeconds } from '../../../shared/model/session-words.ts';
import { formatDuration, formatLevels, formatTimeOfDay } from '../../../shared/util/format.ts';
import { AskForNotices } from '../../domain/index.ts';
import { useNow } from '../../ui/index.ts';

interface ProgressProperties {
  session: Session;
  trials: readonly Trial[];
  cells: readonly Cell[];
  runs: ReadonlyMap<number, Run>;
  /** Absent: no levels can be added. */
  onAdd?(): void;
}

/** Up to this number, trials have room for gaps between them in the narrowest window. */
const WITH_GAPS = 100;

/** The plan as a row of trials, each in the colour of its state, with elapsed and remaining time. */
export function Progress({ session, trials, cells, runs, onAdd }: ProgressProperties) {
  const ended = ENDED_SESSION.includes(session.state);
  const now = useNow(ended ? undefined : 1000);
  const planned = new Set(trials.map(placeOf));
  // A trial that was measured again shows its last run; additional repeats follow the plan.
  const latest = new Map([...runs.values()].sort((one, other) => one.id - other.id).map((run) => [placeOf(run), run]));
  const further = [...latest.values()].filter((run) => !planned.has(placeOf(run)));
  const elapsed = workedSeconds(session, now);
  const remaining = session.expectedEndAt === undefined ? undefined : Math.max(0, (session.expectedEndAt - now) / 1000);
  const current = Math.min(session.trialsTotal, session.trialsEnded + 1);
  const done = [...latest.values()].filter((run) => run.state === 'done').length;
  return (
    <section className="kp-progress" aria-label="Progress">
      <div className="kp-progress-words kp-figures">
        <span>
          {ended ? (
            <>
              <b>{done}</b> of <b>{session.trialsTotal}</b> {session.trialsTotal === 1 ? 'trial' : 'trials'} done
            </>
          ) : (
            <>
              Trial <b>{current}</b> of <b>{session.trialsTotal}</b>
            </>
          )}
        </span>
        {session.state === 'interrupted' ? null : (
          <span>
            Elapsed <b>{formatDuration(elapsed === undefined ? undefined : Math.floor(elapsed))}</b>
          </span>
        )}
        {ended || remaining === undefined || session.state !== 'running' ? null : (
          <span>
            Remaining <b>{formatDuration(Math.round(remaining))}</b>
            <span className="kp-dim"> · ends about {formatTimeOfDay(session.expectedEndAt).slice(0, 5)}</span>
          </span>
        )}
        {session.trialsFailed > 0 ? <span className="kp-progress-failed">{session.trialsFailed} failed</span> : null}
        <span className="kp-progress-add" />
        {ended ? null : <AskForNotices />}
        {onAdd ? (
          <Button variant="subtle" size="compact-sm" leftSection={<IconTablePlus size={14} />} onClick={onAdd}>
            Add levels…
          </Button>
        ) : null}
      </div>
      <div
        className="kp-progress-trials"
        data-many={trials.length + further.length > WITH_GAPS || undefined}
        role="progressbar"
        aria-valuemin={0}
        aria-valuemax={session.trialsTotal}
        aria-valuenow={session.trialsEnded}
        aria-label="Trials ended"
      >
        {trials.map((trial) => (
          <TrialMark
            key={trial.index}
            trial={trial}
            levels={cells[trial.cell]?.levels ?? {}}
            run={latest.get(placeOf(trial))}
          />
        ))}
        {further.map((run) => (
          <TrialMark key={`run ${run.id}`} trial={{ ...run, index: run.trial }} levels={run.levels} run={run} />
        ))}
      </div>
    </section>
  );
}

/** Key of a trial of the plan. */
export const placeOf = ({ cell, repeat }: Pick<Trial, 'cell' | 'repeat'>): string => `${cell} ${repeat}`;

function TrialMark({
  trial,
  levels,
  run,
}: {
  trial: Pick<Trial, 'index' | 'repeat' | 'canary'>;
  levels: Levels;
  run: Run | undefined;
}) {
  const which = trial.canary ? 'canary' : `repeat ${trial.repeat + 1}`;
  const words = `${trial.index + 1}: ${formatLevels(levels)}, ${which}: ${run ? runWords(run).word : 'waiting'}`;
  return (
    <Tooltip label={words} openDelay={100}>
      <div
        className="kp-progress-trial"
        data-tone={run ? runWords(run).tone : 'idle'}
        data-waiting={!run || run.state === 'pending' || undefined}
      >
        {run && !ENDED_RUN.includes(run.state) ? <div style={{ width: `${100 * shareOf(run)}%` }} /> : null}
      </div>
    </Tooltip>
  );
}

const shareOf = (run: Run): number => Math.min(1, run.seconds / Math.max(1, run.warmup + run.duration));
