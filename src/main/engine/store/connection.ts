import Database from 'better-sqlite3';
import { KneepointError } from '../../../shared/model/problem.ts';
import { corruptProblem, isCorruption, storeProblem } from './problems.ts';

/** The one writing handle of the library, with the rules every noun follows. */
export interface Connection {
  readonly db: Database.Database;
  readonly path: string;
  /** In one transaction, durable on return. Inside another `write` it joins that one. */
  write<T>(work: () => T): T;
  /** Runs `work`; an SQLite error leaves as a problem. */
  guard<T>(work: () => T): T;
  /** From now on nothing is written: the file was found damaged. */
  condemn(details: unknown): void;
}

/** Waiting for a lock that a backup or a browser of the file holds, milliseconds. */
const BUSY_MS = 5_000;
/** Left over after a checkpoint, the WAL file is cut to this many bytes. */
const WAL_LEFT = 64 * 1024 * 1024;

export function openConnection(path: string): Connection {
  const db = attempt(path, () => new Database(path, { timeout: BUSY_MS }));
  try {
    attempt(path, () => setPragmas(db));
  } catch (error) {
    db.close();
    throw error;
  }
  let damage: unknown;
  const condemn = (details: unknown): void => {
    damage ??= details ?? 'unknown';
  };
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (isCorruption(error)) condemn(String(error));
      throw storeProblem(error, path);
    }
  };
  return {
    db,
    path,
    condemn,
    write<T>(work: () => T): T {
      if (damage !== undefined) throw new KneepointError(corruptProblem(path, damage));
      if (db.inTransaction) return work();
      return guard(() => db.transaction(work).immediate());
    },
    guard,
  };
}

/** FULL because a commit is acknowledged to the host's offset: what was told stored must survive a power cut. */
function setPragmas(db: Database.Database): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('foreign_keys = ON');
  if (db.pragma('page_count', { simple: true }) === 0) db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('fullfsync = ON');
  db.pragma('checkpoint_fullfsync = ON');
  db.pragma(`journal_size_limit = ${WAL_LEFT}`);
}

/** Chosen by measurement: see docs/store.md. */
const PAGE_BYTES = 8192;

/** As `guard`, where there is no connection yet. */
export function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeProblem(error, path);
  }
}

type Method = (...args: never[]) => unknown;

/** The same rows object, each of whose methods throws problems instead of SQLite errors. */
export function guarded<T extends object>(connection: Connection, rows: T): T {
  const wrapped = Object.entries(rows).map(([name, method]) => [
    name,
    (...args: never[]) => connection.guard(() => (method as Method)(...args)),
  ]);
  return Object.fromEntries(wrapped) as T;
}
