import { metricOf } from '../../../shared/metrics/index.ts';
import { barOf, errorWords, omitDifferently, type StallFigures } from '../../../shared/model/figure.ts';
import { MECHANICS_ONLY } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell, ComparisonBasis, Verdict } from '../../../shared/model/result.ts';
import { excludedSentence, hasFigure } from '../../../shared/model/result-words.ts';
import { MORE_TO_KNOW } from '../../../shared/model/settling.ts';
import {
  type EventCount,
  isJudgeable,
  type Judgement,
  loadLimit,
  loadLimitWords,
  MOST_MORE,
} from '../../../shared/stats/index.ts';
import {
  formatChange,
  formatCount,
  formatInterval,
  formatNumber,
  formatTimes,
  formatValue,
  WIDEST_RATIO,
  withinSentence,
} from '../../../shared/util/format.ts';
import type { Pair, Question } from './pairs.ts';

/** 0.163 → "16 %", 0.0234 → "2.3 %". */
const formatPercent = (fraction: number): string => {
  if (fraction === 0) return '0 %';
  const percent = fraction * 100;
  return `${percent >= 10 ? percent.toFixed(0) : percent >= 0.95 ? percent.toFixed(1) : percent.toFixed(2)} %`;
};

/** A margin as set by a user: 0.03 → "3 %", 0.005 → "0.5 %". */
const formatMargin = (fraction: number): string => `${Number((fraction * 100).toPrecision(3))} %`;

/** Rates of events that are better when rare, or neither: zero is as good a figure as any, and a count distinguishes a repeat from noise. */
export function countsEvents(id: string): boolean {
  const { unit, better } = metricOf(id);
  return unit === 'per s' && better !== 'higher';
}

/** Events of each complete repeat, or of each session. */
export function eventsOfCell(cell: CellResult | undefined, basis: ComparisonBasis): EventCount[] {
  const complete = cell?.runs.filter(({ state, partial, spread }) => state === 'done' && !partial && spread) ?? [];
  const seconds = complete.reduce((sum, { spread }) => sum + (spread?.n ?? 0), 0);
  const each = basis === 'sessions' ? seconds : seconds / Math.max(1, complete.length);
  return cell && each > 0 && !barOf(cell)
    ? cell.means.map((mean) => ({ events: Math.round(mean * each), seconds: each }))
    : [];
}

/** Errors of the existing sides, appended to a sentence; empty if there were none. */
export function errorsOf({ baseline, other }: Pair): string {
  if ((baseline?.errors ?? 0) + (other?.errors ?? 0) === 0) return '';
  const sides = [
    ...(baseline ? [`${baseline.errors > 0 ? errorWords(baseline) : 'none'} in the baseline`] : []),
    ...(other ? [`${other.errors > 0 ? errorWords(other) : 'none'} here`] : []),
  ];
  return ` Errors: ${sides.join(', ')}.`;
}

/** Runs that a user has excluded from the sides of a pair, appended to a sentence; empty if there are none. */
export function excludedOf({ baseline, other }: Pair): string {
  const words = excludedSentence([baseline, other].filter((cell) => cell !== undefined));
  return words === undefined ? '' : ` ${words}`;
}

/**
 * Latencies cover completed events only: if one side stalled for longer, they omit that time, and give no verdict on what clients waited for. Clients
 * ÷ throughput includes it (Little's law).
 */
export function stalledWords({ baseline, other }: Pair): string | undefined {
  if (!baseline?.stalls || !other?.stalls || !omitDifferently(baseline, other)) return undefined;
  const still = ({ share, longest }: StallFigures): string =>
    share === 0 ? 'none' : `${formatPercent(share)} of the time, longest ${formatNumber(longest, 1)} s`;
  const little = [other, baseline].map(({ littleLatency }) => littleLatency);
  const waited = little.every((ms) => ms !== undefined)
    ? ` Clients ÷ throughput is ${little.map((ms) => `${formatNumber(ms, 2)} ms`).join(' vs. ')}.`
    : ' Compare throughput, which includes that time.';
  return `Inconclusive: latency excludes stalled time, which differs (${still(other.stalls)}; baseline: ${still(baseline.stalls)}).${waited}`;
}

