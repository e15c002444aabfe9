import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { PRECOMPUTED_MARK } from '../src/main/engine/api/precompute.ts';
import { LIBRARY_FILE, openStore } from '../src/main/engine/store/open.ts';
import { addHours } from './hours.ts';
import { addWatchedHost } from './watched.ts';

/**
 * A library with a session of sixty-four runs of ten hours, and with a host monitored for ten hours. `BENCH_LIBRARY`: a folder in which it is kept
 * for the next time, as creating it takes minutes.
 */
export async function withHours<T>(work: (dataDir: string, session: number) => Promise<T>): Promise<T> {
  const kept = process.env.BENCH_LIBRARY;
  const dataDir = kept ?? mkdtempSync(path.join(tmpdir(), 'kneepoint-bench-'));
  try {
    return await work(dataDir, sessionIn(dataDir));
  } finally {
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function sessionIn(dataDir: string): number {
  const note = path.join(dataDir, 'session');
  if (existsSync(note)) return Number(readFileSync(note, 'utf8'));
  mkdirSync(dataDir, { recursive: true });
  const session = addHours(dataDir);
  addWatchedHost(dataDir, session);
  writeFileSync(note, String(session));
  return session;
}

/** As in a library of an earlier version. */
export function forgetSummaries(dataDir: string): void {
  const db = new Database(path.join(dataDir, LIBRARY_FILE));
  try {
    const table = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'summary'`).get();
    if (table) db.exec('DELETE FROM summary');
  } finally {
    db.close();
  }
}

/** Prevents the engine from calculating requests ahead while they are measured. */
export function discardStored(dataDir: string, session: number): void {
  const store = openStore(dataDir, { mode: 'test' });
  store.summaries.markPrecomputed(session, PRECOMPUTED_MARK, 1);
  store.close();
}
