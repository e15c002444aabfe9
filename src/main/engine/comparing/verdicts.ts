import { metricOf } from '../../../shared/metrics/index.ts';
import { barOf } from '../../../shared/model/figure.ts';
import type { CellResult, ComparedCell, ComparisonBasis, Verdict } from '../../../shared/model/result.ts';
import { hasFigure } from '../../../shared/model/result-words.ts';
import { isUncertain } from '../../../shared/model/settling.ts';
import {
  areInterleaved,
  cachedRepeats,
  countsDiffer,
  type EventCount,
  eventRate,
  isJudgeable,
  type JudgedPair,
  type Judgement,
  judge,
  loadLimit,
  type Repeats,
} from '../../../shared/stats/index.ts';
import { type MatchedPair, matchParts, matchSessions, type Pair, type Question } from './pairs.ts';
import {
  countedWords,
  countsEvents,
  errorsOf,
  eventsOfCell,
  excludedOf,
  leastWords,
  limitedWords,
  OF_THE_REST,
  opposedWords,
  partWords,
  sentenceOf,
  settleWords,
  stalledWords,
  unjudgedWords,
} from './verdict-words.ts';

/** Cells in the order of the pairs, with their judgements. */
interface Judged {
  cells: ComparedCell[];
  errorsDiffer: boolean[];
  /** The pairs with a meaningful interval: latencies only without a stall. */
  fair: readonly { pair: MatchedPair; judged: JudgedPair }[];
}

/** Judges all cells of a comparison at once: the confidence of each verdict depends on how many there are. */
export function judgeCells(pairs: readonly Pair[], question: Question): Judged {
  const { metric, basis, margin, mechanics } = question;
  if (mechanics !== undefined)
    return { cells: pairs.map((pair) => unjudgedCell(pair, question)), errorsDiffer: pairs.map(() => false), fair: [] };
  const matched = matchedPairs(pairs, question);
  const judged = repeatsOfPairs(matched);
  const counted = matched.map(({ baseline, other }, index): Counts | undefined => {
    if (!countsEvents(metric) || isJudged(judged[index] as JudgedPair)) return undefined;
    const counts = { baseline: eventsOfCell(baseline, basis), other: eventsOfCell(other, basis) };
    return counts.baseline.length > 0 && counts.other.length > 0 ? counts : undefined;
  });
  const asked = counted.flatMap((counts) => counts ?? []);
  const among = (judged.filter(isJudged).length + asked.length) * (question.steps ?? 1);
  const judgements = judge(judged, { margin, among });
  const differ = new Map(countsDiffer(asked, among).map((differs, place) => [asked[place], differs]));
  const cells = pairs.map((pair, index): ComparedCell => {
    const judgement = judgements[index];
    const counts = counted[index];
    const isInterleaved = wereInterleaved(matched[index] as MatchedPair, basis);
    const cell = judgement
      ? judgedCell(pair, { matched: matched[index] as MatchedPair, judgement }, isInterleaved, question)
      : counts && differ.get(counts)
        ? countedCell(pair, counts, isInterleaved, question)
        : unjudgedCell(pair, question);
    const { sentence, ...found } = withLoadLimit(cell, metric);
    return { ...found, sentence: `${sentence}${errorsOf(pair)}${excludedOf(pair)}` };
  });
  return {
    cells,
    errorsDiffer: countsDiffer(
      pairs.map(({ baseline, other }) => ({ baseline: baseline?.failures ?? [], other: other?.failures ?? [] })),
    ),
    fair: matched.flatMap((pair, index) =>
      judgements[index] && stalledWords(pair) === undefined && cells[index]?.interval
        ? [{ pair, judged: judged[index] as JudgedPair }]
        : [],
    ),
  };
}

function matchedPairs(pairs: readonly Pair[], { basis, later }: Question): MatchedPair[] {
  if (basis === 'levels') return matchParts(pairs, later.baseline);
  return matchSessions(pairs, basis === 'sessions' ? { baseline: [], other: [] } : later);
}

const isJudged = ({ baseline, other }: JudgedPair): boolean => isJudgeable(baseline) && isJudgeable(other);