/**
 * For percentiles, extremes and picked repeats, the shown figures differ from the means of the repeats, which are judged: if they point in opposite
 * directions, neither is a verdict. The ratio is that of the shown figures.
 */
export function opposedWords(
  { baseline, other }: Pair,
  { ratio }: Judgement,
  { margin }: Question,
): { ratio: number; sentence: string } | undefined {
  const shown = (other?.value ?? Number.NaN) / (baseline?.value ?? Number.NaN);
  const isOpposed = Math.log(shown) * Math.log(ratio) < 0;
  const isSmall = [shown, ratio].every((each) => Math.abs(Math.log(each)) <= Math.log1p(margin));
  if (!isOpposed || isSmall) return undefined;
  return {
    ratio: shown,
    sentence: `Inconclusive: the ratio of the figures shown is ${formatTimes(shown)}, that of the compared repeats ${formatTimes(ratio)}.`,
  };
}

/** If repeats were added to one side only, the other one has none from that time. */
export function partWords({ baseline, other }: Pair, matched: Pair): string {
  const counts = [other, baseline].map((cell) => cell?.means.length ?? 0);
  const used = [matched.other, matched.baseline].map((cell) => cell?.means.length ?? 0);
  if (counts.join() === used.join()) return '';
  return ` Based on repeats from the same parts of the session: ${used[0]} of ${counts[0]} vs. ${used[1]} of ${counts[1]}.`;
}

/** Precedes the words on a latency that omits a stall. */
export const OF_THE_REST = 'Completed events only:';

/** Verdict, size and interval of a judged cell. */
export function sentenceOf(verdict: Verdict, judgement: Judgement, { basis, margin }: Question): string {
  const { ratio } = judgement;
  const limit = formatMargin(margin);
  if (verdict === 'cannot-tell' && isUseless(judgement)) {
    return `Inconclusive, because there are too few repeats: the ratio may be anything from below ×${1 / WIDEST_RATIO} to above ×${WIDEST_RATIO}.`;
  }
  const interval = intervalWords(judgement);
  const size = `${ratio > 1 ? 'igher' : 'ower'} by ${formatPercent(Math.abs(ratio - 1))}, ${interval}`;
  const [capital, small] = ratio > 1 ? ['H', 'h'] : ['L', 'l'];
  switch (verdict) {
    case 'no-difference':
      return `No difference of ${limit} or more, ${interval}.`;
    case 'too-small':
      return `${capital}${size}: a difference, but below the margin of ${limit}.`;
    case 'cannot-tell':
      return `Inconclusive: ${interval}.`;
    case 'alike':
      return `${DIFFERENCE_SUBJECT[basis].alike} are alike within ${limit}, ${interval}.`;
    case 'differ':
      return `${DIFFERENCE_SUBJECT[basis].differ}: ${small}${size}. Time may be the cause.`;
    default:
      return `${capital}${size}.${reaches(judgement, margin) ? ` It may be below the margin of ${limit}.` : ''}`;
  }
}

/** Repeats required to settle an inconclusive cell. */
export function settleWords(more: Judgement['more'], { basis, margin }: Question, isUncertain = false): string {
  const limit = formatMargin(margin);
  const unit = basis === 'sessions' ? 'session' : 'repeat';
  const of = basis === 'sessions' ? 'on each side' : 'of each';
  if (!more && isUncertain) return `Add ${MORE_TO_KNOW} ${unit}s ${of} to estimate the spread.`;
  if (!more)
    return `Resolving a difference of ${limit} would take more than ${MOST_MORE} additional ${unit}s ${of}: reduce the noise, or set a wider margin.`;
  const about = `About ${formatCount(more.repeats, `more ${unit}`)} ${of} would resolve a difference`;
  return more.by === 'margin'
    ? `${about} of ${limit}.`
    : `${about} about as large as measured; one of ${limit} would take more than ${MOST_MORE}.`;
}

