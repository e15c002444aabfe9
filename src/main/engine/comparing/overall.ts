import { metricOf } from '../../../shared/metrics/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { ComparedCell, OverallRatio } from '../../../shared/model/result.ts';
import { inTurns, type MeanRatio, mean, meanRatio, type Repeats } from '../../../shared/stats/index.ts';
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

/** Findings with which figures of the two sides are not of the same work, and the reason in a few words. */
const INCOMPARABLE: readonly (readonly [string, string])[] = [
  ['errors-differ', 'the rates of errors differ'],
  ['different-tools', 'the tools differ'],
  ['different-workloads', 'the workloads differ'],
  ['different-distributions', 'the accesses are distributed differently'],
  ['different-data', 'the data differ'],
  ['found-otherwise', 'the same levels were measured under other values'],
  ['different-durability', 'durability differs'],
  ['different-warm-ups', 'the warm-up cuts differ'],
  ['different-durations', 'the runs are not equally long'],
  ['changed-since-start', 'hosts or target have changed within a session'],
];

/**
 * The cells of a comparison in one ratio, or the reason why that would not be fair. `findings`: those of the comparison. Undefined where there
 * are not two cells to put together.
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
  if (better === 'neither') return none(`${withinSentence(label)} is neither better nor worse when it is higher`);
  const unfair = INCOMPARABLE.find(
    ([code]) => findings.some((finding) => finding.code === code) && !isAsked(code, basis),
  );
  if (unfair) return none(unfair[1]);
  if (matched.some(({ baseline, other }) => (baseline?.errors ?? 0) + (other?.errors ?? 0) > 0)) return none(ERRORS);
  const without = matched.filter((cell) => !fair.some(({ pair }) => pair.levels === cell.levels));
  const [first] = without;
  if (first) return none(`${nameOf(first)} ${more(without.length - 1)}no interval that could go into it`);
  const found = basis === 'sessions' ? ofSessions(fair) : meanRatio(fair.map(({ judged }) => judged));
  if (!found) return none('not every session has measured every cell');
  return {
    ratio: found.ratio,
    ...wordsOf(found, matched, fair, { left: cells.length - matched.length, basis, better }),
  };
}

const ERRORS = 'there were errors, and failed operations are not completed work';
const more = (count: number): string => (count > 0 ? `and ${formatCount(count, 'more cell')} have ` : 'has ');
const nameOf = ({ levels }: Pick<ComparedCell, 'levels'>): string => formatLevels(levels) || 'the only cell';

/** Levels that promise different things are compared because of that; of two sessions it is one of several things. */
const isAsked = (code: string, basis: Question['basis']): boolean =>
  basis === 'levels' && code === 'different-durability';

type Fair = ReturnType<typeof judgeCells>['fair'];

/**
 * Of several sessions a side: what moves a session moves all of its cells, so each session is one figure, the mean of its cells. Undefined
 * where a session has not measured all of them.
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
    // As of a single session: of the ratios of the cells as they are shown.
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
    ...(rises > 0 && falls > 0 ? [`The cells differ in direction: ${counted.join(', ')}. The mean hides that.`] : []),
    ...(basis !== 'single-sessions' && fair.some(({ pair }) => !wereInTurns(pair))
      ? ['Its cause may be the time between them.']
      : []),
    ...(left > 0 ? [`${formatCount(left, 'cell')} on one side only ${left === 1 ? 'is' : 'are'} not in it.`] : []),
  ];
  return { sentence: sentences.join(' '), interval: { low, high }, cells: cells.length };
}

const wereInTurns = ({ baseline, other }: MatchedPair): boolean => inTurns(baseline?.trials ?? [], other?.trials ?? []);
