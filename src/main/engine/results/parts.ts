import type { CellResult } from '../../../shared/model/result.ts';
import { mean } from '../../../shared/stats/index.ts';
import type { Pair } from './pair-cells.ts';

/** A pair with the repeats that can be set against each other. */
export interface MatchedPair extends Pair {
  /** Later parts of the session that both sides have repeats of. */
  additions: number;
}

/** The first trial of each later part that has further repeats, in their order. */
export interface LaterParts {
  readonly baseline: readonly number[];
  readonly other: readonly number[];
}

const partOf = (trial: number, firsts: readonly number[]): number => firsts.filter((first) => first <= trial).length;
const partsOf = (cell: CellResult | undefined, firsts: readonly number[]): Set<number> =>
  new Set((cell?.trials ?? []).map((trial) => partOf(trial, firsts)));

/** Pairs of two sessions: each keeps its repeats; how often some were added is what the side tells that has more of them. */
export const matchSessions = (pairs: readonly Pair[], later: LaterParts): MatchedPair[] =>
  pairs.map((pair) => ({
    ...pair,
    additions: Math.max(0, partsOf(pair.baseline, later.baseline).size - 1, partsOf(pair.other, later.other).size - 1),
  }));

/**
 * Pairs of one session, each with the repeats of those parts that both sides were measured in: repeats that were added to a baseline later meet
 * no cell of an earlier time.
 */
export function matchParts(pairs: readonly Pair[], firsts: readonly number[]): MatchedPair[] {
  const kept = new Map<CellResult, Map<string, CellResult>>();
  // Pairs that share a baseline share what is left of it too: its spread counts once.
  const only = (cell: CellResult, parts: readonly number[]): CellResult => {
    const known = kept.get(cell) ?? new Map<string, CellResult>();
    kept.set(cell, known);
    const found = known.get(parts.join()) ?? withParts(cell, (trial) => parts.includes(partOf(trial, firsts)));
    known.set(parts.join(), found);
    return found;
  };
  return pairs.map((pair) => {
    const { baseline, other } = pair;
    const two = partsOf(other, firsts);
    const both = [...partsOf(baseline, firsts)].filter((part) => two.has(part)).sort((a, b) => a - b);
    if (!baseline || !other || both.length === 0) return { ...pair, additions: 0 };
    return { ...pair, baseline: only(baseline, both), other: only(other, both), additions: both.length - 1 };
  });
}

function withParts(cell: CellResult, isKept: (trial: number) => boolean): CellResult {
  const { trials = [] } = cell;
  if (trials.every(isKept)) return cell;
  const places = trials.flatMap((trial, place) => (isKept(trial) ? [place] : []));
  const means = places.map((place) => cell.means[place] as number);
  return {
    ...cell,
    trials: places.map((place) => trials[place] as number),
    means,
    ...(cell.range === undefined && cell.value !== undefined && { value: mean(means) }),
  };
}
