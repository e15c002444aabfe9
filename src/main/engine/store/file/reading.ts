import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { KneepointError, type Problem } from '../../../../shared/model/problem.ts';
import { attempt, type Connection, connectionOn } from './connection.ts';
import { checkHeader, type Migration, migrateCopy } from './migrate.ts';

export interface Reading {
  connection: Connection;
  close(): void;
}

export interface ReadingOptions {
  migrations: readonly Migration[];
  /** Why it is not opened for writing. */
  refusal: Problem;
  /** No other process has the library open, so it can be read on a full disk without shared memory. */
  alone: boolean;
}

/**
 * Opens a library that cannot be written now. In place if SQLite can: next to its holder, with its log and shared memory, or exclusively on
 * a full disk. Otherwise (the log's shared memory cannot be created, or the format has to be migrated first) from a copy in a temporary
 * folder. SQLite's `immutable` would avoid some copies, but better-sqlite3 is built without file URIs.
 */
export function openReading(path: string, options: ReadingOptions): Reading {
  const { refusal, migrations } = options;
  const newest = Math.max(...migrations.map((migration) => migration.version));
  for (const exclusive of options.alone ? [false, true] : [false]) {
    const db = openInPlace(path, newest, exclusive);
    if (db) return { connection: connectionOn(db, path, refusal), close: () => db.close() };
  }
  return openCopy(path, options);
}

/** Opens it while another process holds it. Undefined if its format or its files do not allow that. */
export function openShared(path: string, { refusal, migrations }: ReadingOptions): Reading | undefined {
  const newest = Math.max(...migrations.map((migration) => migration.version));
  const db = openInPlace(path, newest, false);
  return db && { connection: connectionOn(db, path, refusal), close: () => db.close() };
}

function openInPlace(path: string, newest: number, exclusive: boolean): Database.Database | undefined {
  let db: Database.Database | undefined;
  try {
    db = new Database(path, { readonly: !exclusive, fileMustExist: true });
    // Set before the first read, so the index of the log is kept in memory.
    if (exclusive) db.pragma('locking_mode = EXCLUSIVE');
    setReadPragmas(db);
    if (checkHeader(db, path, newest) === newest) return db;
  } catch (error) {
    db?.close();
    if (!(error instanceof Database.SqliteError)) throw error;
    return undefined;
  }
  db.close();
  return undefined;
}

function setReadPragmas(db: Database.Database): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('query_only = ON');
}

const SIDE_FILES = ['-wal', '-journal'];
/** Includes the copy's log while it is migrated to the current format. */
const ROOM = 2.2;

function openCopy(path: string, { refusal, migrations }: ReadingOptions): Reading {
  const files = [path, ...SIDE_FILES.map((end) => `${path}${end}`)].filter((file) => existsSync(file));
  const needed = ROOM * files.reduce((sum, file) => sum + statSync(file).size, 0);
  for (const place of temporaryPlaces()) {
    if (roomIn(place) < needed) continue;
    const folder = mkdtempSync(join(place, 'kneepoint-read-'));
    const remove = (): void => rmSync(folder, { recursive: true, force: true });
    try {
      for (const file of files) {
        copyFileSync(file, join(folder, basename(file)));
        chmodSync(join(folder, basename(file)), 0o600);
      }
      const db = openMigrated(join(folder, basename(path)), path, migrations);
      const close = (): void => {
        db.close();
        remove();
      };
      return { connection: connectionOn(db, path, refusal), close };
    } catch (error) {
      remove();
      throw error;
    }
  }
  throw new KneepointError({
    ...refusal,
    message: `${refusal.message} It can only be read from a copy, but there is no space for one: ${Math.ceil(needed / 2 ** 20)} MiB free are needed in ${temporaryPlaces().join(' or ')}.`,
    next: 'Free some space there, or set TMPDIR to a folder that has it, then start again.',
  });
}

function openMigrated(copy: string, path: string, migrations: readonly Migration[]): Database.Database {
  return attempt(path, () => {
    const db = new Database(copy);
    try {
      db.pragma('locking_mode = EXCLUSIVE');
      checkHeader(db, path, Math.max(...migrations.map((migration) => migration.version)));
      migrateCopy(db, migrations);
      setReadPragmas(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Linux keeps /dev/shm in memory, so it has room even if the disk is full. */
const temporaryPlaces = (): string[] =>
  process.platform === 'linux' && existsSync('/dev/shm') ? [tmpdir(), '/dev/shm'] : [tmpdir()];

function roomIn(place: string): number {
  try {
    const disk = statfsSync(place);
    return disk.bavail * disk.bsize;
  } catch {
    return 0;
  }
}
