import Database from 'better-sqlite3';
import { KneepointError, type Problem } from '../../../../shared/model/problem.ts';
import { createPrivately } from './private.ts';
import { corruptProblem, isCorruption, storeProblem } from './problems.ts';

/** The one writing handle of the library, with the rules every noun follows. */
export interface Connection {
  readonly db: Database.Database;
  readonly path: string;
  /** In one transaction, durable on return. Inside another `write` it joins that one. */
  write<T>(work: () => T): T;
  /** The same without waiting for the disk: a power cut may take the latest of these back, whole, until the next `write`. */
  relaxed<T>(work: () => T): T;
  /** All that `work` reads is of one moment. */
  read<T>(work: () => T): T;
  /** Runs `work`; an SQLite error leaves as a problem. */
  guard<T>(work: () => T): T;
  /** From now on nothing is written: the file was found damaged. */
  condemn(details: unknown): void;
  /** Why nothing can be written now. */
  refusal(): Problem | undefined;
  /** Called when that begins. */
  onRefusal: ((problem: Problem) => void) | undefined;
  /** Called when a transaction was undone: what is remembered of it in memory is untrue then. */
  onUndone: (() => void) | undefined;
}

/** Waiting for a lock that a backup or a browser of the file holds, milliseconds. */
const BUSY_MS = 5_000;
/** Left over after a checkpoint, the WAL file is cut to this many bytes. */
const WAL_LEFT = 64 * 1024 * 1024;

export function openConnection(path: string): Connection {
  createPrivately(path);
  const db = attempt(path, () => new Database(path, { timeout: BUSY_MS }));
  try {
    attempt(path, () => setPragmas(db));
  } catch (error) {
    db.close();
    throw error;
  }
  return connectionOn(db, path);
}

/** The rules on a handle that is open. `refused`: why it can only be read. */
export function connectionOn(db: Database.Database, path: string, refused?: Problem): Connection {
  compileOnUse(db);
  let refusal = refused;
  const condemn = (details: unknown): void => {
    if (refusal !== undefined) return;
    refusal = corruptProblem(path, details ?? 'unknown');
    connection.onRefusal?.(refusal);
  };
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (isCorruption(error)) condemn(String(error));
      throw storeProblem(error, path);
    }
  };
  // Made once: making one costs more than what a tick writes.
  const transaction = db.transaction((work: () => unknown) => work());
  const connection: Connection = {
    db,
    path,
    condemn,
    refusal: () => refusal,
    onRefusal: undefined,
    onUndone: undefined,
    write<T>(work: () => T): T {
      if (refusal !== undefined) throw new KneepointError(refusal);
      if (db.inTransaction) return work();
      try {
        return guard(() => transaction.immediate(work) as T);
      } catch (error) {
        connection.onUndone?.();
        throw error;
      }
    },
    relaxed<T>(work: () => T): T {
      if (db.inTransaction) return work();
      // Not prepared once: SQLite carries this pragma out when it is compiled.
      db.pragma('synchronous = NORMAL');
      try {
        return connection.write(work);
      } finally {
        db.pragma('synchronous = FULL');
      }
    },
    read<T>(work: () => T): T {
      return db.inTransaction ? work() : guard(() => transaction.deferred(work) as T);
    },
    guard,
  };
  return connection;
}

/**
 * A statement as it is compiled: `= +?` where it says `= ?`. SQLite plans one that also sorts or joins by the value bound to it, so it compiles it
 * again at each run, which takes several times as long as to run it. The sign takes the value out of the plan, and keeps it as it is.
 */
export const planned = (source: string): string => source.replace(/= (?=[?:@])/g, '= +');

type Statement = Database.Statement<unknown[], unknown>;

/** From now on a statement is compiled when it is first used: most of the time to open a library went into two hundred that nothing asked for yet. */
function compileOnUse(db: Database.Database): void {
  const compile = db.prepare.bind(db) as (source: string) => Statement;
  const prepare = (source: string): Statement => {
    let isPlucked = false;
    let compiled: Statement | undefined;
    const statement = (): Statement => {
      compiled ??= isPlucked ? compile(planned(source)).pluck() : compile(planned(source));
      return compiled;
    };
    const onUse = {
      run: (...values) => statement().run(...values),
      get: (...values) => statement().get(...values),
      all: (...values) => statement().all(...values),
      iterate: (...values) => statement().iterate(...values),
      pluck: () => {
        isPlucked = true;
        return onUse;
      },
    } as Statement;
    return onUse;
  };
  db.prepare = prepare as Database.Database['prepare'];
}

/** FULL because what is told stored must survive a power cut; what can be fetched again from its host is written `relaxed`. */
function setPragmas(db: Database.Database): void {
  db.pragma('trusted_schema = OFF');
  db.pragma('cell_size_check = ON');
  db.pragma('foreign_keys = ON');
  if (db.pragma('page_count', { simple: true }) === 0) db.pragma(`page_size = ${PAGE_BYTES}`);
  db.pragma('journal_mode = WAL');
  db.pragma(`cache_size = -${CACHE_KIB}`);
  db.pragma('synchronous = FULL');
  db.pragma('fullfsync = ON');
  db.pragma('checkpoint_fullfsync = ON');
  db.pragma(`journal_size_limit = ${WAL_LEFT}`);
}

/** Chosen by measurement: see docs/store.md. */
const PAGE_BYTES = 8192;
/** A flood of output would fill a larger cache with pages that nobody reads again; the system keeps what is read often. */
const CACHE_KIB = 4096;

/** As `guard`, where there is no connection yet. */
export function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeProblem(error, path);
  }
}

/**
 * All rows; where a damaged page keeps them from being read together, those that can be read one by one. `ids` must be answered by an index.
 */
export function readWhole<Row>(
  { condemn }: Connection,
  rows: { all(): Row[]; ids(): number[]; one(id: number): Row | undefined },
): { rows: Row[]; damaged: number[] } {
  try {
    return { rows: rows.all(), damaged: [] };
  } catch (error) {
    if (!isCorruption(error)) throw error;
    condemn(String(error));
  }
  const damaged: number[] = [];
  const readable = rows.ids().flatMap((id) => {
    try {
      return rows.one(id) ?? [];
    } catch (error) {
      if (!isCorruption(error)) throw error;
      damaged.push(id);
      return [];
    }
  });
  return { rows: readable, damaged };
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
