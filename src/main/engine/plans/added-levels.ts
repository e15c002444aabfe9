import { parseDocument } from 'yaml';
import { z } from 'zod';
import { sameLevel } from '../../../shared/model/cells.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import { Level, levelName, levelsOf, withLevels } from '../../../shared/model/factor.ts';
import type { Cell, Plan, Trial } from '../../../shared/model/plan.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import { blocksOf, costsFor } from './blocks.ts';
import { makePlan } from './check.ts';
import { groupByData, type Workload } from './data-groups.ts';
import { readDocument } from './document.ts';
import type { ResolvedCell } from './effects.ts';
import { formatDocument } from './format.ts';
import { orderTrials } from './order.ts';

/** Additional levels for one factor of a session, as the user wrote them. */
export interface WantedLevels {
  readonly factor: string;
  /** A text has the format of a document's list, without brackets: “8, 16..64 doubling”. */
  readonly levels: readonly Level[] | string;
}

/** A document with additional levels. */
export interface GrownDocument {
  readonly text: string;
  readonly experiment: Experiment;
  /** In full: ranges as lists, durations in seconds. */
  readonly levels: Level[];
}

/** Adds levels to a session's document. Throws `bad-request` if they are not possible. */
export function growDocument(experiment: Experiment, text: string, wanted: WantedLevels): GrownDocument {
  const factor = experiment.factors.find(({ name }) => name === wanted.factor);
  if (!factor) {
    const names = experiment.factors.map(({ name }) => name).join(', ');
    throw refused(
      `“${wanted.factor}” is not a factor of this session. ${names ? `It has: ${names}.` : 'It has none.'}`,
    );
  }
  const before = levelsOf(factor);
  const appended = replaced(experiment, { ...factor, levels: [...factor.levels, ...levelsIn(wanted.levels)] });
  const read = readDocument(formatDocument(appended, text));
  const levels = read.experiment?.factors.find(({ name }) => name === factor.name)?.levels.slice(before.length);
  if (!levels) throw refused(read.problems[0]?.message ?? 'The document is invalid with these levels.');
  const names = levels.map(levelName);
  const again = names.find(
    (name, index) =>
      before.some((level) => sameLevel(level, name)) || names.findIndex((each) => sameLevel(each, name)) < index,
  );
  if (again !== undefined) throw refused(`${String(again)} is already a level of “${factor.name}”.`);
  const grown = replaced(experiment, withLevels(factor, levels));
  return { text: formatDocument(grown, text), experiment: grown, levels };
}

function levelsIn(levels: WantedLevels['levels']): readonly Level[] {
  if (typeof levels !== 'string') return levels;
  const document = parseDocument(`[${levels}]`);
  const read = z
    .array(Level)
    .min(1)
    .safeParse(document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 0 }));
  if (read.success) return read.data;
  throw refused(`“${levels}” is not a list of levels. Example: 8, 16..64 doubling`);
}

const replaced = (experiment: Experiment, factor: Experiment['factors'][number]): Experiment => ({
  ...experiment,
  factors: experiment.factors.map((each) => (each.name === factor.name ? factor : each)),
});

/**
 * Cells that a grown document has in addition to the plan's, numbered after them, so every cell keeps its number. Data of cells is numbered
 * likewise. Throws `bad-request` if there are none.
 */
export function newCells(experiment: Experiment, plan: Pick<Plan, 'cells'>, workload: Workload): ResolvedCell[] {
  const key = ({ levels }: Pick<Cell, 'levels'>): string =>
    JSON.stringify(experiment.factors.map(({ name }) => levels[name] ?? null));
  const known = new Map(plan.cells.map((cell) => [key(cell), cell]));
  const all = makePlan(experiment, workload).cells;
  const added = all.filter((cell) => !known.has(key(cell)));
  if (added.length === 0)
    throw refused('No cell would be added: conditions, exclusions or selections remove these levels.');
  const numberOf = dataNumbers(all, (cell) => known.get(key(cell)));
  return added.map((cell, index) => {
    const { data: _, ...rest } = cell;
    const data = numberOf(cell);
    return { ...rest, index: plan.cells.length + index, ...(data !== undefined && { data }) };
  });
}

/** Assigns the session's numbers to its data, and new numbers to new data. Undefined if all cells use the same. */
function dataNumbers(
  all: readonly Cell[],
  knownAs: (cell: Cell) => Cell | undefined,
): (cell: Cell) => number | undefined {
  const numbers = new Map<number, number>();
  for (const cell of all) {
    const own = knownAs(cell);
    if (own && cell.data !== undefined) numbers.set(cell.data, own.data ?? 0);
  }
  return ({ data }) => {
    if (data === undefined) return undefined;
    const number = numbers.get(data) ?? Math.max(-1, ...numbers.values()) + 1;
    numbers.set(data, number);
    return number;
  };
}

const refused = (message: string): KneepointError =>
  new KneepointError({ code: 'bad-request', message, safe: 'Nothing was changed.' });

/** An addition to a session: this many repeats of each of these cells. */
interface Added {
  cells: readonly ResolvedCell[];
  repeats: number;
  /** Number of the first repeat added to a cell. */
  first(cell: number): number;
}

/**
 * Trials added to a session, in order. In rounds even if the experiment lists all repeats of a cell one after the other, because only
 * interleaved cells are comparable.
 */
export function addedTrials(
  experiment: Experiment,
  workload: Workload,
  { cells, repeats, first }: Added,
): Pick<Trial, 'cell' | 'repeat'>[] {
  const { measure } = experiment;
  const costOf = costsFor(workload.tool);
  const groups = groupByData(cells, workload).map((group) => blocksOf(experiment, group, costOf));
  const { order, seed } = measure;
  const begins = Math.max(...cells.map(({ index }) => first(index)));
  // A different seed, as shuffled rounds would otherwise repeat the previous order.
  const added = { ...measure, repeats, order: order === 'listed' ? ('rounds' as const) : order, seed: seed + begins };
  return orderTrials(groups, added).map(({ cell, repeat }) => ({ cell, repeat: first(cell) + repeat }));
}
