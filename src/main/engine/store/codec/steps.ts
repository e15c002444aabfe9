import { isObject } from '../../../../shared/util/object.ts';

type Json = Readonly<Record<string, unknown>>;

/** Difference between two objects. Lists and primitive values are replaced as a whole. */
interface Difference {
  readonly set?: Json;
  readonly in?: Readonly<Record<string, Difference>>;
  readonly without?: readonly string[];
}

interface WithSteps {
  readonly steps?: readonly object[] | undefined;
}

/**
 * Encodes cells for storage: the steps of the first one completely, those of every other one as differences from them. Cells that differ in
 * one option take a hundred bytes instead of two thousand.
 */
export const packSteps = <Of extends WithSteps>(cells: readonly Of[]): unknown[] =>
  cells.map(({ steps, ...cell }, index) => ({
    ...cell,
    ...(steps && {
      steps: index === 0 ? steps : steps.map((step, place) => difference(cells[0]?.steps?.[place] ?? {}, step)),
    }),
  }));

/** Reverses `packSteps`. Returns anything else unchanged, for the schema to report. */
export function unpackSteps(cells: unknown): unknown {
  const [first] = Array.isArray(cells) ? cells : [];
  const base = isObject(first) && Array.isArray(first.steps) ? first.steps : [];
  return mapSteps(cells, (step, { cell, place }) =>
    cell === 0 ? step : applied(base[place] ?? {}, step as Difference),
  );
}

/** Converts rows to columns: 20,000 trials take 400 kB instead of 1.5 MB. Null for a value that a row does not have. */
export function packRows(rows: readonly object[]): { columns: Record<string, unknown[]> } {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const valuesOf = (name: string): unknown[] => rows.map((row) => (row as Json)[name] ?? null);
  return { columns: Object.fromEntries([...names].map((name) => [name, valuesOf(name)])) };
}

/** Reverses `packRows`. Returns rows that were not packed unchanged. */
export function unpackRows(packed: unknown): unknown {
  if (!isObject(packed) || !isObject(packed.columns)) return packed;
  const columns = Object.entries(packed.columns).filter((column): column is [string, unknown[]] =>
    Array.isArray(column[1]),
  );
  return Array.from({ length: columns[0]?.[1].length ?? 0 }, (_, index) => {
    const row: Record<string, unknown> = {};
    for (const [name, values] of columns) if (values[index] !== null) row[name] = values[index];
    return row;
  });
}

/** Maps the steps of cells; returns anything else unchanged. */
export function mapSteps(cells: unknown, change: (step: Json, at: { cell: number; place: number }) => Json): unknown {
  if (!Array.isArray(cells)) return cells;
  return cells.map((cell, index) =>
    isObject(cell) && Array.isArray(cell.steps)
      ? {
          ...cell,
          steps: cell.steps.map((step, place) => (isObject(step) ? change(step, { cell: index, place }) : step)),
        }
      : cell,
  );
}

function difference(from: object, to: object): Difference {
  const [base, value] = [from as Json, to as Json];
  const set: Record<string, unknown> = {};
  const inner: Record<string, Difference> = {};
  for (const [key, own] of Object.entries(value)) {
    const other = base[key];
    if (isObject(own) && isObject(other)) {
      const within = difference(other, own);
      if (Object.keys(within).length > 0) inner[key] = within;
    } else if (own !== undefined && JSON.stringify(own) !== JSON.stringify(other)) set[key] = own;
  }
  const without = Object.keys(base).filter((key) => base[key] !== undefined && value[key] === undefined);
  return {
    ...(Object.keys(set).length > 0 && { set }),
    ...(Object.keys(inner).length > 0 && { in: inner }),
    ...(without.length > 0 && { without }),
  };
}

/**
 * Decodes a property when it is first read: the options of 20,000 cells are millions of values, and a page of results needs few. Keeps the
 * order of properties.
 */
const whenRead = (object: Record<string, unknown>, key: string, make: () => unknown): void =>
  void Object.defineProperty(object, key, {
    enumerable: true,
    configurable: true,
    get() {
      const value = make();
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      return value;
    },
  });

function applied(base: Json, { set = {}, in: inner = {}, without = [] }: Difference): Json {
  const value: Record<string, unknown> = { ...base, ...set };
  for (const [key, within] of Object.entries(inner))
    whenRead(value, key, () => applied(isObject(base[key]) ? base[key] : {}, within));
  for (const key of without) delete value[key];
  return value;
}
