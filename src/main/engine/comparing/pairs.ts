import type { KeptFact } from '../../../shared/captures/index.ts';
import type { OperationCost } from '../../../shared/model/analysis.ts';
import type { Levels, Scalar } from '../../../shared/model/experiment.ts';
import { optionOf } from '../../../shared/model/factor.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { CellResult, ComparisonBasis, SessionResult } from '../../../shared/model/result.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import type { TargetFacts } from '../../../shared/model/session-snapshot.ts';
import type { Durability } from '../../../shared/model/target.ts';
import { mean } from '../../../shared/stats/index.ts';

export interface ComparedSession {
  /** Costs of an operation in a cell, mean of its runs; absent: nothing was monitored. */
  costs?(cell: CellResult): OperationCost[];
  detail: SessionDetail;
  result: SessionResult;
  /** Facts in captures of its runs; absent: none. */
  facts?: readonly KeptFact[];
  /** Facts of the runs of one of its cells. */
  factsOf?(cell: CellResult): readonly KeptFact[];
  /** Its workload, as the tool reads the document; absent if the tool no longer exists. */
  workload?: WorkloadFacts;
  /** Effect of a power cut on the tables that a cell measures; undefined: the target stores nothing. */
  durability?(levels: Levels): Durability | undefined;
  /** I/Os that the tool itself keeps in flight in a cell; undefined: unknown, or it measures no disk directly. */
  queueDepth?(levels: Levels): number | undefined;
  /** Facts of the target of a cell; undefined: it has none. */
  target?(levels: Levels): TargetFacts | undefined;
}

export interface WorkloadFacts {
  /** Options in force, defaults included, by name: each with its words. */
  readonly options: ReadonlyMap<string, { readonly title: string; readonly value: string }>;
  /** The data that it works on, in words. */
  readonly data?: string;
  /** How it draws its rows, in words. */
  readonly accesses?: string;
}

export interface Pair {
  levels: Levels;
  baseline?: CellResult;
  other?: CellResult;
}

/**
 * Pairs cells by the factors that both sessions define: by level, or by the fixed option of a session that does not vary the factor. If one session
 * varies a factor that the other does not define, each of its cells is paired with the one cell of the other; if both do, no pairing would be fair
 * and the cells stay alone.
 */
export function pairCells(baseline: ComparedSession, other: ComparedSession): Pair[] {
  const factors = [baseline, other].flatMap(({ detail }) => detail.experiment.factors);
  const shared = [...new Map(factors.map((factor) => [factor.name, optionOf(factor)]))].filter(
    ([name, option]) => isSpecified(baseline, name, option) && isSpecified(other, name, option),
  );
  const groups = new Map<string, { baseline: CellResult[]; other: CellResult[] }>();
  for (const side of ['baseline', 'other'] as const) {
    const { detail, result } = side === 'baseline' ? baseline : other;
    const { options } = detail.experiment.workload;
    for (const cell of result.cells) {
      const key = JSON.stringify(shared.map(([name, option]) => String(cell.levels[name] ?? options[option])));
      const group = groups.get(key) ?? { baseline: [], other: [] };
      groups.set(key, group);
      group[side].push(cell);
    }
  }
  return [...groups.values()].flatMap((group) => pairsOf(group.baseline, group.other));
}

const isSpecified = ({ detail }: ComparedSession, name: string, option: string): boolean =>
  detail.experiment.factors.some((factor) => factor.name === name) ||
  Object.hasOwn(detail.experiment.workload.options, option);

function pairsOf(baseline: readonly CellResult[], other: readonly CellResult[]): Pair[] {
  if (Math.min(baseline.length, other.length) !== 1) {
    return [
      ...baseline.map((cell) => ({ levels: cell.levels, baseline: cell })),
      ...other.map((cell) => ({ levels: cell.levels, other: cell })),
    ];
  }
  return baseline.flatMap((left) =>
    other.map((right) => ({ levels: { ...left.levels, ...right.levels }, baseline: left, other: right })),
  );
}

/** Quotes around a level do not make it a different one. */
export const sameLevel = (a: Scalar | undefined, b: Scalar): boolean => String(a) === String(b);

/**
 * Pairs every cell that has another level of the factor with the one that has this level and the same other levels. If one of the two has no level of
 * a factor that has no meaning there, the others count, if a single cell fits.
 */
