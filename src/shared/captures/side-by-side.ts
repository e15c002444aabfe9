import type { CounterDifference } from '../model/capture.ts';
import type { Scalar } from '../model/factor.ts';
import type { Finding } from '../model/finding.ts';
import { formatLevels } from '../util/format.ts';
import { countersIn } from './table.ts';

/** Code of the finding with the profile of one execution as its evidence. */
const PROFILE = 'query-profile';

/** Whether a run has the profile of an execution, as created by its server. */
export const hasProfile = ({ findings }: { readonly findings: readonly Pick<Finding, 'code'>[] }): boolean =>
  findings.some(({ code }) => code === PROFILE);

/** The execution profiles in a run's findings, as counters of one execution: states with their times, or events with their counts. */
export function profilesIn({
  id,
  findings,
}: {
  readonly id: number;
  readonly findings: readonly Pick<Finding, 'code' | 'evidence'>[];
}): CounterDifference[] {
  return findings.flatMap(({ code, evidence = '' }): CounterDifference[] => {
    if (code !== PROFILE) return [];
    const [head = ''] = evidence.split('\n');
    const titles = head.trim().split(/\s{2,}/);
    const sums = new Map<string, number>();
    for (const [name, value] of countersIn(evidence).rows)
      sums.set(String(name), (sums.get(String(name)) ?? 0) + Number(value));
    const rows = [...sums].map(([name, sum]) => ({ key: [name], grew: [Number(sum.toPrecision(12))] }));
    return [
      {
        ...{ runId: id, name: 'server’s profile', keys: [titles[0] ?? 'name'], counters: [titles.at(-1) ?? 'value'] },
        ...{ rows, unchanged: 0, gone: 0, seconds: 0, operations: { count: 1, word: 'execution' }, notes: [] },
      },
    ];
  });
}

interface PairedCell {
  readonly levels: Readonly<Record<string, Scalar>>;
  readonly runs: readonly { readonly runId: number }[];
  /** Its figure, if it has one. */
  readonly value?: number | undefined;
}

/** Runs of a cell, and of the cell with the baseline of a factor and otherwise the same levels. */
export interface LevelPair {
  /** Level of the cell, and levels of the other factors in words; empty without any. */
  readonly level: Scalar;
  readonly others: string;
  readonly one: number[];
  readonly other: number[];
  /** Size of the change between both figures, the same for ×2 and ×0.5. Absent: a figure is missing. */
  readonly change?: number;
}

/** Cells of a session with their baseline cells for a factor, in order; only if both have runs. */
export function levelPairs(cells: readonly PairedCell[], factor: string, baseline: Scalar): LevelPair[] {
  const isBaseline = ({ levels }: PairedCell): boolean => String(levels[factor]) === String(baseline);
  const rest = ({ levels }: PairedCell) =>
    Object.fromEntries(Object.entries(levels).filter(([name]) => name !== factor));
  const wordsOf = (cell: PairedCell): string => formatLevels(rest(cell));
  const runsOf = ({ runs }: PairedCell): number[] => runs.map(({ runId }) => runId);
  const bases = new Map(cells.filter(isBaseline).map((cell) => [wordsOf(cell), cell]));
  return cells.flatMap((cell): LevelPair[] => {
    const level = cell.levels[factor];
    const base = bases.get(wordsOf(cell));
    if (level === undefined || !base || isBaseline(cell) || base.runs.length === 0 || cell.runs.length === 0) return [];
    const change = Math.abs(Math.log((cell.value ?? Number.NaN) / (base.value ?? Number.NaN)));
    const pair = { level, others: wordsOf(cell), one: runsOf(base), other: runsOf(cell) };
    return [Number.isNaN(change) ? pair : { ...pair, change }];
  });
}

/** Pairs with the largest change first: their profiles explain most. Those without figures are last, in their order. */
export const byChange = (pairs: readonly LevelPair[]): LevelPair[] =>
  [...pairs].sort((one, other) => {
    const [first, second] = [one.change ?? -1, other.change ?? -1];
    return first === second ? 0 : second - first;
  });
