import { combinationsOf, matcherOf } from '../../../../../../shared/model/cells.ts';
import type { DocumentProblem, Experiment, Factor, Levels, Scalar } from '../../../../../../shared/model/experiment.ts';
import { levelsOf } from '../../../../../../shared/model/factor.ts';
import type { Plan } from '../../../../../../shared/model/plan.ts';

/** left-out: by an exclusion. not-selected: there is a selection without it. wrong: one of its levels has a problem. */
export type CellState = 'measured' | 'left-out' | 'not-selected' | 'wrong';

/** A combination at its place in the grid. */
export interface GridCell {
  readonly levels: Levels;
  readonly state: CellState;
  /** Its number among the measured cells, from 1. */
  readonly number?: number;
}

export interface GridRow {
  /** Levels of the row factors; one whose condition is not met is missing. */
  readonly levels: Levels;
  /** By column; absent if the design has no such cell. */
  readonly cells: readonly (GridCell | undefined)[];
  /** The only cell of a row to which the column factor does not apply. */
  readonly whole?: GridCell;
}

export interface Grid {
  /** Row factors, in document order. */
  readonly down: readonly Factor[];
  readonly across: Factor;
  readonly columns: readonly Scalar[];
  readonly rows: readonly GridRow[];
}

export const keyOf = (levels: Levels): string =>
  JSON.stringify(
    Object.keys(levels)
      .sort()
      .map((name) => [name, String(levels[name])]),
  );

/** Combinations by rows and columns, before it is determined which are measured. */
export interface Frame {
  readonly down: readonly Factor[];
  readonly across: Factor;
  readonly columns: readonly Scalar[];
  readonly combinations: readonly Levels[];
  /** Row and column of each combination; column -1: it has no level of the column factor. */
  readonly places: readonly (readonly [row: number, column: number])[];
  readonly rows: readonly Levels[];
}

/** `across`: name of the column factor; if there is none with that name, the one with the most levels, and among equals the last. */
export function frameOf(
  { factors, design, base }: Pick<Experiment, 'factors' | 'design' | 'base'>,
  acrossName: string | undefined,
): Frame | undefined {
  const across = factors.find(({ name }) => name === acrossName) ?? longest(factors);
  if (!across) return undefined;
  const combinations = combinationsOf({ factors, ...(design && { design }), ...(base && { base }) });
  const columns = levelsOf(across);
  const columnOf = new Map<Scalar | undefined, number>(columns.map((level, column) => [level, column]));
  const rows: Levels[] = [];
  const rowOf = new Map<string, number>();
  const places = combinations.map((levels) => {
    const { [across.name]: own, ...rest } = levels;
    const key = JSON.stringify(rest);
    const row = rowOf.get(key) ?? rows.push(rest) - 1;
    rowOf.set(key, row);
    return [row, columnOf.get(own) ?? -1] as const;
  });
  return { down: factors.filter((factor) => factor !== across), across, columns, combinations, places, rows };
}

const longest = (factors: readonly Factor[]): Factor | undefined =>
  [...factors].sort((a, b) => a.levels.length - b.levels.length).at(-1);

/** The frame with the state of each cell. */
export function gridOf(
  { down, across, columns, combinations, places, rows }: Frame,
  { only, exclude = [] }: Pick<Experiment, 'only' | 'exclude'>,
  wrong: readonly Levels[],
): Grid {
  const isExcluded = matcherOf(exclude);
  const selected = only === undefined ? () => true : matcherOf(only);
  const isWrong = matcherOf(wrong);
  let number = 0;
  const filled = rows.map((levels) => ({
    levels,
    cells: columns.map((): GridCell | undefined => undefined),
    whole: undefined as GridCell | undefined,
  }));
  combinations.forEach((levels, index) => {
    const [row = 0, column = 0] = places[index] ?? [];
    const out = !selected(levels) ? 'not-selected' : isExcluded(levels) ? 'left-out' : undefined;
    if (out === undefined) number += 1;
    const cell: GridCell = out
      ? { levels, state: out }
      : { levels, state: isWrong(levels) ? 'wrong' : 'measured', number };
    const place = filled[row];
    if (!place) return;
    if (column < 0) place.whole = cell;
    else place.cells[column] = cell;
  });
  return {
    down,
    across,
    columns,
    rows: filled.map(({ whole, ...row }) => (whole ? { ...row, whole } : row)),
  };
}

