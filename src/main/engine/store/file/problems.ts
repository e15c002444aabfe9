import Database from 'better-sqlite3';
import { KneepointError, type Problem } from '../../../../shared/model/problem.ts';

const SAFE = 'Everything stored before is safe.';

/**
 * Converts an SQLite error to a problem that the user can act on. Codes: sqlite.org/rescode.html; extended codes start with the primary
 * one. IOERR_SHMSIZE is a full disk too: the shared-memory file next to the log could not grow.
 */
export function storeProblem(error: unknown, path: string): unknown {
  if (error instanceof SyntaxError) return new KneepointError(corruptProblem(path, error.message), { cause: error });
  if (!(error instanceof Database.SqliteError)) return error;
  return new KneepointError(problemOfCode(error.code, error.message, path), { cause: error });
}

/** SQLite itself found a damaged page (a wrong digest of one run means nothing for the rest of the file). */
/** Invalid JSON in the library is damage that SQLite does not detect. */
export const isCorruption = (error: unknown): boolean =>
  error instanceof SyntaxError || (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_CORRUPT'));

function problemOfCode(code: string, message: string, path: string): Problem {
  const details = { sqlite: code, message };
  if (code.startsWith('SQLITE_FULL') || code === 'SQLITE_IOERR_SHMSIZE') {
    return {
      code: 'disk-full',
      message: `The disk that holds the library ${path} is full: nothing more can be stored.`,
      safe: `${SAFE} Output of running tools stays on their hosts and is fetched once there is space again.`,
      next: 'Free some space; storing then continues.',
      details,
    };
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_PERM')) {
    return {
      code: 'read-only',
      message: `The library ${path} cannot be written: its file or folder is read-only.`,
      safe: SAFE,
      next: 'Allow this user to write to the folder, or choose another data folder.',
      details,
    };
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) {
    return corruptProblem(path, details);
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return {
      code: 'store-busy',
      message: `The library ${path} is locked by another program.`,
      safe: SAFE,
      next: 'Close the program that has the file open (a backup, a database browser), then try again.',
      details,
    };
  }
  return {
    code: 'internal',
    message: `A request to the library ${path} failed: ${message} (${code}).`,
    safe: 'No part of this request was stored.',
    details,
  };
}

export function corruptProblem(path: string, details: unknown): Problem {
  return {
    code: 'store-corrupt',
    message: `The library ${path} is damaged. Intact parts can be read; nothing more is written to it.`,
    safe: 'Output that is still on the hosts, and copies in the backups folder next to it, are untouched.',
    next: 'Export the data you need, then continue with a backup or another data folder.',
    details,
  };
}

export const notFound = (what: string, id: number | string): KneepointError =>
  new KneepointError({
    code: 'not-found',
    message: `There is no ${what} ${id} in the library.`,
    next: 'It may have been removed in another window: reload the list.',
  });

export const nameTaken = (what: string, name: string): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `A ${what} named “${name}” already exists.`,
    safe: 'Nothing was changed.',
    next: 'Choose another name.',
  });
