import { Link } from 'wouter';
import { isVaried, painterOf, titleOf } from '../../../../shared/chart-models/index.ts';
import { extremeWord, metricOf } from '../../../../shared/metrics/index.ts';
import { boundTitle } from '../../../../shared/model/analysis.ts';
import { barOf } from '../../../../shared/model/figure.ts';
import type { CellResult, FactorRatios, SessionResult, Spread, Verdict } from '../../../../shared/model/result.ts';
import { againstWords, excludedSentence, spanWords, valueWords } from '../../../../shared/model/result-words.ts';
import { basisSentences, figureTitle } from '../../../../shared/stats/index.ts';
import {
  capital,
  columnDigits,
  formatInterval,
  formatLevel,
  formatNumber,
  formatPercent,
  formatRatio,
  NO_VALUE,
} from '../../../../shared/util/format.ts';
import { Swatch } from '../../../charts/index.ts';
import { ErrorCount, Warnings } from '../../../domain/index.ts';
import { type Column, DataTable } from '../../../ui/index.ts';
import type { ResultsState } from '../useResults.ts';
import { lanesPlace } from './hosts/lanes-place.ts';

interface CellsProperties {
  result: SessionResult;
  cells: readonly CellResult[];
  onCell?: (cell: number) => void;
  state: Pick<ResultsState, 'id' | 'search'>;
}

function columnsOf(result: SessionResult, state: CellsProperties['state']): Column<CellResult>[] {
  const metric = metricOf(result.metric);
  const { unit } = metric;
  const digits = columnDigits(
    metric,
    result.cells.map((cell) => cell.value),
  );
  const best = result.best?.cell;
  // A figure of whole runs has none.
  const hasSeconds = result.cells.some(({ spread }) => spread);
  const ofSeconds = (id: keyof Spread, header: string, hint: string): Column<CellResult> => ({
    id,
    header: unit === '' ? header : `${header} (${unit})`,
    hint,
    align: 'right',
    value: (cell) => cell.spread?.[id],
    cell: (cell) => formatNumber(cell.spread?.[id], digits),
  });
  const title = figureTitle(result.metric, result.pick);
  return [
    ...factorColumns(result.factors),
    {
      id: 'mean',
      header: unit === '' ? title : `${title} (${unit})`,
      hint: basisSentences(result).join(' '),
      align: 'right',
      value: (cell) => cell.value,
      cell: (cell) => {
        const text = valueWords(cell, digits);
        return (
          <>
            {cell.cell === best ? <b title={extremeWord(metricOf(result.metric))}>{text}</b> : text}
            <Warnings of={cell} />
          </>
        );
      },
    },
    ...(result.cells.some(({ range }) => range) ? [rangeColumn(digits)] : []),
    ...(result.pick === undefined && result.cells.some(({ range }) => range)
      ? []
      : [intervalColumn(digits, result.pick)]),
    ...(result.ratios ?? []).map(ratioColumn),
    ...(hasSeconds
      ? [
          ofSeconds('median', 'Median', '50 % of the per-second values are below this'),
          ofSeconds('p5', 'p5', '5 % of the per-second values are below this'),
          ofSeconds('p95', 'p95', '5 % of the per-second values are above this'),
        ]
      : []),
    ...(result.cells.some(({ stalls }) => stalls?.count) ? [STALLED] : []),
    ...(result.cells.some(({ bound }) => bound) ? [boundColumn(state)] : []),
    ...(hasSeconds ? [VARIATION_COLUMN] : []),
    ...TRUST_COLUMNS,
  ];
}

/** Bottleneck of most of its runs, with a link to the lanes of the first of them. */
const boundColumn = (state: CellsProperties['state']): Column<CellResult> => ({
  id: 'bound',
  header: 'Bottleneck',
  hint: 'Bottleneck in most runs of the cell, if monitored; click to show its series',
  value: ({ bound }) => bound && boundTitle(bound.verdict),
  cell: ({ bound }) =>
    bound ? (
      <Link
        className="kp-lanes-link"
        href={lanesPlace(state, { runId: bound.runId, series: bound.evidence })}
        title={bound.sentence}
      >
        {boundTitle(bound.verdict)}
      </Link>
    ) : (
      NO_VALUE
    ),
});

/** Maximum factors that stay visible with their figures: more would leave no room for these. */
const MOST_PINNED = 3;

function factorColumns(factors: SessionResult['factors']): Column<CellResult>[] {
  const paint = painterOf(factors);
  const varied = factors.filter(isVaried);
  return (varied.length > 0 ? varied : factors).map(
    ({ name }, index): Column<CellResult> => ({
      id: `factor ${name}`,
      header: name,
      pinned: index < MOST_PINNED,
      value: (cell) => sortable(cell.levels[name]),
      cell: (cell) => (
        <>
          {index === 0 ? <Swatch paint={paint(cell.levels)} /> : null}
          {formatLevel(cell.levels[name])}
        </>
      ),
    }),
  );
}

