import { extremeWord, isRecovery, metricOf } from '../metrics/index.ts';
import { caveatWords, comparableOf, type Figured, openRanking, rankable, unrankedReason } from '../model/figure.ts';
import { PICK_WORDS } from '../model/measure.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { formatCount, formatLevels, formatNumber, formatValue } from '../util/format.ts';
import { judge, loadLimit, loadLimitWords } from './judge.ts';
import { loadFactorOf } from './load-lines.ts';
import { repeatsOfCell } from './noise.ts';
import { areInterleaved } from './order.ts';

const ONLY = 'the only cell';
/** Used if no repeat represents its cell. */
const EACH = 'Repeats are shown individually, so no best cell is named.';

/** By the factors in which cells differ. */
function nameOf({ levels }: CellResult, factors: SessionResult['factors']): string {
  const isConstant = (name: string): boolean =>
    factors.some((factor) => factor.name === name && factor.levels.length === 1 && !factor.sparse);
  const varied = Object.fromEntries(Object.entries(levels).filter(([name]) => !isConstant(name)));
  return formatLevels(varied) || formatLevels(levels) || ONLY;
}

interface Ranked {
  readonly cell: CellResult;
  readonly mean: number;
}

/** Cells whose figures may be ranked, the best first. */
function ranked<Cell extends Figured & { value?: number | undefined }>(
  metric: string,
  cells: readonly Cell[],
): { cell: Cell; mean: number }[] {
  const sign = metricOf(metric).better === 'lower' ? 1 : -1;
  return rankable(cells)
    .flatMap((cell) => (cell.value === undefined ? [] : [{ cell, mean: cell.value }]))
    .sort((one, other) => sign * (one.mean - other.mean));
}

/** The first of the ranking; undefined if the metric has no better direction. */
export function bestCell<Cell extends Figured & { value?: number | undefined }>(
  metric: string,
  cells: readonly Cell[],
): (Cell & { value: number }) | undefined {
  const [best] = metricOf(metric).better === 'neither' ? [] : ranked(metric, cells);
  return best && { ...best.cell, value: best.mean };
}

/** The cell with the best figure, and its comparison with the others as far as the repeats allow. */
interface Best {
  readonly best: Ranked;
  /** Cells that it is significantly better than, the best first. */
  readonly beaten: readonly Ranked[];
  /** Cells that are not distinguishable from it. */
  readonly tied: readonly Ranked[];
  /** It was not interleaved with the others: time may cause the difference. */
  readonly apart: boolean;
}

/**
 * The best cell against all others. It was chosen by its measurements, so a difference to it has to hold among all pairs of cells, of all
 * steps. Undefined without a complete run.
 */
export function bestOf(result: SessionResult): Best | undefined {
  const [best, ...others] = ranked(result.metric, result.cells);
  if (!best) return undefined;
  const ofBest = repeatsOfCell(best.cell);
  const judgements = judge(
    others.map(({ cell }) => ({ baseline: ofBest, other: repeatsOfCell(cell) })),
    { among: ((others.length * (others.length + 1)) / 2) * (result.steps ?? 1) },
  );
  const isBeaten = (index: number): boolean => judgements[index]?.differs ?? false;
  return {
    best,
    beaten: others.filter((_, index) => isBeaten(index)),
    tied: others.filter((_, index) => !isBeaten(index)),
    apart: others.some(({ cell }, index) => isBeaten(index) && !wereInterleaved(best.cell, cell)),
  };
}

const wereInterleaved = (one: CellResult, other: CellResult): boolean =>
  one.trials === undefined || other.trials === undefined || areInterleaved(one.trials, other.trials);

/**
 * A sentence that names the best cell, as far as the repeats allow, with its errors, and with its bottleneck if that is not the system
 * under test. For a metric without a better direction, the range. Undefined while there is no result.
 */
export function bestSentence(result: SessionResult): string | undefined {
  if (result.mechanics) return undefined;
  const sentence = sentenceOf(result);
  const alike = new Set(comparableOf(result.cells));
  const [first, ...more] = result.cells.filter((cell) => !alike.has(cell));
  if (sentence === undefined || !first) return sentence;
  const name = nameOf(first, result.factors);
  const names = more.length === 0 ? name : `${name} and ${formatCount(more.length, 'more cell')}`;
  return `${sentence} Not ranked: ${names}, ${unrankedReason(first)}`;
}

