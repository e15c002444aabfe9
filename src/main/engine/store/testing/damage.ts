import { closeSync, openSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Overwrites a leaf page of a table in a closed library: the one with the highest number, or `before` pages before it. */
export function damagePage(path: string, table: string, before = 0): void {
  const db = new Database(path, { readonly: true });
  const page = db
    .prepare<[string, number], { pageno: number; pgsize: number }>(
      "SELECT pageno, pgsize FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno DESC LIMIT 1 OFFSET ?",
    )
    .get(table, before);
  db.close();
  if (page === undefined) throw new Error(`${table} has no page.`);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(400, 0xaa), 0, 400, (page.pageno - 1) * page.pgsize);
  closeSync(file);
}