/** Ratio to the baseline of a factor, with its interval. */
function ratioColumn(ratios: FactorRatios): Column<CellResult> {
  const ratioOf = ({ cell }: CellResult) => ratios.cells.find((each) => each.cell === cell);
  const isBaseline = ({ levels }: CellResult): boolean => String(levels[ratios.factor]) === String(ratios.level);
  return {
    id: `ratio ${ratios.factor}`,
    header: capital(againstWords(ratios)),
    hint: 'Ratio of means to the cell with this level and the same other levels, with 95 % interval; faint if there is no significant difference',
    align: 'right',
    value: (cell) => ratioOf(cell)?.ratio,
    cell: (cell) => {
      const { ratio, interval, verdict = 'missing', sentence } = ratioOf(cell) ?? {};
      if (ratio === undefined) return <span className="kp-dim">{isBaseline(cell) ? 'baseline' : NO_VALUE}</span>;
      return (
        <span title={sentence} className={REAL.includes(verdict) ? undefined : 'kp-dim'}>
          {formatRatio(ratio)}
          {interval ? `, ${formatInterval(interval)}` : ''}
        </span>
      );
    },
  };
}
/** Verdicts that mean a relevant difference. */
const REAL: readonly Verdict[] = ['better', 'worse', 'higher', 'lower'];

/** Names its subject if the figure next to it is not the mean. */
const intervalColumn = (digits: number, pick: SessionResult['pick']): Column<CellResult> => ({
  id: 'interval',
  header: pick ? '95 % interval of the mean' : '95 % interval',
  hint: '95 % interval of the mean over repeats, on a ratio scale; a dash with fewer than two repeats',
  align: 'right',
  value: (cell) => cell.interval?.low,
  cell: ({ interval }) => spanWords(interval, digits),
});

/** For percentiles and maxima a mean over repeats is meaningless: their range is shown. */
const rangeColumn = (digits: number): Column<CellResult> => ({
  id: 'range',
  header: 'Repeats from … to',
  hint: 'The smallest and the largest figure of a repeat',
  align: 'right',
  value: (cell) => cell.range?.low,
  cell: ({ range }) => spanWords(range, digits),
});

/** Shown with any metric: latencies exclude stalled time. */
const STALLED: Column<CellResult> = {
  id: 'stalled',
  header: 'Stalled',
  hint: 'Share of the time without completed events, and the longest stall',
  align: 'right',
  value: (cell) => cell.stalls?.share,
  cell: ({ stalls }) => (stalls ? `${formatPercent(stalls.share, 1)}, ${formatNumber(stalls.longest, 1)} s` : NO_VALUE),
};

const VARIATION_COLUMN: Column<CellResult> = {
  id: 'cv',
  header: 'CV',
  hint: 'Coefficient of variation of the per-second values: standard deviation / mean',
  align: 'right',
  value: (cell) => cell.spread?.cv,
  cell: (cell) => formatPercent(cell.spread?.cv, 1),
};

/** Columns on how reliable the figures of a cell are. */
const TRUST_COLUMNS: readonly Column<CellResult>[] = [
  {
    id: 'errors',
    header: 'Errors',
    align: 'right',
    hint: 'Totals reported by the tool over each whole run',
    value: (cell) => cell.errors,
    cell: (cell) => <ErrorCount cell={cell} />,
  },
  {
    id: 'repeats',
    header: 'Repeats',
    hint: 'Complete runs / started runs',
    align: 'right',
    value: (cell) => cell.means.length,
    cell: (cell) => (
      <span title={excludedSentence([cell])}>
        {cell.means.length} of {cell.runs.length}
        {barOf(cell) ? `, ${barOf(cell)?.mark}` : ''}
        {cell.excluded ? `, ${cell.excluded.length} excluded` : ''}
      </span>
    ),
  },
];

const sortable = (level: string | number | boolean | undefined): string | number | undefined =>
  typeof level === 'boolean' ? String(level) : level;

/** One line per cell. */
export const CellsTable = ({ result, cells, onCell, state }: CellsProperties) => (
  <DataTable
    label={`Cells: ${titleOf(metricOf(result.metric))}`}
    columns={columnsOf(result, state)}
    rows={cells}
    rowId={(cell) => String(cell.cell)}
    empty="No cells match the levels chosen above."
    {...(onCell ? { onRowClick: (cell: CellResult) => onCell(cell.cell) } : {})}
  />
);
