import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleX,
  IconDatabaseImport,
  IconInfoCircle,
  IconPower,
  IconRefresh,
} from '@tabler/icons-react';
import type { DocumentProblem } from '../../../../shared/model/experiment.ts';
import { type Finding, NO_FACTOR_UNDER_TEST } from '../../../../shared/model/finding.ts';
import { type Estimate, estimateBasis, estimateRows } from '../../../../shared/model/plan.ts';
import { formatCount, formatDuration, formatNumber, NO_VALUE } from '../../../../shared/util/format.ts';
import { Panel } from '../../../ui/index.ts';
import { type DocumentState, type ShortPlan, shortPlan } from '../document/document.ts';
import { stepOf } from '../document/steps.ts';
import classes from './plan.module.css';

/** Summary of the document: cells, trials, time, and findings. Updated with every keystroke. */
export function PlanCard({
  state,
  questions,
  notes,
  onStep,
  onRetry,
  onSmall,
  onShort,
}: {
  state: DocumentState;
  /** Choices that are required before a start. */
  questions: readonly DocumentProblem[];
  /** False if the page already shows the notes. */
  notes: boolean;
  onStep(step: string): void;
  onRetry(): void;
  /** Reduces the document to its small form; absent if it has none. */
  onSmall: (() => void) | undefined;
  onShort(measure: ShortPlan['measure']): void;
}) {
  const { checked, busy, problem } = state;
  const plan = checked?.plan;
  const size = plan
    ? { cells: plan.cells.length, trials: plan.trials.length, seconds: plan.seconds }
    : checked?.outline;
  const repeats = state.experiment?.measure.repeats;
  const short = size && state.experiment && shortPlan(state.experiment, size);
  const problems = [...(checked?.problems ?? []), ...questions];
  const findings = plan?.findings.filter(({ code }) => code !== NO_FACTOR_UNDER_TEST) ?? [];
  return (
    <aside className={classes.plan} aria-label="Plan" aria-busy={busy}>
      <Panel title="Plan">
        <Figures size={size} repeats={repeats} stale={busy || !size} />
        <div className={classes.total} data-stale={busy || !size || undefined}>
          <strong>{size ? formatDuration(size.seconds) : NO_VALUE}</strong>
          <span>{totalWords(plan?.estimate)}</span>
        </div>
        {onSmall && (
          <div className={classes.small}>
            <Button size="compact-sm" variant="default" onClick={onSmall}>
              Use small form
            </Button>
            <span>A few minutes on little data, only to check that everything works. Undo returns to this plan.</span>
          </div>
        )}
        {short && (
          <div className={classes.small}>
            <Button size="compact-sm" variant="default" onClick={() => onShort(short.measure)}>
              Shorten to about {formatNumber(Math.ceil(short.seconds / 60))} min
            </Button>
            <span>
              {shortWords(short.measure)}: wider intervals, and figures may not settle. Undo returns to this plan.
            </span>
          </div>
        )}
        {plan?.estimate && <ChangeMarks estimate={plan.estimate} />}
        {plan?.estimate && <Parts estimate={plan.estimate} generators={state.experiment?.where.generators ?? []} />}
        {problem && (
          <div className={classes.planProblem}>
            <p>{problem.message}</p>
            <Button size="compact-sm" variant="default" onClick={onRetry}>
              Try again
            </Button>
          </div>
        )}
        {problems.length > 0 && (
          <OpenPoints problems={problems} onChoose={(entry) => onStep(state.readable ? stepOf(entry) : 'yaml')} />
        )}
        {notes && findings.length > 0 && (
          <section>
            <h3 className={classes.planHead}>Notes and warnings</h3>
            <ul className={classes.notes}>
              {findings.map((finding) => (
                <Note key={`${finding.code} ${finding.message}`} finding={finding} />
              ))}
            </ul>
          </section>
        )}
      </Panel>
    </aside>
  );
}

