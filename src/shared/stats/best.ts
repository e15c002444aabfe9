import { metricOf } from '../metrics/index.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { formatLevels, formatNumber, formatValue } from '../util/format.ts';

const nameOf = (cell: CellResult): string => formatLevels(cell.levels) || 'the only cell';

/** Cells with a complete run, the best first. */
function ranked(result: SessionResult): { cell: CellResult; mean: number }[] {
  const sign = metricOf(result.metric).better === 'lower' ? 1 : -1;
  return result.cells
    .flatMap((cell) => (cell.spread && !cell.partial ? [{ cell, mean: cell.spread.mean }] : []))
    .sort((one, other) => sign * (one.mean - other.mean));
}

const overlap = (one: CellResult, other: CellResult): boolean =>
  one.interval !== undefined &&
  other.interval !== undefined &&
  one.interval.low <= other.interval.high &&
  other.interval.low <= one.interval.high;

/**
 * The best cell named in a sentence, as far as the repeats allow to name it. Undefined while there is no result, or
 * for a metric that is neither good nor bad.
 */
export function bestSentence(result: SessionResult): string | undefined {
  const metric = metricOf(result.metric);
  const [best, second] = ranked(result);
  const last = ranked(result).at(-1);
  if (!best || metric.better === 'neither') return undefined;
  const word = metric.better === 'lower' ? 'Lowest' : 'Fastest';
  const figure = formatValue(best.mean, metric);
  if (!second || !last) return `${nameOf(best.cell)}: ${figure}.`;
  const factor = best.mean / last.mean;
  const against = Number.isFinite(factor)
    ? `, ${formatNumber(factor, factor < 10 ? 2 : 1)} times the slowest cell`
    : '';
  const sentence = `${word}: ${nameOf(best.cell)} with ${figure}${metric.better === 'lower' ? '' : against}.`;
  if (overlap(best.cell, second.cell)) {
    return `${sentence} ${capital(nameOf(second.cell))} is too close to tell apart (${formatValue(second.mean, metric)}, the 95 % intervals overlap).`;
  }
  if (best.cell.means.length < 2) return `${sentence} With a single repeat, its noise is not known.`;
  return sentence;
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
