import { isLatency, metricOf } from '../../../shared/metrics/index.ts';
import type { CellResult, ComparedCell, ComparisonBasis, StallFigures, Verdict } from '../../../shared/model/result.ts';
import {
  inTurns,
  isJudgeable,
  type Judgement,
  judge,
  type Repeats,
  repeatsOfCell,
  stallsDiffer,
} from '../../../shared/stats/index.ts';
import { formatChange, formatNumber } from '../../../shared/util/format.ts';
import type { Pair } from './pair-cells.ts';
import { formatMargin, formatPercent } from './words.ts';

/** What the words of a verdict depend on. */
interface Question {
  metric: string;
  basis: ComparisonBasis;
  margin: number;
}

/** All cells of a comparison at once: how sure each verdict is depends on how many there are. */
export function judgeCells(pairs: readonly Pair[], question: Question): ComparedCell[] {
  // A baseline that several cells meet is one object: its spread must not count for each of them.
  const repeats = new Map<CellResult, Repeats>();
  const knownRepeats = (cell: CellResult | undefined): Repeats => {
    if (cell?.value === undefined) return { values: [] };
    const known = repeats.get(cell) ?? repeatsOfCell(cell);
    repeats.set(cell, known);
    return known;
  };
  const judged = pairs.map(({ baseline, other }) => ({ baseline: knownRepeats(baseline), other: knownRepeats(other) }));
  const judgements = judge(judged, { margin: question.margin });
  return pairs.map((pair, index) => {
    const judgement = judgements[index];
    return judgement ? judgedCell(pair, judgement, question) : unjudgedCell(pair, question);
  });
}

function judgedCell(pair: Pair, judgement: Judgement, question: Question): ComparedCell {
  const { ratio, low, high } = judgement;
  const turns = wereInTurns(pair, question.basis);
  const verdict = turns ? verdictOf(judgement, question.metric) : apartVerdict(judgement);
  const words = sentenceOf(verdict, judgement, question);
  const stalled = stalledWords(pair, question.metric);
  if (stalled !== undefined)
    return {
      ...pair,
      ratio,
      interval: { low, high },
      verdict: turns ? 'cannot-tell' : verdict,
      sentence: `${stalled} ${OF_THE_REST} ${words}`,
    };
  const pooled = judgement.pooled ? ' With so few repeats, its spread is estimated from that of all cells.' : '';
  return { ...pair, ratio, interval: { low, high }, verdict, sentence: `${words}${pooled}` };
}

const OF_THE_REST = 'Of the events that ended:';

/**
 * Latencies are of the events that ended: where one side stood still for longer, they leave that time out, and are no verdict on what clients
 * waited for. Clients ÷ throughput has it in (Little's law).
 */
function stalledWords({ baseline, other }: Pair, metric: string): string | undefined {
  if (!isLatency(metric) || !baseline?.stalls || !other?.stalls || !stallsDiffer(baseline, other)) return undefined;
  const still = ({ share, longest }: StallFigures): string =>
    share === 0 ? 'no time' : `${formatPercent(share)} of the time (at most ${formatNumber(longest, 1)} s)`;
  const little = [other, baseline].map(({ littleLatency }) => littleLatency);
  const waited = little.every((ms) => ms !== undefined)
    ? ` Clients ÷ throughput is ${little.map((ms) => `${formatNumber(ms, 2)} ms`).join(' against ')}.`
    : ' Compare the throughput, which has that time in it.';
  return `Cannot tell by this latency: it stood still for ${still(other.stalls)}, the baseline for ${still(baseline.stalls)}, and a latency leaves that out.${waited}`;
}

/** Whether time acted on both sides alike: cells of a session, or several sessions a side, measured in turns. */
const wereInTurns = ({ baseline, other }: Pair, basis: ComparisonBasis): boolean =>
  basis !== 'single-sessions' && inTurns(baseline?.trials ?? [], other?.trials ?? []);

function verdictOf({ differs, within, ratio }: Judgement, metric: string): Verdict {
  if (within) return differs ? 'too-small' : 'no-difference';
  if (!differs) return 'cannot-tell';
  const { better } = metricOf(metric);
  if (better === 'neither') return ratio > 1 ? 'higher' : 'lower';
  return (better === 'lower') === ratio < 1 ? 'better' : 'worse';
}

const apartVerdict = ({ differs, within }: Judgement): Verdict =>
  within ? 'alike' : differs ? 'differ' : 'cannot-tell';

function sentenceOf(verdict: Verdict, judgement: Judgement, { basis, margin }: Question): string {
  const { ratio } = judgement;
  const limit = formatMargin(margin);
  const interval = intervalWords(judgement);
  const size = `${ratio > 1 ? 'igher' : 'ower'} by ${formatPercent(Math.abs(ratio - 1))}, ${interval}`;
  const [capital, small] = ratio > 1 ? ['H', 'h'] : ['L', 'l'];
  switch (verdict) {
    case 'no-difference':
      return `No difference of ${limit} or more, ${interval}.`;
    case 'too-small':
      return `${capital}${size}: a difference, but smaller than the ${limit} that matter.`;
    case 'cannot-tell':
      return `Cannot tell: ${interval}. More repeats would make it narrower.`;
    case 'alike':
      return `${WHERE_APART[basis].alike} are alike within ${limit}, ${interval}.`;
    case 'differ':
      return `${WHERE_APART[basis].differ}: ${small}${size}. Its cause may be the time between them.`;
    default:
      return `${capital}${size}.${reaches(judgement, margin) ? ` It may be less than the ${limit} that matter.` : ''}`;
  }
}