export function pairLevels(
  result: Pick<SessionResult, 'cells'>,
  { factor, level }: { factor: string; level: Scalar },
): Pair[] {
  const others = ({ levels }: CellResult): string =>
    JSON.stringify(Object.entries(levels).filter(([name]) => name !== factor));
  const isBaseline = (cell: CellResult): boolean => sameLevel(cell.levels[factor], level);
  const baselines = new Map(result.cells.filter(isBaseline).map((cell) => [others(cell), cell]));
  if (baselines.size === 0) {
    throw new KneepointError({
      code: 'bad-request',
      message: `No cell has ${factor} ${level}.`,
      next: 'Choose one of its levels as the baseline.',
    });
  }
  return result.cells
    .filter((cell) => !isBaseline(cell))
    .map((cell) => {
      const baseline = baselines.get(others(cell)) ?? onlyAlike([...baselines.values()], cell, factor);
      return { levels: cell.levels, ...(baseline && { baseline }), other: cell };
    });
}

function onlyAlike(baselines: readonly CellResult[], { levels }: CellResult, factor: string): CellResult | undefined {
  const alike = baselines.filter((each) => isAlike(each.levels, levels, factor));
  return alike.length === 1 ? alike[0] : undefined;
}

/**
 * All other cells against this one, whatever their levels. `among`: cells that the baseline is one of, if others are compared with it.
 * @throws KneepointError `bad-request` if there is no such cell.
 */
export function pairWithCell(cells: readonly CellResult[], number: number, among = cells): Pair[] {
  const baseline = among.find(({ cell }) => cell === number);
  if (!baseline)
    throw new KneepointError({
      code: 'bad-request',
      message: `There is no cell ${number + 1}.`,
      next: `Choose one of cells 1 to ${among.length} as the baseline.`,
    });
  return cells.flatMap((other) => (other === baseline ? [] : [{ levels: other.levels, baseline, other }]));
}

/** Every two cells that differ in this factor alone, each once; the earlier level is the baseline. */
export function allPairs(cells: readonly CellResult[], factor: string, levels: readonly Scalar[]): Pair[] {
  return levels.slice(0, -1).flatMap((level, place) => {
    const rest = cells.filter((cell) => levels.slice(place).some((each) => sameLevel(cell.levels[factor], each)));
    return pairLevels({ cells: rest }, { factor, level });
  });
}

/** Whether the levels of all factors but this one are the same, as far as both have one. */
const isAlike = (one: Levels, other: Levels, factor: string): boolean =>
  Object.entries(one).every(
    ([name, level]) => name === factor || other[name] === undefined || sameLevel(other[name], level),
  );

/** A pair with its comparable repeats. */
export interface MatchedPair extends Pair {
  /** Later parts of the session in which both sides have repeats. */
  additions: number;
}

/** The first trial of each later part that has further repeats, in order. */
export interface LaterParts {
  readonly baseline: readonly number[];
  readonly other: readonly number[];
}

const partOf = (trial: number, firsts: readonly number[]): number => firsts.filter((first) => first <= trial).length;
const partsOf = (cell: CellResult | undefined, firsts: readonly number[]): Set<number> =>
  new Set((cell?.trials ?? []).map((trial) => partOf(trial, firsts)));

/** Pairs of two sessions: each keeps its repeats; the side with more later parts determines the number of additions. */
export const matchSessions = (pairs: readonly Pair[], later: LaterParts): MatchedPair[] =>
  pairs.map((pair) => ({
    ...pair,
    additions: Math.max(0, partsOf(pair.baseline, later.baseline).size - 1, partsOf(pair.other, later.other).size - 1),
  }));

/**
 * Pairs of one session, each with the repeats of the parts in which both sides were measured: repeats added to a baseline later are not compared with
 * cells of an earlier time.
 */
export function matchParts(pairs: readonly Pair[], firsts: readonly number[]): MatchedPair[] {
  const kept = new Map<CellResult, Map<string, CellResult>>();
  // Pairs that share a baseline share its remaining repeats too: its spread counts once.
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

/** The input of a verdict's words. */
export interface Question {
  metric: string;
  basis: ComparisonBasis;
  margin: number;
  /**
   * Parts of the sessions that were added after a look at their figures. With several sessions per side, each counts once, however often it was
   * repeated.
   */
  later: LaterParts;
  /** Name of the session whose figures answer nothing; absent: none. */
  mechanics?: string | undefined;
  /** Measured steps of a trial: each has as many comparisons, and all of them are judged together. Absent: 1. */
  steps?: number;
}