/** A difference that shows the load instead of the system under test. */
export function limitedWords(cell: ComparedCell): string {
  const interval = cell.interval ? ` (${formatInterval(cell.interval)})` : '';
  return `Undetermined, because ${loadLimitWords([cell])} was the limit: ${formatTimes(cell.ratio)}${interval} measured.`;
}

/** The load was the limit of the better side alone. */
export const leastWords = (cells: readonly ComparedCell[]): string =>
  `The difference is at least that large, because ${loadLimitWords(cells)} was the limit of the better side.`;

/** For counted events: rates of both sides. */
export function countedWords(verdict: Verdict, [from, to]: readonly [number, number], question: Question): string {
  const metric = metricOf(question.metric);
  const rates = `from ${formatNumber(from, metric.digits)} to ${formatValue(to, metric)}`;
  const reason = 'event counts show it without more repeats';
  return verdict === 'differ'
    ? `${DIFFERENCE_SUBJECT[question.basis].differ}: ${rates}; ${reason}. Time may be the cause.`
    : `${to > from ? 'Higher' : 'Lower'}, ${rates}: ${reason}.`;
}

const DIFFERENCE_SUBJECT: Readonly<Record<ComparisonBasis, { alike: string; differ: string }>> = {
  'single-sessions': { alike: 'These two sessions', differ: 'A difference between these two sessions' },
  sessions: { alike: 'These sessions', differ: 'A difference between sessions that were not interleaved' },
  levels: { alike: 'These cells', differ: 'A difference between cells that were not interleaved' },
};

/** Whether the interval contains a negligible ratio. */
const reaches = ({ low, high }: Judgement, margin: number): boolean => low < 1 + margin && high > 1 / (1 + margin);

/** An interval from a tenfold loss to a tenfold gain excludes nothing of interest. */
const isUseless = ({ low, high }: Judgement): boolean => low < 1 / WIDEST_RATIO && high > WIDEST_RATIO;

/** Sizes without a sign if both ends are on one side of 1. */
function intervalWords({ low, high }: Judgement): string {
  if (low < 1 && high > 1) {
    const end = high > WIDEST_RATIO ? `above ${formatChange(WIDEST_RATIO - 1)}` : formatChange(high - 1);
    const start = low < 1 / WIDEST_RATIO ? `below ${formatChange(1 / WIDEST_RATIO - 1)}` : formatChange(low - 1);
    return `95 % interval ${start} to ${end}`;
  }
  const [near, far] = [Math.abs(low - 1), Math.abs(high - 1)].sort((a, b) => a - b) as [number, number];
  return `95 % interval ${formatPercent(near)} to ${formatPercent(far)}`;
}

function missingWords({ baseline, other }: Pair, basis: ComparisonBasis): string {
  const side = basis === 'levels' ? 'this cell' : 'the other session';
  if (!baseline) return 'No matching cell in the baseline.';
  if (!other) return 'No matching cell in the other session.';
  if (!hasFigure(baseline) && !hasFigure(other)) {
    return basis === 'levels' ? 'Neither cell has a result.' : 'Neither session has a result here.';
  }
  return `No result in ${hasFigure(baseline) ? side : 'the baseline'}.`;
}

/** The verdict on a session that only shows that its experiment runs. */
const noVerdict = (name: string): string => `No verdict: “${name}” is a ${MECHANICS_ONLY} only.`;

/** Why a cell has no verdict. */
export function unjudgedWords(
  pair: Pair,
  { basis, metric, mechanics }: Question,
): Pick<ComparedCell, 'verdict' | 'sentence'> {
  const { baseline, other } = pair;
  if (!baseline || !other || !hasFigure(baseline) || !hasFigure(other))
    return { verdict: 'missing', sentence: missingWords(pair, basis) };
  if (mechanics !== undefined) return { verdict: 'too-few', sentence: noVerdict(mechanics) };
  const sides = [baseline, other];
  const bars = [barOf(baseline), barOf(other)];
  const bar = bars[0] ?? bars[1];
  if (bar) {
    const barred = ['the baseline', 'the other side'].filter((_, side) => bars[side]);
    return { verdict: 'too-few', sentence: `No verdict: the figure of ${barred.join(' and ')} ${bar.verdict}.` };
  }
  if (countsEvents(metric) && sides.every(({ means }) => means.every((mean) => mean === 0))) {
    const sentence = 'Both sides are zero, so there is nothing to compare.';
    return { verdict: 'cannot-tell', sentence };
  }
  const few = sides.some(({ means }) => means.length < 2);
  if (!few && sides.some(({ means }) => !isJudgeable({ values: means }))) {
    const sentence = 'Inconclusive: a repeat measured zero, so there is no ratio.';
    return { verdict: 'cannot-tell', sentence };
  }
  const what = basis === 'sessions' ? 'sessions on both sides' : 'complete repeats';
  const sentence = `Not enough ${what} to distinguish a difference from noise: each side needs two or more.`;
  return { verdict: 'too-few', sentence };
}