const WHERE_APART: Readonly<Record<ComparisonBasis, { alike: string; differ: string }>> = {
  'single-sessions': { alike: 'These two sessions', differ: 'A difference between these two sessions' },
  sessions: { alike: 'These sessions', differ: 'A difference between sessions that were not measured in turns' },
  levels: { alike: 'These cells', differ: 'A difference between cells that were not measured in turns' },
};

/** Whether the interval holds a ratio that would not matter. */
const reaches = ({ low, high }: Judgement, margin: number): boolean => low < 1 + margin && high > 1 / (1 + margin);

/** Sizes without a sign where both ends are on one side of 1. */
function intervalWords({ low, high }: Judgement): string {
  if (low <= 1 && high >= 1) return `95 % interval ${formatChange(low - 1)} to ${formatChange(high - 1)}`;
  const [near, far] = [Math.abs(low - 1), Math.abs(high - 1)].sort((a, b) => a - b) as [number, number];
  return `95 % interval ${formatPercent(near)} to ${formatPercent(far)}`;
}

function unjudgedCell(pair: Pair, { basis }: Question): ComparedCell {
  const { baseline, other } = pair;
  if (baseline?.value === undefined || other?.value === undefined)
    return { ...pair, verdict: 'missing', sentence: missingWords(pair, basis) };
  const plain = other.value / baseline.value;
  const found = { ...pair, ...(Number.isFinite(plain) && { ratio: plain }) };
  const few = [baseline, other].some(({ means }) => means.length < 2);
  if (!few && [baseline, other].some(({ means }) => !isJudgeable({ values: means }))) {
    const sentence = 'Cannot tell: a repeat measured zero, and no ratio to zero can be formed.';
    return { ...found, verdict: 'cannot-tell', sentence };
  }
  const what = basis === 'sessions' ? 'sessions on both sides' : 'complete repeats';
  const sentence = `Not enough ${what} to tell a difference from noise (two or more on each side are needed).`;
  return { ...found, verdict: 'too-few', sentence };
}

function missingWords({ baseline, other }: Pair, basis: ComparisonBasis): string {
  const side = basis === 'levels' ? 'this cell' : 'the other session';
  if (!baseline) return 'The baseline has no cell that belongs to this one.';
  if (!other) return 'The other session has no cell that belongs to this one.';
  if (baseline.value === undefined && other.value === undefined) {
    return basis === 'levels' ? 'Neither cell has a result.' : 'Neither session has a result here.';
  }
  return `There is no result in ${baseline.value === undefined ? 'the baseline' : side}.`;
}

/** How often each verdict was found, in the order in which it is told. */
const COUNTED: readonly (readonly [Verdict, (margin: string) => string])[] = [
  ['better', () => 'better in'],
  ['worse', () => 'worse in'],
  ['higher', () => 'higher in'],
  ['lower', () => 'lower in'],
  ['differ', () => 'different in'],
  ['too-small', () => 'different by less than matters in'],
  ['no-difference', (margin) => `no difference of ${margin} or more in`],
  ['alike', (margin) => `alike within ${margin} in`],
  ['cannot-tell', () => 'cannot tell in'],
];

const SUBJECT: Readonly<Record<ComparisonBasis, string>> = {
  'single-sessions': 'These two sessions',
  sessions: 'Against the baseline, session by session',
  levels: 'Against the baseline',
};

/** The comparison in a sentence. */
export function overall(cells: readonly ComparedCell[], { metric, basis, margin }: Question): string {
  const count = (verdict: Verdict): number => cells.filter((cell) => cell.verdict === verdict).length;
  const limit = formatMargin(margin);
  const parts = COUNTED.flatMap(([verdict, words]) =>
    count(verdict) > 0 ? [`${words(limit)} ${count(verdict)}`] : [],
  );
  if (parts.length === 0) return nothingJudged(count('too-few'), basis);
  const judged = COUNTED.reduce((sum, [verdict]) => sum + count(verdict), 0);
  const label = metricOf(metric).label.toLowerCase();
  const of = `of ${judged} ${judged === 1 ? 'cell' : 'cells'} compared by ${label}`;
  const caution = count('differ') + count('alike') > 0 ? CAUTION[basis] : '';
  return `${SUBJECT[basis]}: ${parts.join(', ')} ${of}.${caution}`;
}

const CAUTION: Readonly<Record<ComparisonBasis, string>> = {
  'single-sessions': ' One session a side cannot tell the set-up from the time at which it was measured.',
  sessions:
    ' Sessions that follow each other side by side cannot tell the set-up from the time at which it was measured.',
  levels: ' Cells that were measured one after the other cannot tell their level from the time.',
};

function nothingJudged(few: number, basis: ComparisonBasis): string {
  if (few === 0) {
    return basis === 'levels'
      ? 'No cell can be set against the baseline.'
      : 'The two sessions have no cell in common that both measured.';
  }
  return basis === 'sessions'
    ? 'Two or more sessions on each side are needed to call any difference real.'
    : 'Not enough complete repeats on both sides to call any difference real.';
}
