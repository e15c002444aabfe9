import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { comparisonBars, comparisonCurve, comparisonTitle } from '../../../shared/chart-models/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { ComparedCell, Comparison, Verdict } from '../../../shared/model/result.ts';
import { VERDICT_WORDS } from '../../../shared/model/result-words.ts';
import { moreRepeatsWords, repeatsOf, stepOf } from '../../../shared/model/settling.ts';
import { comparedBasis } from '../../../shared/stats/index.ts';
import {
  columnDigits,
  formatCount,
  formatDuration,
  formatInterval,
  formatLevels,
  formatNumber,
  formatRatio,
  NO_VALUE,
} from '../../../shared/util/format.ts';
import { Chart, useChartTheme } from '../../charts/index.ts';
import { useAction, useCall } from '../../client/index.ts';
import { ErrorCount, FindingsList, repeatsPlace, Warnings } from '../../domain/index.ts';
import { type Column, DataTable, Panel, Status, type Tone } from '../../ui/index.ts';
import { ComparedFacts } from './captures/ComparedCaptures.tsx';
import { Differences } from './Differences.tsx';

const TONES: Readonly<Record<Verdict, Tone>> = {
  better: 'ok',
  worse: 'bad',
  higher: 'idle',
  lower: 'idle',
  differ: 'warn',
  'too-small': 'idle',
  'no-difference': 'idle',
  alike: 'idle',
  'cannot-tell': 'warn',
  'too-few': 'warn',
  missing: 'idle',
};

/** The verdict first, then its chart, its figures, and other differences. */
export function ComparisonBody({ comparison }: { comparison: Comparison }) {
  const compared = comparison.cells.filter((cell) => cell.ratio !== undefined).length;
  return (
    <>
      <div className="kp-verdict">{comparison.verdict}</div>
      {comparison.basis === 'single-sessions' ? <HowToResolve comparison={comparison} /> : null}
      {comparison.findings.length > 0 ? (
        <Panel title="Read first" note={formatCount(comparison.findings.length, 'finding')}>
          <FindingsList findings={comparison.findings} inColumns />
        </Panel>
      ) : null}
      {comparison.overall ? <div className="kp-compare-overall">{comparison.overall.sentence}</div> : null}
      <Settle comparison={comparison} />
      {compared > 0 ? <Charts comparison={comparison} rows={compared} /> : null}
      <Panel title="Cells" note={cutWords(comparison)} flush>
        <DataTable
          label="Compared cells"
          columns={columnsOf(comparison)}
          rows={comparison.cells}
          rowId={(cell) => JSON.stringify(cell.levels)}
        />
        {comparedBasis(comparison).map((sentence) => (
          <div className="kp-small kp-table-note" key={sentence}>
            {sentence}
          </div>
        ))}
      </Panel>
      {comparison.basis === 'levels' && comparison.differences.length === 0 ? null : (
        <Differences comparison={comparison} />
      )}
      {comparison.facts ? <ComparedFacts facts={comparison.facts} /> : null}
    </>
  );
}

/** With more rows of bars the load curves keep their own height, and the bars scroll. */
const MOST_ROWS = 24;
const heightOf = (rows: number): number => Math.max(300, 72 + 22 * rows);

function Charts({ comparison, rows }: { comparison: Comparison; rows: number }) {
  const theme = useChartTheme();
  const bars = useMemo(() => comparisonBars(comparison, theme), [comparison, theme]);
  const curve = useMemo(() => comparisonCurve(comparison, theme), [comparison, theme]);
  return (
    <div className="kp-compare-charts">
      <Panel>
        <div className={rows > MOST_ROWS ? 'kp-compare-rows' : undefined}>
          <Chart
            model={bars}
            height={heightOf(rows)}
            zoomable
            title="Ratio to the baseline"
            note={[...rowWords(comparison), 'lines: 95 % interval'].join('; ')}
          />
        </div>
      </Panel>
      <Panel>
        <Chart
          model={curve}
          height={heightOf(Math.min(rows, MOST_ROWS))}
          zoomable
          title={comparisonTitle(comparison)}
          note="dashed: baseline"
        />
      </Panel>
    </div>
  );
}

/** Factors whose levels form the names of the rows, if there are several. */
const rowWords = ({ cells }: Comparison): string[] => {
  const names = [...new Set(cells.flatMap(({ levels }) => Object.keys(levels)))];
  return names.length > 1 ? [`rows: ${names.join(' · ')}`] : [];
};

/** Seconds that the figures exclude at the start of each run. */
function cutWords({ warmup: { baseline, other } }: Comparison): string {
  const [one, two] = [baseline, other].map((seconds) => formatDuration(seconds));
  return `figures after ${one === two ? one : `${one} (baseline) and ${two} (compared)`} of each run`;
}

const errorsIn = ({ baseline, other }: ComparedCell): number => (baseline?.errors ?? 0) + (other?.errors ?? 0);

