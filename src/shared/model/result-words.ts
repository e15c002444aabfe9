import { formatCount, formatFigure, formatLevels, NO_VALUE } from '../util/format.ts';
import { errorWords, excludedWords, warningGroups } from './figure.ts';
import type { CellResult, Comparison, FactorRatios, SessionResult, Verdict } from './result.ts';

/** Name of the generator of a series, to follow the name of its run; empty if the run had only one. */
export function generatorWords(generator: number | null, several: boolean): string {
  if (!several) return '';
  return generator === null ? ', all generators' : `, generator ${generator + 1}`;
}

/** Legend entry for the lines of single generators, shown with the line of all together. */
export const EACH_GENERATOR = 'each generator';

/** The runs that users excluded from these cells, in a sentence; undefined if there are none. */
export function excludedSentence(cells: readonly Pick<CellResult, 'excluded'>[]): string | undefined {
  const all = cells.flatMap(({ excluded = [] }) => excluded);
  if (all.length === 0) return undefined;
  return `${excludedWords(all)}.`;
}

/** Number of repeats of cells: as planned, or the actual ones if trials were added or failed: “4 to 8 repeats (4 planned)”. */
export function repeatsWords(planned: number, cells: readonly Pick<CellResult, 'runs' | 'excluded'>[]): string {
  const counts = cells.map(
    ({ runs, excluded = [] }) => new Set([...runs, ...excluded].map(({ repeat }) => repeat)).size,
  );
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (counts.length === 0 || (least === planned && most === planned)) return formatCount(planned, 'repeat');
  return `${least === most ? '' : `${least} to `}${formatCount(most, 'repeat')} (${planned} planned)`;
}

/** Whether there is anything to compare: a figure, or repeats without one that represents the cell. */
export const hasFigure = ({ value, means }: Pick<CellResult, 'value' | 'means'>): boolean =>
  value !== undefined || means.length > 0;

/** Up to this number, repeats are listed one by one; with more, only the extremes. */
const MOST_REPEATS = 5;

function listedMeans(means: readonly number[], digits: number): string {
  if (means.length <= MOST_REPEATS) return means.map((mean) => formatFigure(mean, digits)).join(' / ');
  const ends = [Math.min(...means), Math.max(...means)].map((mean) => formatFigure(mean, digits));
  return `${ends.join(' … ')} (${means.length} repeats)`;
}

/**
 * The figure of a cell as shown in tables; all repeats if each is shown by itself. If several generators measured a metric that cannot be
 * combined (a percentile without histograms), the lowest and the highest of their values.
 */
export function valueWords(
  cell: Pick<CellResult, 'value' | 'generators'> & Partial<Pick<CellResult, 'means'>>,
  digits: number,
): string {
  if (cell.value === undefined && cell.means && cell.means.length > 0) return listedMeans(cell.means, digits);
  const values = cell.generators?.map(({ value, spread }) => value ?? spread.mean) ?? [];
  if (cell.value !== undefined || values.length === 0) return formatFigure(cell.value, digits);
  const ends = [Math.min(...values), Math.max(...values)].map((value) => formatFigure(value, digits));
  return `${ends.join(' … ')} (${values.length} generators)`;
}

/** Warnings of both sides of a comparison that none of its findings covers, a sentence each. */
export function comparedWarnings({ cells, findings }: Pick<Comparison, 'cells' | 'findings'>): string[] {
  const sides = [
    ['Baseline', cells.flatMap(({ baseline }) => baseline ?? [])],
    ['Compared', cells.flatMap(({ other }) => other ?? [])],
  ] as const;
  return sides.flatMap(([side, figures]) =>
    warningGroups(figures).flatMap(({ id, message }) =>
      findings.some(({ code }) => code === id) ? [] : [`${side}: ${message}`],
    ),
  );
}

/** An interval or range as shown in tables. No figure is below zero, however wide its interval is. */
export const spanWords = (span: { low: number; high: number } | undefined, digits: number): string =>
  span ? `${span.low > 0 ? formatFigure(span.low, digits) : '0'} … ${formatFigure(span.high, digits)}` : NO_VALUE;

/** Maximum number of cells with errors that are named. */
const ERRONEOUS_NAMED = 4;

/** The cells that had errors, those with the most first, in a sentence; undefined if none had. */
export function errorSentence(
  cells: readonly Pick<CellResult, 'levels' | 'errors' | 'failures'>[],
): string | undefined {
  const found = cells.filter(({ errors }) => errors > 0).sort((one, other) => other.errors - one.errors);
  if (found.length === 0) return undefined;
  const named = found
    .slice(0, ERRONEOUS_NAMED)
    .map((cell) => `${formatLevels(cell.levels) || 'the only cell'}, ${errorWords(cell)}`);
  const more = found.length - named.length;
  return `Errors: ${named.join('; ')}${more > 0 ? `; and ${formatCount(more, 'more cell')}` : ''}.`;
}

/** `against durability safe`: the baseline of a factor. */
export const againstWords = ({ factor, level }: Pick<FactorRatios, 'factor' | 'level'>): string =>
  `against ${formatLevels({ [factor]: level })}`;

/** Verdicts in the order of a legend. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  better: 'better',
  worse: 'worse',
  higher: 'higher',
  lower: 'lower',
  differ: 'differ, cause unknown',
  'too-small': 'negligible',
  'no-difference': 'no difference',
  alike: 'alike',
  'cannot-tell': 'inconclusive',
  'too-few': 'not enough repeats',
  missing: 'only on one side',
};

/** Names the fsync that the latency of an I/O excludes, if its tool syncs after writes: measured by itself, or not at all. */
export function syncSentence({
  metric,
  metrics,
  runFigures = [],
  syncs,
}: Pick<SessionResult, 'metric' | 'metrics' | 'runFigures' | 'syncs'>): string | undefined {
  const isOwn = /^(?:write_)?(?:completion_|submission_)?latency_/.test(metric);
  if (!isOwn) return undefined;
  if ([...metrics, ...runFigures].some((each) => each.startsWith('sync_latency_')))
    return 'Each I/O ends before the fsync that makes it durable: fsync latency is a metric of its own.';
  return syncs
    ? 'Latency without the fsync that makes a write durable: the tool did not report the times of fsync.'
    : undefined;
}