/** Levels with a problem, each as a pattern. */
export const wrongLevels = (factors: readonly Factor[], problems: readonly DocumentProblem[]): Levels[] =>
  problems.flatMap(({ path }) => {
    const [, factorAt, levelAt] = /^factors\.(\d+)\.levels\.(\d+)/.exec(path) ?? [];
    const factor = factors[Number(factorAt)];
    const level = factor && levelsOf(factor)[Number(levelAt)];
    return factor && level !== undefined ? [{ [factor.name]: level }] : [];
  });

/** The data set that each cell needs, by `keyOf`, if there are several. */
export const dataOf = (plan: Plan | undefined): ReadonlyMap<string, number> =>
  new Map(
    plan?.cells.flatMap(({ levels, data }) => (data === undefined ? [] : [[keyOf(levels), data] as const])) ?? [],
  );

/** A rectangle of rows and columns, both ends included. */
export interface Area {
  readonly from: Place;
  readonly to: Place;
}
/** Row -1: a column head. Negative columns: row heads, the last row factor first. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

export const inArea = ({ from, to }: Area, { row, column }: Place): boolean =>
  row >= Math.min(from.row, to.row) &&
  row <= Math.max(from.row, to.row) &&
  column >= Math.min(from.column, to.column) &&
  column <= Math.max(from.column, to.column);

/** The cells of an area as few patterns: whole columns and whole rows, otherwise cell by cell. */
export function patternsOf(grid: Grid, area: Area): Levels[] {
  const { rows, columns, across } = grid;
  const chosenRows = rows.filter((_, row) => inArea(area, { row, column: area.from.column }));
  const chosenColumns = columns.filter((_, column) => inArea(area, { row: area.from.row, column }));
  if (chosenRows.length === rows.length && chosenColumns.length < columns.length)
    return chosenColumns.map((level) => ({ [across.name]: level }));
  if (chosenColumns.length === columns.length && grid.down.length > 0) return chosenRows.map(({ levels }) => levels);
  return chosenRows.flatMap(({ cells, whole, levels }) =>
    whole
      ? [levels]
      : cells.flatMap((cell, column) => (cell && inArea(area, { row: area.from.row, column }) ? [cell.levels] : [])),
  );
}

/** Pattern of a head: a level of the column factor, or levels of the first row factors. */
export function headPattern({ rows, columns, across, down }: Grid, { row, column }: Place): Levels | undefined {
  const level = columns[column];
  if (row < 0) return level === undefined ? undefined : { [across.name]: level };
  const depth = down.length + column;
  const levels = rows[row]?.levels;
  if (depth < 0 || !levels) return undefined;
  const named = down.slice(0, depth + 1).filter(({ name }) => levels[name] !== undefined);
  return named.length > 0 ? Object.fromEntries(named.map(({ name }) => [name, levels[name] as Scalar])) : undefined;
}

/** Whether every cell of the patterns is excluded. */
export function areAllExcluded({ rows }: Grid, patterns: readonly Levels[]): boolean {
  const chosen = matcherOf(patterns);
  return rows.every(({ cells, whole }) =>
    [...cells, whole].every((cell) => cell === undefined || cell.state === 'left-out' || !chosen(cell.levels)),
  );
}

/** Number of cells in an area. */
export const countIn = (grid: Grid, area: Area): number =>
  grid.rows.reduce(
    (sum, { cells, whole }, row) =>
      sum +
      cells.filter((cell, column) => cell !== undefined && inArea(area, { row, column })).length +
      (whole && inArea(area, { row, column: area.from.column }) ? 1 : 0),
    0,
  );
