import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { KneepointError } from '../../../shared/model/problem.ts';
import { attempt } from './connection.ts';

/** Who holds the library, as written beside it for the one that comes second. */
export interface Holder {
  pid: number;
  mode: string;
  /** Epoch milliseconds. */
  since: number;
}

export interface InstanceLock {
  /** The holder before us ended without closing: the file deserves a check. */
  readonly unclean: boolean;
  /** `clean`: the library was closed and is known to be whole. */
  release(clean: boolean): void;
}

const HOLDER_FILE = 'holder.json';

/**
 * One engine per data folder. The lock is an SQLite file lock on `lock.db`, held until `release`;
 * the operating system frees it when the process dies, however it dies. The holder's card stays behind then,
 * which is how an unclean end is known. Nothing else in this process may open `lock.db`: closing any
 * descriptor of a file drops the POSIX locks that the process has on it. Throws store-busy, read-only, disk-full.
 */
export function lockInstance(dataDir: string, holder: Holder): InstanceLock {
  const path = join(dataDir, 'lock.db');
  const card = join(dataDir, HOLDER_FILE);
  const db = attempt(path, () => new Database(path, { timeout: 0 }));
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw heldBy(dataDir, readCard(card));
    return attempt(path, () => {
      throw error;
    });
  }
  const unclean = readCard(card) !== undefined;
  try {
    writeCard(card, holder);
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    unclean,
    release(clean) {
      if (clean) rmSync(card, { force: true });
      db.close();
    },
  };
}

/** Undefined when there is no card, or one that was cut short by a crash. */
function readCard(path: string): Holder | 'unreadable' | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return 'unreadable';
  }
  try {
    return JSON.parse(text) as Holder;
  } catch {
    return 'unreadable';
  }
}

function writeCard(path: string, holder: Holder): void {
  const half = `${path}.new`;
  try {
    writeFileSync(half, JSON.stringify(holder));
    renameSync(half, path);
  } catch (error) {
    const full = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw new KneepointError(
      {
        code: full ? 'disk-full' : 'read-only',
        message: `The library cannot be opened for writing: ${path} could not be written.`,
        safe: 'Everything stored before is safe.',
        next: full ? 'Free some space, then start again.' : 'Allow this user to write to the folder, then start again.',
      },
      { cause: error },
    );
  }
}

function heldBy(dataDir: string, holder: Holder | 'unreadable' | undefined): KneepointError {
  const known = holder !== undefined && holder !== 'unreadable';
  const who = known
    ? `process ${holder.pid} (${holder.mode}), since ${new Date(holder.since).toISOString()}`
    : 'a process that has just started';
  return new KneepointError({
    code: 'store-busy',
    message: `The library in ${dataDir} is in use by ${who}.`,
    safe: 'Nothing was opened or changed.',
    next: 'Use that one, or close it and start again.',
    ...(known ? { details: holder } : {}),
  });
}