function repeatsOfPairs(pairs: readonly MatchedPair[]): JudgedPair[] {
  const of = cachedRepeats();
  const none = { values: [] };
  const repeatsOf = (cell: CellResult | undefined): Repeats =>
    cell && hasFigure(cell) && !barOf(cell) ? of(cell) : none;
  return pairs.map(({ baseline, other, additions }) => ({
    ...{ baseline: repeatsOf(baseline), other: repeatsOf(other), additions },
  }));
}

export type Counts = Readonly<Record<'baseline' | 'other', readonly EventCount[]>>;

/** Rates that differ by more than chance and the usual differences between repeats, though no ratio of them can be judged. */
function countedCell(pair: Pair, counts: Counts, isInterleaved: boolean, question: Question): ComparedCell {
  const [from, to] = [eventRate(counts.baseline) ?? 0, eventRate(counts.other) ?? 0];
  const verdict = isInterleaved ? directionOf(to > from, question.metric) : 'differ';
  const sentence = countedWords(verdict, [from, to], question);
  return { ...pair, ...(from > 0 && to > 0 && { ratio: to / from }), verdict, sentence };
}

function judgedCell(
  pair: Pair,
  { matched, judgement }: { matched: MatchedPair; judgement: Judgement },
  isInterleaved: boolean,
  question: Question,
): ComparedCell {
  const { ratio, low, high, more } = judgement;
  const opposed = opposedWords(pair, judgement, question);
  if (opposed) return { ...pair, ...opposed, verdict: 'cannot-tell' };
  const verdict = isInterleaved ? verdictOf(judgement, question.metric) : acrossTimeVerdict(judgement);
  const words = sentenceOf(verdict, judgement, question);
  const found = { ...pair, ratio, interval: { low, high }, verdict, sentence: words };
  const stalled = stalledWords(pair);
  if (stalled !== undefined)
    return {
      ...found,
      verdict: isInterleaved ? 'cannot-tell' : verdict,
      sentence: `${stalled} ${OF_THE_REST} ${words}`,
    };
  if (verdict === 'cannot-tell')
    return {
      ...found,
      verdict,
      sentence: `${words} ${settleWords(more, question, isUncertain(found))}`,
      ...(more && { more: more.repeats }),
    };
  const part = partWords(pair, matched);
  const pooled = judgement.pooled ? ' As there are few repeats, the spread is estimated from all cells.' : '';
  return { ...found, verdict, sentence: `${words}${part}${pooled}` };
}

/** No verdict follows from a difference that shows the load, and no number of repeats would give one. */
function withLoadLimit(cell: ComparedCell, metric: string): ComparedCell {
  const limit = loadLimit(cell, metric);
  if (limit === undefined || cell.verdict === 'too-few') return cell;
  if (limit === 'least') return { ...cell, sentence: `${cell.sentence} ${leastWords([cell])}` };
  const { more: _, ...found } = cell;
  return { ...found, verdict: 'cannot-tell', sentence: limitedWords(cell) };
}

/** Whether time affected both sides alike: cells of a session, or several sessions per side, measured interleaved. */
const wereInterleaved = ({ baseline, other }: Pair, basis: ComparisonBasis): boolean =>
  basis !== 'single-sessions' && areInterleaved(baseline?.trials ?? [], other?.trials ?? []);

function verdictOf({ differs, within, ratio }: Judgement, metric: string): Verdict {
  if (within) return differs ? 'too-small' : 'no-difference';
  return differs ? directionOf(ratio > 1, metric) : 'cannot-tell';
}

function directionOf(rises: boolean, metric: string): Verdict {
  const { better } = metricOf(metric);
  if (better === 'neither') return rises ? 'higher' : 'lower';
  return rises === (better === 'higher') ? 'better' : 'worse';
}

const acrossTimeVerdict = ({ differs, within }: Judgement): Verdict =>
  within ? 'alike' : differs ? 'differ' : 'cannot-tell';

function unjudgedCell(pair: Pair, question: Question): ComparedCell {
  const { baseline, other } = pair;
  const plain = (other?.value ?? Number.NaN) / (baseline?.value ?? Number.NaN);
  const found = { ...pair, ...(Number.isFinite(plain) && { ratio: plain }) };
  return { ...found, ...unjudgedWords(pair, question) };
}
