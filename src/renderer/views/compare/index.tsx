import { Button } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useSearchParams } from 'wouter';
import type { Comparison } from '../../../shared/model/result.ts';
import type { Session } from '../../../shared/model/session.ts';
import { useCall } from '../../client/index.ts';
import { ExportMenu, MetricSelect, RerunMenu } from '../../domain/index.ts';
import { BlockSkeleton, EmptyState, Page, PageHeader, Panel, ProblemBanner, useCrumbs } from '../../ui/index.ts';
import { ComparisonBody } from './ComparisonBody.tsx';
import { ComparedCaptures } from './captures/ComparedCaptures.tsx';
import { isOneSession, type Question, questionOf, withSide } from './question.ts';
import { CellSelect, CutInput, LevelSelect, MarginInput, SessionsSelect } from './selects.tsx';
import { WatchedDifferences } from './watched/WatchedDifferences.tsx';
import './compare.css';

const NONE: readonly Session[] = [];

/**
 * Compares sessions with sessions, one or several per side, or the cells of one session with a level. The address contains the comparison.
 */
export function CompareView() {
  const [parameters, setParameters] = useSearchParams();
  const list = useCall('sessions.list', {});
  const question = questionOf(parameters);
  const comparison = useComparison(question);
  useCrumbs([{ label: 'Compare' }]);
  const put = (changes: Readonly<Record<string, string | undefined>>): void =>
    setParameters((now) => {
      const next = new URLSearchParams(now);
      for (const [name, value] of Object.entries(changes))
        value === undefined ? next.delete(name) : next.set(name, value);
      return next;
    });
  const sessions = (list.data ?? NONE).filter(({ damaged }) => !damaged);
  const { baseline, other } = question;
  const sidesOf = (ids: readonly number[]): Session[] =>
    ids.flatMap((id) => sessions.find((session) => session.id === id) ?? []);
  const chosen = sessions.filter(({ id }) => baseline.includes(id) || other.includes(id));
  return (
    <Page>
      <PageHeader
        title="Compare"
        actions={
          chosen.length > 0 ? (
            <>
              <RerunMenu sessions={chosen} />
              <ExportMenu
                sessionId={other[0] ?? 0}
                compareWith={baseline[0]}
                warmup={question.warmup}
                without={withoutFile(question, comparison.data !== undefined)}
              />
            </>
          ) : null
        }
      />
      <div className="kp-bar kp-compare-bar">
        <SessionsSelect
          label="Baseline"
          sessions={sessions}
          ids={baseline}
          onChange={(ids) => put(withSide('baseline', ids))}
        />
        <Button
          variant="default"
          className="kp-compare-unlabelled"
          leftSection={<IconArrowsExchange size={16} />}
          disabled={!comparison.chosen || isOneSession(question)}
          onClick={() => put({ ...withSide('baseline', other), ...withSide('other', baseline) })}
        >
          Swap
        </Button>
        <SessionsSelect
          label="Compared"
          sessions={sessions}
          ids={other}
          onChange={(ids) => put(withSide('other', ids))}
        />
        {isOneSession(question) ? (
          <LevelSelect
            sessionId={baseline[0] ?? 0}
            {...question.against}
            cell={question.cell}
            onChange={({ factor, level, cell }) => put({ factor, level, cell: cellText(cell) })}
          />
        ) : baseline.length === 1 && comparison.chosen ? (
          <CellSelect
            sessionId={baseline[0] ?? 0}
            cell={question.cell}
            onChange={(cell) => put({ cell: cellText(cell) })}
          />
        ) : null}
        {comparison.data ? (
          <>
            {/* Sessions without a common metric have none to choose from. */}
            <div hidden={comparison.data.metrics.length === 0 && !comparison.data.runFigures?.length}>
              <MetricSelect
                label="Metric"
                metrics={comparison.data.metrics}
                runFigures={comparison.data.runFigures}
                metric={comparison.data.metric}
                onChange={(value) => put({ metric: value })}
              />
            </div>
            <div>
              <CutInput
                planned={sameCut(comparison.data.warmup)}
                asked={question.warmup}
                onChange={(seconds) => put({ warmup: seconds === undefined ? undefined : String(seconds) })}
              />
            </div>
            <div>
              <MarginInput margin={comparison.data.margin} onChange={(margin) => put({ margin: String(margin) })} />
            </div>
          </>
        ) : null}
      </div>
      {comparison.chosen ? null : <NothingChosen once={isOneSession(question)} />}
      {comparison.chosen && comparison.error ? <ProblemBanner problem={comparison.error.problem} /> : null}
      {comparison.chosen && comparison.isPending && !comparison.error ? <BlockSkeleton height={420} /> : null}
      {comparison.chosen && comparison.data && !comparison.error ? (
        <>
          <ComparisonBody comparison={comparison.data} />
          <ComparedCaptures key={`kept ${baseline.join()} ${other.join()}`} comparison={comparison.data} />
          <WatchedDifferences
            key={`${baseline.join()} ${other.join()}`}
            comparison={comparison.data}
            sessions={{ baseline: sidesOf(baseline), other: sidesOf(other) }}
          />
        </>
      ) : null}
    </Page>
  );
}

