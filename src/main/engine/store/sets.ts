import type { DataSetState } from '../../../shared/model/data-set.ts';
import { type Connection, guarded } from './connection.ts';
import { notFound } from './problems.ts';
import { fromJson, toJson } from './rows.ts';
import type { DataRecipe, NewSet, SetRows } from './store.ts';

/** Columns that the tables of all kinds of set have. */
interface SetColumns {
  tool: string;
  title: string;
  recipe: string;
  state: string;
  made_at: number | null;
  made_by: number | null;
  written_at: number | null;
  written_by: number | null;
}

/** A table that holds one kind of set, and what its columns hold. */
interface SetTable<New, Columns> {
  table: string;
  /** In an error. */
  noun: string;
  /** Those that other kinds do not have. */
  columns: readonly (keyof Columns & string)[];
  toColumns(set: New): Columns;
  fromColumns(row: Columns, shared: NewSet): New;
}

const COLUMNS: readonly (keyof SetColumns)[] = [
  ...(['tool', 'title', 'recipe', 'state'] as const),
  ...(['made_at', 'made_by', 'written_at', 'written_by'] as const),
];

const toColumns = (set: NewSet): SetColumns => ({
  tool: set.tool,
  title: set.title,
  recipe: toJson(set.recipe),
  state: set.state,
  made_at: set.madeAt,
  made_by: set.madeBy,
  written_at: set.writtenAt,
  written_by: set.writtenBy,
});

const fromColumns = (row: SetColumns): NewSet => ({
  tool: row.tool,
  title: row.title,
  recipe: fromJson<DataRecipe>(row.recipe),
  state: row.state as DataSetState,
  madeAt: row.made_at,
  madeBy: row.made_by,
  writtenAt: row.written_at,
  writtenBy: row.written_by,
});

/** What workloads have made somewhere, of one kind. Errors: not-found for an id that is not there. */
export function setRows<New extends NewSet, Columns extends object>(
  connection: Connection,
  { table, noun, ...kind }: SetTable<New, Columns>,
): SetRows<New> {
  type Row = Columns & SetColumns & { id: number };
  const { db, write } = connection;
  const names = [...COLUMNS, ...kind.columns];
  const values = names.map((name) => `:${name}`).join(', ');
  const list = db.prepare<[], Row>(`SELECT * FROM ${table} ORDER BY id DESC`);
  const byId = db.prepare<[number], Row>(`SELECT * FROM ${table} WHERE id = ?`);
  const insert = db.prepare<[object]>(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values})`);
  const changes = names.map((name) => `${name} = :${name}`).join(', ');
  const update = db.prepare<[object]>(`UPDATE ${table} SET ${changes} WHERE id = :id`);
  const remove = db.prepare<[number]>(`DELETE FROM ${table} WHERE id = ?`);

  const toSet = (row: Row) => ({ id: row.id, ...kind.fromColumns(row, fromColumns(row)) });
  const toRow = (set: New) => ({ ...toColumns(set), ...kind.toColumns(set) });
  const existing = (id: number): New & { id: number } => {
    const row = byId.get(id);
    if (row === undefined) throw notFound(noun, id);
    return toSet(row);
  };
  return guarded<SetRows<New>>(connection, {
    list: () => list.all().map(toSet),
    get: (id) => {
      const row = byId.get(id);
      return row && toSet(row);
    },
    insert: (set, replaces) =>
      write(() => {
        for (const id of replaces) remove.run(id);
        return existing(Number(insert.run(toRow(set)).lastInsertRowid));
      }),
    update: (id, change) =>
      write(() => {
        const changed = { ...existing(id), ...change };
        update.run({ id, ...toRow(changed) });
        return changed;
      }),
    remove: (id) => {
      if (write(() => remove.run(id)).changes === 0) throw notFound(noun, id);
    },
  });
}
