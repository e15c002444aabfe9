import { formatNumber } from '../util/format.ts';
import { ALL_GENERATORS, type CellResult, type Verdict } from './result.ts';

/** Which generator a series is of, to be put behind the name of its run; empty when its run had only one. */
export function generatorWords(generator: number, several: boolean): string {
  if (!several) return '';
  return generator === ALL_GENERATORS ? ', all generators' : `, generator ${generator + 1}`;
}

/** In a legend: the lines of single generators beside the one of all together. */
export const EACH_GENERATOR = 'each generator';

/**
 * The mean of a cell as tables show it. Where several generators measured what cannot be put together (a percentile), the lowest and
 * the highest of their means.
 */
export function meanWords(cell: Pick<CellResult, 'spread' | 'generators'>, digits: number): string {
  const means = cell.generators?.map(({ spread }) => spread.mean) ?? [];
  if (cell.spread || means.length === 0) return formatNumber(cell.spread?.mean, digits);
  const ends = [Math.min(...means), Math.max(...means)].map((mean) => formatNumber(mean, digits));
  return `${ends.join(' … ')} (${means.length} generators)`;
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