/** Words for the counts of each verdict, in order of appearance. */
const COUNTED: readonly (readonly [Verdict, (margin: string) => string])[] = [
  ['better', () => 'better in'],
  ['worse', () => 'worse in'],
  ['higher', () => 'higher in'],
  ['lower', () => 'lower in'],
  ['differ', () => 'different in'],
  ['too-small', () => 'negligible difference in'],
  ['no-difference', (margin) => `no difference of ${margin} or more in`],
  ['alike', (margin) => `alike within ${margin} in`],
  ['cannot-tell', () => 'inconclusive in'],
];

const SUBJECT: Readonly<Record<ComparisonBasis, string>> = {
  'single-sessions': 'These two sessions',
  sessions: 'Compared with the baseline, session by session',
  levels: 'Compared with the baseline',
};

/** The comparison in a sentence. */
export function summaryOf(
  cells: readonly ComparedCell[],
  { metric, basis, margin, mechanics }: Omit<Question, 'later'>,
): string {
  if (mechanics !== undefined) return noVerdict(mechanics);
  const ofLoad = (kind: ReturnType<typeof loadLimit>) => cells.filter((cell) => loadLimit(cell, metric) === kind);
  const [limited, least] = [ofLoad('limited'), ofLoad('least')];
  const others = cells.filter((cell) => !limited.includes(cell));
  const count = (verdict: Verdict): number => others.filter((cell) => cell.verdict === verdict).length;
  const limit = formatMargin(margin);
  const parts = [
    ...COUNTED.flatMap(([verdict, words]) => (count(verdict) > 0 ? [`${words(limit)} ${count(verdict)}`] : [])),
    ...(limited.length > 0 ? [`undetermined in ${limited.length}`] : []),
  ];
  if (parts.length === 0) return nothingJudged(count('too-few'), basis);
  const judged = COUNTED.reduce((sum, [verdict]) => sum + count(verdict), limited.length);
  const label = withinSentence(metricOf(metric).label);
  const of = `of ${judged} ${judged === 1 ? 'cell' : 'cells'} compared by ${label}`;
  const by = loadLimitWords(limited);
  if (limited.length === judged) return `Undetermined, because ${by} was the limit, in ${judged} ${of}.`;
  const cautions = [
    ...(limited.length > 0 ? [` Where it is undetermined, ${by} was the limit.`] : []),
    ...(least.length > 0 ? [` In ${least.length}: ${withinSentence(leastWords(least))}`] : []),
    ...(count('differ') + count('alike') > 0 ? [CAUTION[basis]] : []),
  ];
  return `${SUBJECT[basis]}: ${parts.join(', ')} ${of}.${cautions.join('')}`;
}

const CAUTION: Readonly<Record<ComparisonBasis, string>> = {
  'single-sessions': ' With one session per side, effects of set-up and time cannot be separated.',
  sessions: ' As the sides were measured one after the other, effects of set-up and time cannot be separated.',
  levels: ' As the cells were measured one after the other, effects of level and time cannot be separated.',
};

function nothingJudged(few: number, basis: ComparisonBasis): string {
  if (few === 0) {
    return basis === 'levels'
      ? 'No cells can be compared with the baseline.'
      : 'The two sessions have no measured cells in common.';
  }
  return basis === 'sessions'
    ? 'Two or more sessions per side are needed to confirm a difference.'
    : 'Both sides need more complete repeats to confirm a difference.';
}