const shortWords = ({ repeats, duration, warmup, pause }: ShortPlan['measure']): string =>
  [
    `${formatCount(repeats, 'repeat')} of ${formatNumber(duration)} s`,
    `${formatNumber(warmup)} s of warm-up`,
    `${formatNumber(pause)} s of pause`,
  ].join(', ');

function totalWords(estimate: Estimate | undefined): string {
  if (!estimate) return 'estimated, without preparing';
  return estimate.atMost ? 'estimated, at most' : 'estimated, in all';
}

/** Changes of the plan to servers and data, if any: each kind with its number. */
function ChangeMarks({ estimate: { changes, loads = 0, again, atMost } }: { estimate: Estimate }) {
  const { restarts = 0, reloads = 0 } = changes ?? {};
  const marks = [
    { words: formatCount(restarts, 'restart'), count: restarts, Icon: IconPower },
    { words: formatCount(reloads, 'reload'), count: reloads, Icon: IconRefresh },
    { words: formatCount(loads, 'data load'), count: again > 0 ? loads : 0, Icon: IconDatabaseImport },
  ].filter(({ count }) => count > 0);
  if (marks.length === 0) return null;
  return (
    <ul className={classes.changes} aria-label={atMost ? 'Changes, at most' : 'Changes'}>
      {marks.map(({ words, Icon }) => (
        <li key={words}>
          <Icon size={14} stroke={1.8} aria-hidden="true" />
          {words}
        </li>
      ))}
    </ul>
  );
}

const Figure = ({ value, words }: { value: string; words: string }) => (
  <div>
    <strong>{value}</strong>
    <span>{words}</span>
  </div>
);

function Note({ finding }: { finding: Finding }) {
  const warns = finding.severity !== 'note';
  const Icon = warns ? IconAlertTriangle : IconInfoCircle;
  return (
    <li className={classes.note}>
      <Icon size={15} color={warns ? 'var(--kp-warn)' : 'var(--kp-text-3)'} aria-hidden="true" />
      <span>
        {finding.message} {finding.next && <em>{finding.next}</em>}
      </span>
    </li>
  );
}

const Parts = ({ estimate, generators }: { estimate: Estimate; generators: readonly string[] }) => (
  <>
    <dl className={classes.parts}>
      {estimateRows(estimate).map(({ title, words }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
    <p className={classes.basis}>{estimateBasis(estimate, generators)}</p>
  </>
);

interface FiguresProperties {
  size: { cells: number; trials: number } | undefined;
  repeats: number | undefined;
  stale: boolean;
}

const Figures = ({ size, repeats, stale }: FiguresProperties) => (
  <div className={classes.figures} data-stale={stale || undefined}>
    <Figure value={size ? formatNumber(size.cells) : NO_VALUE} words={size?.cells === 1 ? 'cell' : 'cells'} />
    <Figure
      value={repeats === undefined ? NO_VALUE : `× ${formatNumber(repeats)}`}
      words={repeats === 1 ? 'repeat' : 'repeats'}
    />
    <Figure value={size ? formatNumber(size.trials) : NO_VALUE} words={size?.trials === 1 ? 'trial' : 'trials'} />
  </div>
);

interface OpenPointsProperties {
  problems: readonly DocumentProblem[];
  onChoose(problem: DocumentProblem): void;
}

const OpenPoints = ({ problems, onChoose }: OpenPointsProperties) => (
  <section>
    <h3 className={classes.planHead}>{formatCount(problems.length, 'problem')}</h3>
    <ul className={classes.notes}>
      {problems.slice(0, 8).map((entry) => (
        <li key={`${entry.path} ${entry.message}`}>
          <button type="button" className={classes.jump} onClick={() => onChoose(entry)}>
            <IconCircleX size={15} color="var(--kp-bad)" aria-hidden="true" />
            <span>{entry.message}</span>
          </button>
        </li>
      ))}
    </ul>
  </section>
);
