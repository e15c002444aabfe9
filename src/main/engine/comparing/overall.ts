import { CHECKS } from '../../../shared/checks/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { ComparedCell, OverallRatio } from '../../../shared/model/result.ts';
import {
  areInterleaved,
  loadLimit,
  loadLimitWords,
  type MeanRatio,
  mean,
  meanRatio,
  type Repeats,
} from '../../../shared/stats/index.ts';
import {
  formatCount,
  formatInterval,
  formatLevels,
  formatRatio,
  formatTimes,
  withinSentence,
} from '../../../shared/util/format.ts';
import type { MatchedPair, Question } from './pairs.ts';
import type { judgeCells } from './verdicts.ts';

/**
 * The cells of a comparison in one ratio, or the reason why that would not be fair. `findings`: those of the comparison. Undefined with fewer than
 * two cells.
 */
export function overallOf(
  { cells, fair }: Pick<ReturnType<typeof judgeCells>, 'cells' | 'fair'>,
  findings: readonly Finding[],
  { metric, basis }: Pick<Question, 'metric' | 'basis'>,
): OverallRatio | undefined {
  const matched = cells.filter(({ verdict }) => verdict !== 'missing');
  if (matched.length < 2) return undefined;
  const none = (why: string): OverallRatio => ({ sentence: `No overall ratio: ${why}.` });
  const { better, label } = metricOf(metric);
  if (better === 'neither') return none(`${withinSentence(label)} has no better direction`);
  const found = new Set(findings.map(({ code }) => code));
  const unfair = CHECKS.find(
    ({ code, incomparable }) => incomparable && found.has(code) && !(incomparable.unless === basis),
  );
  if (unfair?.incomparable) return none(unfair.incomparable.why);
  if (matched.some(({ baseline, other }) => (baseline?.errors ?? 0) + (other?.errors ?? 0) > 0)) return none(ERRORS);
  const limited = matched.filter((cell) => loadLimit(cell, metric) !== undefined);
  if (limited.length > 0)
    return none(
      `${loadLimitWords(limited)} was the limit in ${limited.length} of ${formatCount(matched.length, 'cell')}`,
    );
  const without = matched.filter((cell) => !fair.some(({ pair }) => pair.levels === cell.levels));
  const [first] = without;
  if (first) return none(`${nameOf(first)} ${more(without.length - 1)}no usable interval`);
  const together = basis === 'sessions' ? ofSessions(fair) : meanRatio(fair.map(({ judged }) => judged));
  if (!together) return none('not every session measured every cell');
  return {
    ratio: together.ratio,
    ...wordsOf(together, matched, fair, { left: cells.length - matched.length, basis, better }),
  };
}

const ERRORS = 'there were errors, and failed operations are not completed work';
const more = (count: number): string => (count > 0 ? `and ${formatCount(count, 'more cell')} have ` : 'has ');
const nameOf = ({ levels }: Pick<ComparedCell, 'levels'>): string => formatLevels(levels) || 'the only cell';

type Fair = ReturnType<typeof judgeCells>['fair'];

/**
 * For several sessions per side: an effect on a session affects all of its cells, so each session is one figure, the mean of its cells. Undefined if
 * a session has not measured all of them.
 */
function ofSessions(fair: Fair): MeanRatio | undefined {
  const [baseline, other] = (['baseline', 'other'] as const).map((side): Repeats | undefined => {
    const cells = fair.map(({ pair }) => pair[side]);
    const places = cells[0]?.trials?.join();
    if (cells.some((cell) => cell?.trials?.join() !== places)) return undefined;
    const sessions = cells[0]?.means.length ?? 0;
    const values = Array.from({ length: sessions }, (_, session) => {
      const logs = cells.map((cell) => Math.log(cell?.means[session] ?? Number.NaN));
      return Math.exp(mean(logs));
    });
    // As for a single session: from the ratios of the cells as shown.
    return { values, centre: Math.exp(mean(cells.map((cell) => Math.log(mean(cell?.means ?? []))))) };
  });
  if (!baseline || !other) return undefined;
  return meanRatio([{ baseline, other }]);
}

function wordsOf(
  { ratio, low, high }: MeanRatio,
  cells: readonly ComparedCell[],
  fair: Fair,
  { left, basis, better }: { left: number; basis: Question['basis']; better: 'higher' | 'lower' },
): Pick<OverallRatio, 'sentence' | 'interval' | 'cells'> {
  const ratios = cells.map((cell) => cell.ratio ?? 1);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const where = (value: number): string => nameOf(cells[ratios.indexOf(value)] as ComparedCell);
  const rises = cells.filter(({ interval }) => interval && interval.low > 1).length;
  const falls = cells.filter(({ interval }) => interval && interval.high < 1).length;
  const [gains, losses] = better === 'higher' ? [rises, falls] : [falls, rises];
  const counted = [`better in ${gains}`, `worse in ${losses}`];
  const sentences = [
    `Overall ${formatRatio(ratio)}, 95 % interval ${formatInterval({ low, high })}: geometric mean of ${formatCount(cells.length, 'cell')}, which lie between ${formatTimes(least)} (${where(least)}) and ${formatTimes(most)} (${where(most)}).`,
    ...(rises > 0 && falls > 0 ? [`The cells differ in direction: ${counted.join(', ')}. The mean hides this.`] : []),
    ...(basis !== 'single-sessions' && fair.some(({ pair }) => !wereInterleaved(pair))
      ? ['Time may be the cause.']
      : []),
    ...(left > 0 ? [`${formatCount(left, 'cell')} on one side only ${left === 1 ? 'is' : 'are'} not in it.`] : []),
  ];
  return { sentence: sentences.join(' '), interval: { low, high }, cells: cells.length };
}

const wereInterleaved = ({ baseline, other }: MatchedPair): boolean =>
  areInterleaved(baseline?.trials ?? [], other?.trials ?? []);