const errorColumn: Column<ComparedCell> = {
  id: 'errors',
  header: 'Errors',
  hint: 'Baseline → compared, totals of the tools over each whole run',
  align: 'right',
  value: errorsIn,
  cell: ({ baseline, other }) => (
    <>
      {baseline ? <ErrorCount cell={baseline} /> : NO_VALUE} → {other ? <ErrorCount cell={other} /> : NO_VALUE}
    </>
  ),
};

function columnsOf(comparison: Comparison): Column<ComparedCell>[] {
  const metric = metricOf(comparison.metric);
  const { unit } = metric;
  const means = comparison.cells.flatMap((cell) => [cell.baseline?.value, cell.other?.value]);
  const digits = columnDigits(metric, means);
  return [
    {
      id: 'cell',
      header: 'Cell',
      cell: ({ levels }) => (
        <span className="kp-compare-cell" title={formatLevels(levels)}>
          {formatLevels(levels) || 'the only cell'}
        </span>
      ),
    },
    {
      id: 'baseline',
      header: `Baseline (${unit})`,
      hint: comparison.baseline.name,
      align: 'right',
      value: (cell) => cell.baseline?.value,
      cell: (cell) => (
        <>
          {formatNumber(cell.baseline?.value, digits)}
          <Warnings of={cell.baseline} />
        </>
      ),
    },
    {
      id: 'other',
      header: `Compared (${unit})`,
      hint: comparison.other.name,
      align: 'right',
      value: (cell) => cell.other?.value,
      cell: (cell) => (
        <>
          {formatNumber(cell.other?.value, digits)}
          <Warnings of={cell.other} />
        </>
      ),
    },
    {
      id: 'ratio',
      header: 'Ratio',
      hint: 'Compared / baseline: ratio of the two figures shown, with its 95 % interval by the repeats.',
      align: 'right',
      value: (cell) => cell.ratio,
      cell: (cell) => formatRatio(cell.ratio),
    },
    {
      id: 'interval',
      header: '95 % interval',
      hint: 'Interval of the ratio: Welch’s t on logarithms of repeat means, corrected for all cells (Bonferroni)',
      align: 'right',
      cell: (cell) => (cell.interval ? formatInterval(cell.interval) : NO_VALUE),
    },
    {
      id: 'verdict',
      header: 'Verdict',
      value: (cell) => cell.verdict,
      cell: (cell) => <Status tone={TONES[cell.verdict]}>{VERDICT_WORDS[cell.verdict]}</Status>,
    },
    ...(comparison.cells.some((cell) => errorsIn(cell) > 0) ? [errorColumn] : []),
    {
      id: 'sentence',
      header: 'In words',
      grow: true,
      cell: (cell) => <span className="kp-compare-words">{cell.sentence}</span>,
    },
  ];
}

/** Remedy for the inconclusive cells of a session, with a link; renders nothing if all are resolved. */
function Settle({ comparison }: { comparison: Comparison }) {
  const settling = repeatsOf(comparison);
  if (!settling) return null;
  const { repeats } = stepOf(settling);
  return (
    <div className="kp-dim">
      {moreRepeatsWords(settling)}{' '}
      <Button
        component={Link}
        href={repeatsPlace(comparison.other.id, repeats, settling.cells)}
        variant="default"
        size="compact-sm"
      >
        {`Add ${formatCount(repeats, 'repeat')}`}
      </Button>
    </div>
  );
}

/** Shown below the figures of two single sessions: why there is no verdict on their set-ups, and how to get one. */
export function HowToResolve({ comparison: { baseline, other, cells } }: { comparison: Comparison }) {
  const [, go] = useLocation();
  const repeats = repeatsWanted(cells);
  const both = useCall('experiments.bothInTurns', {
    ...{ baselineId: baseline.id, otherId: other.id },
    ...(repeats !== undefined && { repeats }),
  });
  const save = useAction('experiments.save', { onSuccess: ({ id }) => go(`/experiments/${id}`) });
  const { text, why } = both.data ?? {};
  return (
    <div className="kp-dim">
      {text === undefined
        ? `For a verdict on set-ups, measure both again interleaved, and choose several sessions on each side.${why ? ` ${why}` : ''}`
        : `For a verdict on set-ups, measure both interleaved in one session${repeats === undefined ? '' : `, with ${formatCount(repeats, 'repeat')}`}, and choose it on both sides.`}{' '}
      {text === undefined ? null : (
        <Button variant="default" size="compact-sm" loading={save.isPending} onClick={() => save.mutate({ text })}>
          Create this experiment
        </Button>
      )}
      {save.error ? ` ${save.error.problem.message}` : null}
    </div>
  );
}

/** Repeats of an experiment that would resolve every inconclusive cell, or a step towards that; undefined if none is inconclusive. */
function repeatsWanted(cells: Comparison['cells']): number | undefined {
  const wanted = cells.flatMap(({ more, baseline, other }) =>
    more === undefined
      ? []
      : [stepOf({ repeats: more }).repeats + Math.max(baseline?.means.length ?? 0, other?.means.length ?? 0)],
  );
  return wanted.length > 0 ? Math.max(...wanted) : undefined;
}
