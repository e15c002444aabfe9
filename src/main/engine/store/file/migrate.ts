import { existsSync, mkdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { formatBytes } from '../../../../shared/util/format.ts';
import { attempt } from './connection.ts';
import { createPrivately } from './private.ts';
import { corruptProblem, isCorruption } from './problems.ts';

export interface Migration {
  /** `user_version` after the migration. */
  version: number;
  /**
   * It drops tables that others refer to, and creates them again with the same name. Foreign keys are turned off around its transaction, as
   * dropping a table would otherwise delete every row that refers to it. SQLite cannot turn them off inside a transaction.
   */
  replacesTables?: true;
  /** Runs inside a transaction, except for copies of damaged libraries; must not begin or end one. */
  up(db: Database.Database): void;
}

/** "Knee": in the header of every library file (SQLite `application_id`). */
export const APPLICATION_ID = 0x4b6e6565;

/**
 * Reads the file through a read-only handle and returns its version; 0 for a new file. Throws if Kneepoint must not open it: `store-newer`
 * (written by a later version) or `store-corrupt` (not an SQLite file, or another program's).
 */
export function inspect(path: string, newest: number): number {
  if (!existsSync(path) || statSync(path).size === 0) return 0;
  return attempt(path, () => {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return checkHeader(db, path, newest);
    } finally {
      db.close();
    }
  });
}

/** Like `inspect`, through an open handle. */
export function checkHeader(db: Database.Database, path: string, newest: number): number {
  const header = readHeader(db);
  if (header.version > newest) {
    throw new KneepointError({
      code: 'store-newer',
      message: `The library ${path} was written by a later version of Kneepoint (its format is ${header.version}; this version supports up to ${newest}).`,
      safe: 'The file was not touched.',
      next: 'Start the later version again, or choose another data folder.',
      details: { version: header.version, newest },
    });
  }
  if (header.application !== APPLICATION_ID && (header.application !== 0 || header.tables > 0)) {
    throw new KneepointError({
      ...corruptProblem(path, header),
      message: `The file ${path} belongs to another program: it is not a Kneepoint library.`,
      safe: 'The file was not touched.',
      next: 'Move it away, or choose another data folder.',
    });
  }
  return header.version;
}

function readHeader(db: Database.Database): { version: number; application: number; tables: number } {
  const number = (name: string): number => Number(db.pragma(name, { simple: true }));
  const tables = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM sqlite_schema').get()?.n ?? 0;
  return { version: number('user_version'), application: number('application_id'), tables };
}

/**
 * Migrates the file to the newest version, each step in one transaction that also sets `user_version`: after a crash it is in the old or
 * new format, never in between. A new file gets all steps in one transaction, because each one waits for the disk. A file with content is
 * first copied to `backups/`, and the copy is verified. Throws `disk-full` before any change if there is no room for that. `report` is called
 * with the progress if the file is so large (`long`, bytes) that it takes more than a moment.
 */
export function migrate(
  db: Database.Database,
  path: string,
  migrations: readonly Migration[],
  now: number,
  { report = () => {}, long = LONG }: { report?: ((sentence: string) => void) | undefined; long?: number } = {},
): void {
  const from = Number(db.pragma('user_version', { simple: true }));
  const steps = migrations.filter((migration) => migration.version > from);
  if (steps.length === 0) return;
  const size = from > 0 ? statSync(path).size : 0;
  const reached = from > 0 && size >= long ? report : () => {};
  reached(`Converting the library (${formatBytes(size)}) to the format of this version: creating a backup first.`);
  if (from > 0) backup(db, path, from, now);
  for (const [index, step] of (from > 0 ? steps : [asOne(steps)]).entries()) {
    reached(`Converting the library: step ${index + 1} of ${steps.length}.`);
    applyStep(db, step, () => requireWhole(db, path, step));
  }
}

/** About the size that takes a second to copy. */
const LONG = 100 * 2 ** 20;

function asOne(steps: readonly Migration[]): Migration {
  const up = (db: Database.Database): void => {
    for (const step of steps) step.up(db);
  };
  const version = Math.max(...steps.map((step) => step.version));
  return { version, up, ...(steps.some((step) => step.replacesTables) && { replacesTables: true }) };
}

/** A copy that is only read needs no backup, and damage in one part of it does not prevent reading the rest. */
export function migrateCopy(db: Database.Database, migrations: readonly Migration[]): void {
  const from = Number(db.pragma('user_version', { simple: true }));
  for (const step of migrations.filter((migration) => migration.version > from)) {
    try {
      applyStep(db, step, () => {});
    } catch (error) {
      if (!isCorruption(error)) throw error;
      withoutTransaction(db, step);
    }
  }
}

/**
 * SQLite writes nothing more in a transaction in which it met a damaged page, even if the error is handled. A copy may be left halfway, as
 * it is discarded then.
 */
function withoutTransaction(db: Database.Database, step: Migration): void {
  db.pragma('synchronous = OFF');
  const work = (): void => step.up(db);
  if (step.replacesTables) withoutForeignKeys(db, work);
  else work();
  db.pragma(`user_version = ${step.version}`);
}

function applyStep(db: Database.Database, step: Migration, check: () => void): void {
  const inTransaction = db.transaction(() => {
    db.pragma(`application_id = ${APPLICATION_ID}`);
    step.up(db);
    check();
    db.pragma(`user_version = ${step.version}`);
  });
  if (step.replacesTables) withoutForeignKeys(db, () => inTransaction.immediate());
  else inTransaction.immediate();
}

function withoutForeignKeys(db: Database.Database, work: () => void): void {
  const before = Number(db.pragma('foreign_keys', { simple: true }));
  db.pragma('foreign_keys = OFF');
  try {
    // Inside a transaction, the pragma is silently ignored.
    if (db.pragma('foreign_keys', { simple: true }) !== 0) throw new Error('Foreign keys could not be switched off.');
    work();
  } finally {
    db.pragma(`foreign_keys = ${before}`);
  }
}

function requireWhole(db: Database.Database, path: string, step: Migration): void {
  const broken = db.pragma('foreign_key_check') as unknown[];
  if (broken.length > 0)
    throw new KneepointError(corruptProblem(path, { step: step.version, broken: broken.slice(0, 10) }));
}

function backup(db: Database.Database, path: string, version: number, now: number): void {
  const folder = join(dirname(path), 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const wanted = 2 * statSync(path).size;
  const disk = statfsSync(folder);
  if (disk.bavail * disk.bsize < wanted) {
    throw new KneepointError({
      code: 'disk-full',
      message: `The library must be brought to a newer format, which needs ${Math.ceil(wanted / 2 ** 20)} MiB free in ${folder}.`,
      safe: 'The library was not changed.',
      next: 'Free some space, then start again.',
    });
  }
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const copy = join(folder, `${basename(path, '.db')}-format-${version}-${stamp}.db`);
  const half = `${copy}.new`;
  rmSync(half, { force: true });
  createPrivately(half);
  db.prepare('VACUUM INTO ?').run(half);
  verify(half, version);
  renameSync(half, copy);
}

/** A copy is a backup only after it was verified. */
function verify(path: string, version: number): void {
  const db = new Database(path, { readonly: true });
  try {
    const answer = db.pragma('quick_check(1)', { simple: true });
    const copied = db.pragma('user_version', { simple: true });
    if (answer !== 'ok' || copied !== version) throw new KneepointError(corruptProblem(path, { answer, copied }));
  } finally {
    db.close();
  }
}
