import Database from 'better-sqlite3';
import { KneepointError, type Problem } from '../../../../shared/model/problem.ts';
import { createPrivately } from './private.ts';
import { corruptProblem, isCorruption, storeProblem } from './problems.ts';

/** The only writing handle of the library, with the rules for all tables. */
export interface Connection {
  readonly db: Database.Database;
  readonly path: string;
  /** Runs `work` in a transaction, durable on return. Inside another `write`, it joins that one. */
  write<T>(work: () => T): T;
  /** Like `write`, without waiting for the disk: a power failure may lose the latest of these completely, until the next `write`. */
  relaxed<T>(work: () => T): T;
  /** Everything that `work` reads is from the same moment. */
  read<T>(work: () => T): T;
  /** Runs `work` and converts SQLite errors to problems. */
  guard<T>(work: () => T): T;
  /** Stops all writing, because the file is damaged. */
  markDamaged(details: unknown): void;
  /** Why the library cannot be written. Undefined if it can. */
  refusal(): Problem | undefined;
  /** Called when the library becomes read-only. */
  onRefusal: ((problem: Problem) => void) | undefined;
  /** Called after a rollback: state cached in memory may be wrong then. */
  onUndone: (() => void) | undefined;
}

/** Timeout for a lock held by a backup or a browser of the file, milliseconds. */
const BUSY_MS = 5_000;
/** Size to which the WAL file is truncated after a checkpoint, bytes. */
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

/** Applies the rules to an open handle. `refused`: why it is read-only. */
export function connectionOn(db: Database.Database, path: string, refused?: Problem): Connection {
  compileOnUse(db);
  let refusal = refused;
  const markDamaged = (details: unknown): void => {
    if (refusal !== undefined) return;
    refusal = corruptProblem(path, details ?? 'unknown');
    connection.onRefusal?.(refusal);
  };
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      if (isCorruption(error)) markDamaged(String(error));
      throw storeProblem(error, path);
    }
  };
  // Created once: creating it costs more than the writes of a tick.
  const transaction = db.transaction((work: () => unknown) => work());
  const connection: Connection = {
    db,
    path,
    markDamaged,
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
      // Not prepared once, because SQLite executes this pragma at compile time.
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
 * Replaces `= ?` by `= +?` in a statement. If a bound value affects sorting or joining, SQLite plans for that value and compiles the
 * statement again at each run, which takes several times as long as running it. The sign hides the value from the planner without changing
 * it.
 */
export const planned = (source: string): string => source.replace(/= (?=[?:@])/g, '= +');

type Statement = Database.Statement<unknown[], unknown>;

/** Compiles statements on first use: compiling two hundred unused ones took most of the time to open a library. */
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

/**
 * FULL because a write that was reported as stored must survive a power failure; data that can be fetched again from its host is written
 * `relaxed`.
 */
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

/** Chosen by measurement, see docs/store.md. */
const PAGE_BYTES = 8192;
/** Heavy output would fill a larger cache with pages that are not read again; the operating system caches frequently read ones. */
const CACHE_KIB = 4096;

/** Like `guard`, without a connection. */
export function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeProblem(error, path);
  }
}

/** Reads all rows, or if a damaged page prevents that, the readable ones one by one. `ids` must be covered by an index. */
export function readWhole<Row>(
  { markDamaged }: Connection,
  rows: { all(): Row[]; ids(): number[]; one(id: number): Row | undefined },
): { rows: Row[]; damaged: number[] } {
  try {
    return { rows: rows.all(), damaged: [] };
  } catch (error) {
    if (!isCorruption(error)) throw error;
    markDamaged(String(error));
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

/** Wraps an object of rows so that its methods throw problems instead of SQLite errors. */
export function guarded<T extends object>(connection: Connection, rows: T): T {
  const wrapped = Object.entries(rows).map(([name, method]) => [
    name,
    (...args: never[]) => connection.guard(() => (method as Method)(...args)),
  ]);
  return Object.fromEntries(wrapped) as T;
}

const COMMIT_MS = 250;

interface Waiting {
  /** Runs the write. Returns a function that settles its promise after the commit. */
  attempt(): () => void;
  fail(error: unknown): void;
}

/** Collects writes of several callers and stores them four times per second in one relaxed transaction, see `Store.soon`. */
export interface Together {
  soon<T>(work: () => T): Promise<T>;
  /** Discards pending writes, which fail with `cancelled`. */
  close(): void;
}

export function together(connection: Connection): Together {
  const { db } = connection;
  // A savepoint: a failed write is rolled back alone.
  const savepoint = db.transaction((work: () => unknown) => work());
  const waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  const commit = (): void => {
    timer = undefined;
    const works = waiting.splice(0);
    try {
      const settle = connection.relaxed(() => works.map((work) => work.attempt()));
      for (const each of settle) each();
    } catch (error) {
      for (const work of works) work.fail(error);
    }
  };

  const begun = <T>(work: () => T, { resolve, reject }: PromiseWithResolvers<T>): (() => void) => {
    try {
      const value = connection.guard(() => savepoint(work) as T);
      return () => resolve(value);
    } catch (error) {
      // SQLite rolls back the whole transaction if the disk is full or cannot be written.
      if (!db.inTransaction) throw error;
      connection.onUndone?.();
      return () => reject(error);
    }
  };

  return {
    soon<T>(work: () => T): Promise<T> {
      const promised = Promise.withResolvers<T>();
      waiting.push({ attempt: () => begun(work, promised), fail: promised.reject });
      timer ??= setTimeout(commit, COMMIT_MS - (performance.now() % COMMIT_MS));
      return promised.promise;
    },
    close() {
      clearTimeout(timer);
      const closed = new KneepointError({ code: 'cancelled', message: 'The library was closed.' });
      for (const work of waiting.splice(0)) work.fail(closed);
    },
  };
}
