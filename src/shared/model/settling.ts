import { formatCount } from '../util/format.ts';
import type { ComparedCell, Comparison } from './result.ts';

/** Repeats that would settle the cells of a session of which nothing can be told. */
export interface Settling {
  /** Of each of these cells. */
  repeats: number;
  /** Indices of the undecided cells and of the baselines that they meet; absent: all of the session. */
  cells?: number[];
  words: string;
}

/** Repeats with which a cell that was measured once has enough to be judged. */
const FIRST_MORE = 4;

/**
 * What to add to the session of a comparison of its own cells; undefined where all is settled, or repeats would not settle it. Between sessions
 * nothing is added: repeats within them do not tell the set-up from the time.
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
  const named = `${formatCount(undecided.length, 'undecided cell')} and ${undecided.length === 1 ? 'its' : 'their'} ${baselines === 1 ? 'baseline' : 'baselines'}`;
  return {
    repeats,
    ...(chosen.length < indicesOf(cells).length && { cells: chosen }),
    words: `${isKnown ? 'About ' : ''}${formatCount(repeats, 'more repeat')} of ${named} ${isKnown ? `would resolve ${undecided.length === 1 ? 'it' : 'them'}` : 'would show how much they vary'}.`,
  };
}

function moreOf({ verdict, more, baseline, other }: ComparedCell): number | undefined {
  const isFew = verdict === 'too-few' && baseline?.partial === false && other?.partial === false;
  return isFew ? FIRST_MORE : more;
}

const indicesOf = (cells: readonly ComparedCell[]): number[] =>
  [...new Set(cells.flatMap(({ baseline, other }) => [baseline?.cell ?? [], other?.cell ?? []].flat()))].sort(
    (a, b) => a - b,
  );
