import { formatCount, formatDuration } from '../util/format.ts';
import type { Answer } from './answer.ts';
import { loadLimitsOf, omitDifferently } from './figure.ts';
import type { ComparedCell, Comparison } from './result.ts';

/** Repeats that would resolve the inconclusive cells of a session. */
export interface Settling {
  /** Additional repeats of each of these cells. */
  repeats: number;
  /** Indices of the inconclusive cells and of their baselines; absent: all cells of the session. */
  cells?: number[];
  words: string;
}

/** Repeats after which a cell that was measured once can be judged. */
const FIRST_MORE = 4;
/** With fewer repeats, the spread is hardly known, and so is the number that would resolve a cell. */
const ENOUGH_TO_KNOW = 5;
/** Number of repeats to add for that number to become known. */
export const MORE_TO_KNOW = 3;

/** More repeats, or more seconds, are too much for a single step. */
const STEP = { repeats: 10, seconds: 3600 } as const;

/**
 * The repeats to offer: all that resolve it, or fewer if these take hours. `seconds`: estimated for all of them, undefined if unknown.
 * `isWhole`: they are all.
 */
export function stepOf({ repeats, seconds }: { readonly repeats: number; readonly seconds?: number | undefined }): {
  repeats: number;
  seconds?: number;
  isWhole: boolean;
} {
  const each = seconds === undefined ? undefined : seconds / repeats;
  const isOutOfReach = repeats > 2 * STEP.repeats || (seconds !== undefined && seconds > 2 * STEP.seconds);
  const within = each === undefined ? STEP.repeats : Math.floor(STEP.seconds / each);
  const step = isOutOfReach ? Math.min(repeats, STEP.repeats, Math.max(1, within)) : repeats;
  return { repeats: step, ...(each !== undefined && { seconds: step * each }), isWhole: step === repeats };
}

/** The words on the repeats that settle it, and on those to offer where these are too many at once. */
export function moreRepeatsWords(more: Parameters<typeof stepOf>[0] & Pick<Settling, 'words'>): string {
  const { repeats, seconds, isWhole } = stepOf(more);
  if (isWhole) return more.words;
  const [all, part] = [more.seconds, seconds].map((time) => (time === undefined ? undefined : formatDuration(time)));
  const start = `${more.words.replace(/\.$/, '')}${all === undefined ? '' : `, which takes about ${all}`}`;
  return `${start}; the first ${repeats === 1 ? 'one' : repeats}${part === undefined ? '' : ` (${part})`} would narrow the interval.`;
}

/** Next steps towards a conclusive answer, a sentence each. */
export const missingSentences = ({ answer }: { readonly answer?: Answer | undefined }): string[] =>
  [answer?.more && moreRepeatsWords(answer.more), answer?.next].filter((sentence) => sentence !== undefined);

/**
 * Repeats to add to a session for a comparison of its own cells; undefined if everything is resolved, or repeats would not resolve it.
 * Between sessions nothing is added: repeats within them cannot separate the effect of the set-up from that of time.
 */
export function repeatsOf({ basis, cells }: Pick<Comparison, 'basis' | 'cells'>): Settling | undefined {
  const undecided = cells.flatMap((cell) => {
    const more = moreOf(cell);
    return more === undefined ? [] : [{ cell, more }];
  });
  if (basis !== 'levels' || undecided.length === 0) return undefined;
  const chosen = indicesOf(undecided.map(({ cell }) => cell));
  const repeats = Math.max(...undecided.map(({ more }) => more));
  const baselines = new Set(undecided.map(({ cell }) => cell.baseline?.cell)).size;
  const isKnown = undecided.some(({ cell }) => cell.more !== undefined);
  const isFew = undecided.some(({ cell }) => cell.verdict === 'too-few');
  const effect = isKnown
    ? `would resolve ${undecided.length === 1 ? 'it' : 'them'}`
    : isFew
      ? 'would show how much they vary'
      : 'would show how many more it takes';
  const named = `${formatCount(undecided.length, 'undecided cell')} and ${undecided.length === 1 ? 'its' : 'their'} ${baselines === 1 ? 'baseline' : 'baselines'}`;
  return {
    repeats,
    ...(chosen.length < indicesOf(cells).length && { cells: chosen }),
    words: `${isKnown ? 'About ' : ''}${formatCount(repeats, 'more repeat')} of ${named} ${effect}.`,
  };
}

function moreOf(cell: ComparedCell): number | undefined {
  const { verdict, more, baseline, other } = cell;
  // More repeats show the same limit of the load.
  if ([baseline, other].some((side) => side && loadLimitsOf(side).length > 0)) return undefined;
  const isFew = verdict === 'too-few' && baseline?.partial === false && other?.partial === false;
  return isFew ? FIRST_MORE : (more ?? (isUncertain(cell) ? MORE_TO_KNOW : undefined));
}

/** Whether the spread of an inconclusive cell is based on so few repeats that a few more may show how many are needed. */
export const isUncertain = ({ verdict, interval, baseline, other }: ComparedCell): boolean =>
  verdict === 'cannot-tell' &&
  interval !== undefined &&
  !excludeDifferently({ baseline, other }) &&
  Math.min(baseline?.means.length ?? 0, other?.means.length ?? 0) < ENOUGH_TO_KNOW;

/** Latencies of cells of which one stalled for longer: they exclude that time, regardless of the number of repeats. */
const excludeDifferently = ({ baseline, other }: Pick<ComparedCell, 'baseline' | 'other'>): boolean =>
  baseline !== undefined && other !== undefined && omitDifferently(baseline, other);

/** The next step for cells that repeats may never resolve; undefined if there are none. */
export function nextStepOf(cells: readonly ComparedCell[]): string | undefined {
  const open = cells.filter((cell) => moreOf(cell) === undefined);
  const has = (...verdicts: ComparedCell['verdict'][]): boolean =>
    open.some(({ verdict }) => verdicts.includes(verdict));
  if (has('missing')) return 'Some cells have no result: measure the missing trials first.';
  if (has('too-few')) return 'Runs of some cells failed or ended early: repeat these runs first.';
  if (has('differ', 'alike')) return 'To separate the effect from time, run it again with the order “interleaved”.';
  if (open.some(excludeDifferently)) return 'Compare throughput instead: latency excludes stalled time.';
  if (has('cannot-tell'))
    return 'More repeats would hardly resolve it: measure longer per trial, or reduce other load on the hosts.';
  return undefined;
}

const indicesOf = (cells: readonly ComparedCell[]): number[] =>
  [...new Set(cells.flatMap(({ baseline, other }) => [baseline?.cell ?? [], other?.cell ?? []].flat()))].sort(
    (a, b) => a - b,
  );
