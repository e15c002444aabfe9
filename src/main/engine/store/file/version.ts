import type Database from 'better-sqlite3';
import { KneepointError } from '../../../../shared/model/problem.ts';

/** First version without the WAL-reset bug, which could lose commits (sqlite.org/wal.html#walresetbug). */
const OLDEST = [3, 51, 3] as const;

export function requireSqlite(db: Database.Database): string {
  const version = db.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()?.version ?? 'unknown';
  if (!isAtLeast(version, OLDEST)) {
    throw new KneepointError({
      code: 'version-mismatch',
      message: `SQLite ${version} is too old to keep a library safely: ${OLDEST.join('.')} is needed.`,
      safe: 'The library was not changed.',
      next: 'Install the dependencies again (npm ci).',
    });
  }
  return version;
}

export function isAtLeast(version: string, oldest: readonly number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
