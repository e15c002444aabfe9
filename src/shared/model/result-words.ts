import { type Statistic, statisticOf } from '../metrics/index.ts';
import { formatCount, formatNumber, formatPercent } from '../util/format.ts';
import {
  ALL_GENERATORS,
  type CellResult,
  type FigureBasis,
  type FigureSource,
  type SessionResult,
  type Verdict,
} from './result.ts';

/** Which generator a series is of, to be put behind the name of its run; empty when its run had only one. */
export function generatorWords(generator: number, several: boolean): string {
  if (!several) return '';
  return generator === ALL_GENERATORS ? ', all generators' : `, generator ${generator + 1}`;
}

/** In a legend: the lines of single generators beside the one of all together. */
export const EACH_GENERATOR = 'each generator';

/**
 * The figure of a cell as tables show it. Where several generators measured what cannot be put together (a percentile without histograms), the
 * lowest and the highest of theirs.
 */
export function valueWords(cell: Pick<CellResult, 'value' | 'generators'>, digits: number): string {
  const values = cell.generators?.map(({ value, spread }) => value ?? spread.mean) ?? [];
  if (cell.value !== undefined || values.length === 0) return formatNumber(cell.value, digits);
  const ends = [Math.min(...values), Math.max(...values)].map((value) => formatNumber(value, digits));
  return `${ends.join(' … ')} (${values.length} generators)`;
}

const TITLES: Readonly<Record<Statistic, string>> = {
  ...{ rate: 'Mean', mean: 'Mean', level: 'Mean' },
  ...{ percentile: 'Percentile', maximum: 'Maximum', minimum: 'Minimum' },
};

/** What the figures of a metric are called at the head of a column. */
export const figureTitle = (metric: string): string => TITLES[statisticOf(metric)];

const WHOLE = ', the warm-up included: it does not follow the cut';
/** Of percentiles, by what they were worked out from. */
const PERCENTILES: Readonly<Record<FigureSource, string>> = {
  histogram: 'of all events of the repeats together, from the tool’s histograms',
  tool: 'the tool’s own figure of the run, of several repeats that in the middle',
  seconds: 'the median of the seconds’ percentiles, as the tool tells none of the run: not a percentile of all events',
  computed: 'worked out',
};

/** What a figure was worked out from, in words that go on after a colon. */
export function basisWords(metric: string, { from, wholeRun }: FigureBasis): string {
  const whole = wholeRun ? WHOLE : '';
  switch (statisticOf(metric)) {
    case 'percentile':
      return `${PERCENTILES[from]}${whole}`;
    case 'maximum':
    case 'minimum':
      return `the ${statisticOf(metric) === 'maximum' ? 'largest' : 'smallest'} of all repeats${whole}`;
    case 'mean':
      return from === 'tool'
        ? `over all events, as the tool counted them${whole}`
        : 'over the seconds, each by its events';
    default:
      if (from === 'computed') return 'worked out from the seconds after the warm-up cut';
      return from === 'tool'
        ? `as the tool reported it at the end of the run${whole}`
        : 'over the seconds after the warm-up cut, each by the time that it stands for';
  }
}

/** Of the figures of a result: a sentence for each way in which they were worked out. */
export function basisSentences({ metric, cells }: Pick<SessionResult, 'metric' | 'cells'>): string[] {
  const words = new Set(cells.flatMap(({ basis }) => (basis ? [basisWords(metric, basis)] : [])));
  return [...words].map((each) => `${figureTitle(metric)}: ${each}.`);
}

/** How long a cell stood still, in a few words: “12 stalls, 20 % of the time, longest 12.0 s”; undefined where it did not, or nobody knows. */
export function stallWords({ stalls }: Pick<CellResult, 'stalls'>): string | undefined {
  if (!stalls || stalls.count === 0) return undefined;
  return `${formatCount(stalls.count, 'stall')}, ${formatPercent(stalls.share, 1)} of the time, longest ${formatNumber(stalls.longest, 1)} s`;
}

/** Verdicts in the order of a legend. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  better: 'better',
  worse: 'worse',
  higher: 'higher',
  lower: 'lower',
  differ: 'differ, cause open',
  'too-small': 'less than matters',
  'no-difference': 'no difference',
  alike: 'alike',
  'cannot-tell': 'cannot tell',
  'too-few': 'not enough repeats',
  missing: 'only on one side',
};
