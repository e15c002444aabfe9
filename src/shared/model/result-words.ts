import { formatCount, formatNumber, formatPercent } from '../util/format.ts';
import { ALL_GENERATORS, type CellResult, type Verdict } from './result.ts';

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
