import Database from 'better-sqlite3';
import { keyOf, type Random, randomOf } from './keys.ts';
import type { Settings } from './settings.ts';

/** Marks a database file as created by this program ("KNEE"). It never writes to any other file. */
const APPLICATION_ID = 0x4b4e4545;
const ROWS_PER_TRANSACTION = 500;

export const fieldNames = (settings: Settings): string[] =>
  Array.from({ length: settings.fieldCount }, (_, index) => `field${index}`);

/** Random printable text, cut from one long text: generating every byte would cost more than storing it. */
export function valueMaker(random: Random, length: number): () => string {
  const letters = Array.from({ length: length + 65_536 }, () => String.fromCharCode(97 + Math.floor(random() * 26)));
  const pool = letters.join('');
  return () => {
    const from = Math.floor(random() * 65_536);
    return pool.slice(from, from + length);
  };
}

/** Opens a connection as used by every benchmark thread. */
export function connect(file: string, settings: Settings): Database.Database {
  const database = new Database(file, { timeout: settings.busyTimeout });
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${settings.synchronous}`);
  return database;
}

/** The durability settings of a connection, read back from SQLite rather than assumed. */
export function durabilityOf(database: Database.Database): { journal: string; synchronous: string } {
  const level = Number(database.pragma('synchronous', { simple: true }));
  return {
    journal: String(database.pragma('journal_mode', { simple: true })),
    synchronous: ['OFF', 'NORMAL', 'FULL', 'EXTRA'][level] ?? String(level),
  };
}

/** Refuses a file that contains anything but the table of an earlier benchmark. */
function claim(database: Database.Database, file: string): void {
  const mark = Number(database.pragma('application_id', { simple: true }));
  const objects = Number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
  if (mark !== APPLICATION_ID && objects > 0) {
    throw new Error(
      `${file} is a database of something else. Nothing in it was changed. Give the path of a file that does not exist yet.`,
    );
  }
  database.pragma(`application_id = ${APPLICATION_ID}`);
}

function* batches(records: number): Generator<{ from: number; to: number }> {
  for (let from = 0; from < records; from += ROWS_PER_TRANSACTION) {
    yield { from, to: Math.min(records, from + ROWS_PER_TRANSACTION) };
  }
}

/**
 * Creates the table again and fills it. `progress` receives the number of rows so far after each transaction, and aborts the load by returning false.
 * The data is on disk before this returns, so its write-back does not fall into the measured time.
 */
export async function load(
  file: string,
  settings: Settings,
  progress: (rows: number) => Promise<boolean>,
): Promise<boolean> {
  const database = new Database(file, { timeout: settings.busyTimeout });
  try {
    claim(database, file);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = OFF');
    const fields = fieldNames(settings);
    database.exec('DROP TABLE IF EXISTS usertable');
    database.exec(
      `CREATE TABLE usertable (ycsb_key TEXT PRIMARY KEY, ${fields.map((name) => `${name} TEXT`).join(', ')})`,
    );
    const insert = database.prepare(`INSERT INTO usertable VALUES (?${', ?'.repeat(fields.length)})`);
    const value = valueMaker(randomOf(settings.seed, -1), settings.fieldLength);
    const fill = database.transaction((from: number, to: number) => {
      for (let number = from; number < to; number += 1) insert.run(keyOf(number), fields.map(value));
    });
    for (const { from, to } of batches(settings.records)) {
      fill(from, to);
      if (!(await progress(to))) return false;
    }
    database.pragma('synchronous = FULL');
    database.pragma('wal_checkpoint(TRUNCATE)');
    return true;
  } finally {
    database.close();
  }
}
