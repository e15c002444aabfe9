import type Database from 'better-sqlite3';
import { fieldNames, valueMaker } from './database.ts';
import { keyChooser, keyOf } from './keys.ts';
import type { NewKeys } from './new-keys.ts';
import type { Random } from './random.ts';
import type { Settings } from './settings.ts';

/** One function per kind, in the order of `KINDS`. Each throws SQLite's error; `SQLITE_BUSY` leaves nothing half done. */
export type Operations = readonly (() => void)[];

/** A record that must be there was not: the database lost it, or this program is wrong. */
class RecordMissing extends Error {}

/**
 * The operations of YCSB's core workload: a read fetches all fields, an update writes one, a scan starts at a chosen key and
 * fetches 1 … max-scan-length records, a read-modify-write is a read and an update of the same record.
 */
export function operationsOf(
  database: Database.Database,
  settings: Settings,
  random: Random,
  keys: NewKeys,
): Operations {
  const fields = fieldNames(settings);
  const choose = keyChooser(settings.distribution, settings.records, random);
  const value = valueMaker(random, settings.fieldLength);
  const select = database.prepare<[string]>('SELECT * FROM usertable WHERE ycsb_key = ?').raw();
  const updates = fields.map((name) =>
    database.prepare<[string, string]>(`UPDATE usertable SET ${name} = ? WHERE ycsb_key = ?`),
  );
  const insert = database.prepare(`INSERT INTO usertable VALUES (?${', ?'.repeat(fields.length)})`);
  const scan = database
    .prepare<[string, number]>('SELECT * FROM usertable WHERE ycsb_key >= ? ORDER BY ycsb_key LIMIT ?')
    .raw();

  const chosenKey = (): string => keyOf(choose(keys.count()));
  const read = (key: string): void => {
    if (select.get(key) === undefined) throw new RecordMissing(`Record ${key} is not in the table.`);
  };
  const update = (key: string): void => {
    const { changes } = updates[Math.floor(random() * updates.length)]?.run(value(), key) ?? { changes: 0 };
    if (changes !== 1) throw new RecordMissing(`Record ${key} is not in the table.`);
  };
  return [
    () => read(chosenKey()),
    () => update(chosenKey()),
    () => {
      insert.run(keyOf(keys.take()), fields.map(value));
      keys.inserted();
    },
    () => {
      scan.all(chosenKey(), 1 + Math.floor(random() * settings.maxScanLength));
    },
    () => {
      const key = chosenKey();
      read(key);
      update(key);
    },
  ];
}
