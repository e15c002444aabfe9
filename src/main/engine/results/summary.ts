import { metricOf } from '../../../shared/metrics/index.ts';
import type { ComparedCell, ComparisonBasis, Verdict } from '../../../shared/model/result.ts';
import { withinSentence } from '../../../shared/util/format.ts';
import type { Question } from './verdicts.ts';
import { formatMargin } from './words.ts';

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
export function summaryOf(cells: readonly ComparedCell[], { metric, basis, margin }: Omit<Question, 'later'>): string {
  const count = (verdict: Verdict): number => cells.filter((cell) => cell.verdict === verdict).length;
  const limit = formatMargin(margin);
  const parts = COUNTED.flatMap(([verdict, words]) =>
    count(verdict) > 0 ? [`${words(limit)} ${count(verdict)}`] : [],
  );
  if (parts.length === 0) return nothingJudged(count('too-few'), basis);
  const judged = COUNTED.reduce((sum, [verdict]) => sum + count(verdict), 0);
  const label = withinSentence(metricOf(metric).label);
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
      ? 'No cell can be compared with the baseline.'
      : 'The two sessions have no cell in common that both measured.';
  }
  return basis === 'sessions'
    ? 'Two or more sessions on each side are needed to call any difference real.'
    : 'Not enough complete repeats on both sides to call any difference real.';
}