/** Cells count from 1 in the address. */
const cellText = (cell: number | undefined): string | undefined => (cell === undefined ? undefined : String(cell + 1));

/** Why there is no file of a comparison; undefined if there is one. */
function withoutFile(question: Question, isCompared: boolean): string | undefined {
  const { baseline, other, cell } = question;
  if (cell !== undefined) return 'Only a comparison of cells with the same levels can be exported.';
  if (isOneSession(question)) return 'To export a comparison within one session, export its results.';
  if (baseline.length > 1 || other.length > 1) return 'Only a comparison of two sessions can be exported.';
  return isCompared ? undefined : 'Choose one session per side to create a file.';
}

const sameCut = ({ baseline, other }: Comparison['warmup']): number | undefined =>
  baseline === other ? baseline : undefined;

const NothingChosen = ({ once }: { once: boolean }) => (
  <Panel>
    <EmptyState title={once ? 'Choose the baseline level or cell' : 'Select a baseline and a session to compare'}>
      {once
        ? 'Each cell is compared with the cell that has the baseline level and otherwise the same levels, or all cells are compared with one cell.'
        : 'Ratios refer to the baseline. For a verdict on set-ups, choose several interleaved sessions per side, or choose one session on both sides to compare its cells.'}
    </EmptyState>
  </Panel>
);

/** The requested comparison; `chosen` is false while something is still to be selected. */
function useComparison(question: Question) {
  const { baseline, other, against, cell, metric, margin, warmup } = question;
  const [baselineId = 0, ...baselineMore] = baseline;
  const [otherId = 0, ...otherMore] = other;
  const one = isOneSession(question);
  const asked = { margin, ...(metric ? { metric } : {}), ...(warmup === undefined ? {} : { warmup }) };
  const levelChosen = cell !== undefined || (against.factor !== undefined && against.level !== undefined);
  const single = baseline.length === 1 && cell !== undefined;
  const apart = baseline.length > 0 && other.length > 0 && !baseline.some((id) => other.includes(id));
  const ofSessions = useCall(
    'results.compare',
    { baselineId, baselineMore, otherId, otherMore, ...(single && { baselineCell: cell }), ...asked },
    { enabled: apart, placeholderData: (before) => before },
  );
  const ofLevels = useCall(
    'results.compareLevels',
    { sessionId: baselineId, ...(cell === undefined ? against : { cell }), ...asked },
    { enabled: one && levelChosen, placeholderData: (before) => before },
  );
  const { data, error, isPending } = one ? ofLevels : ofSessions;
  return { data, error, isPending, chosen: one ? levelChosen : apart };
}
