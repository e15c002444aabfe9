import { KneepointError } from '../../../../shared/model/problem.ts';
import type { Connection } from './connection.ts';

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
