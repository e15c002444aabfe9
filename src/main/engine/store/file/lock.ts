import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { KneepointError, type Problem } from '../../../../shared/model/problem.ts';
import { isOutOfFiles, OUT_OF_FILES, OUT_OF_FILES_NEXT } from '../../../../shared/util/virtual-disk.ts';
import { attempt } from './connection.ts';
import { createPrivately } from './private.ts';

/** The process that holds the library, written next to it for a second one to read. */
export interface Holder {
  pid: number;
  mode: string;
  /** Epoch milliseconds. */
  since: number;
}

export interface InstanceLock {
  /** The previous holder ended without closing, so the file should be checked. */
  readonly unclean: boolean;
  /** The disk was too full to write the holder's file, so no other write will succeed either. */
  readonly full: Problem | undefined;
  /** `clean`: the library was closed and is known to be whole. */
  release(clean: boolean): void;
}

const HOLDER_FILE = 'holder.json';

/**
 * Allows one engine per data folder. The lock is an SQLite file lock on `lock.db`, held until `release`; the operating system releases it
 * when the process dies, in whatever way. The holder's file then stays, which reveals the unclean end. Nothing else in this process may
 * open `lock.db`: closing any descriptor of a file drops the process's POSIX locks on it. Throws `store-busy`, `read-only`.
 */
export function lockInstance(dataDir: string, holder: Holder): InstanceLock {
  const path = join(dataDir, 'lock.db');
  const card = join(dataDir, HOLDER_FILE);
  createPrivately(path);
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
  let full: Problem | undefined;
  try {
    writeCard(card, holder);
  } catch (error) {
    if (!(error instanceof KneepointError && error.code === 'disk-full')) {
      db.close();
      throw error;
    }
    full = error.problem;
  }
  return {
    unclean,
    full,
    release(clean) {
      if (clean) rmSync(card, { force: true });
      db.close();
    },
  };
}

/** Undefined if there is no file; `unreadable` if a crash truncated it. */
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
    writeFileSync(half, JSON.stringify(holder), { mode: 0o600 });
    renameSync(half, path);
  } catch (error) {
    removeIfThere(half);
    const full = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
    if (isOutOfFiles(error))
      throw new KneepointError(
        {
          code: 'internal',
          message: `The library cannot be opened: ${path} could not be written because ${OUT_OF_FILES}.`,
          safe: 'Everything stored before is safe.',
          next: OUT_OF_FILES_NEXT,
        },
        { cause: error },
      );
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

function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder cannot be written, so nothing is left in it.
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