function sentenceOf(result: SessionResult): string | undefined {
  const found = bestOf(result);
  if (!found) return result.pick === 'all' && result.cells.some(({ means }) => means.length > 0) ? EACH : undefined;
  const { best, tied, beaten } = found;
  if (metricOf(result.metric).better === 'neither') return rangeSentence(result, [best, ...tied, ...beaten]);
  const caveats = caveatWords('name', best.cell);
  const name = nameOf(best.cell, result.factors);
  // An answer in itself: there are no other cells to compare it with.
  if (isRecovery(result.metric) && tied.length + beaten.length === 0 && name === ONLY)
    return `${metricOf(result.metric).label}: ${formatValue(best.mean, metricOf(result.metric))}.${caveats ? ` It ${caveats}.` : ''}`;
  return `${rankSentence(result, found)}${caveats ? ` ${capital(name)} ${caveats}.` : ''}`;
}

const capital = (text: string): string => (text === ONLY ? `T${text.slice(1)}` : text);

/** From the lowest cell to the highest, which is the first. */
function rangeSentence({ metric: id, factors }: SessionResult, cells: readonly Ranked[]): string {
  const metric = metricOf(id);
  const [last, first] = [...cells]
    .sort((one, other) => other.mean - one.mean)
    .flatMap((each, index, { length }) => (index === 0 || index === length - 1 ? [each] : []));
  if (!last) return '';
  if (!first) return `${capital(nameOf(last.cell, factors))}: ${formatValue(last.mean, metric)}.`;
  const ends = [first, last].map(({ cell, mean }) => `${formatValue(mean, metric)} (${nameOf(cell, factors)})`);
  return `From ${ends.join(' to ')}. This metric has no better direction.`;
}

function rankSentence({ metric: id, factors, pick }: SessionResult, found: Best): string {
  const metric = metricOf(id);
  const { best, beaten, tied, apart } = found;
  const name = nameOf(best.cell, factors);
  const figure = `${name} with ${formatValue(best.mean, metric)}${pick ? ` (${PICK_WORDS[pick]})` : ''}`;
  const end = extremeWord(metric);
  if (beaten.length + tied.length === 0) return `${capital(name)}: ${formatValue(best.mean, metric)}.`;
  const open = openRanking(best.cell);
  if (open) return `${end}: ${figure}, ${open}, so no best cell is named.`;
  const limited = beaten
    .map(({ cell }) => ({ verdict: 'better' as const, ratio: 1, baseline: cell, other: best.cell }))
    .filter((pair) => loadLimit(pair, id) === 'limited');
  if (limited.length > 0)
    return `${end}: ${figure}, but ${loadLimitWords(limited)} was the limit, so no best cell is named.`;
  if (beaten.length === 0)
    return `${end}: ${figure}, but ${tied.length === 1 ? 'the other cell does not differ' : 'no other cell differs'} significantly.`;
  if (apart) {
    return `${end}: ${figure}. Cells were not interleaved, so time may cause the difference.`;
  }
  const against = timesTheSlowest(found, metric.better, loadFactorOf(factors)?.name);
  if (tied.length === 0) return `${metric.better === 'lower' ? 'Lowest' : 'Fastest'}: ${figure}${against}.`;
  const names = tied.slice(0, MOST_NAMED).map(({ cell, mean }) => {
    const marks = caveatWords('chart', cell);
    return `${nameOf(cell, factors)} (${[formatValue(mean, metric), ...(marks ? [marks] : [])].join(', ')})`;
  });
  const more = tied.length - names.length;
  if (more > 0) names.push(`${more} more`);
  return `${end}: ${figure}${against}. Not distinguishable from: ${names.join('; ')}.`;
}

/** Maximum number of cells named in a sentence: the table has all. */
const MOST_NAMED = 4;

/**
 * Only if the cell with the lowest rate of all is significantly slower: otherwise the factor would be noise. And only at the same load: the
 * load curve already shows that more clients do more.
 */
function timesTheSlowest({ best, beaten, tied }: Best, better: string, load: string | undefined): string {
  const last = beaten.at(-1);
  if (load !== undefined && last?.cell.levels[load] !== best.cell.levels[load]) return '';
  const factor = best.mean / (last?.mean ?? 0);
  if (!last || better !== 'higher' || !Number.isFinite(factor) || tied.some(({ mean }) => mean < last.mean)) return '';
  return `, ${formatNumber(factor, factor < 10 ? 2 : 1)} times the slowest cell`;
}
