import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KneepointError, type Problem, problemKind, problemOf } from '../../../shared/model/problem.ts';
import { insertEnded } from './ended.ts';
import { type CheckResult, refuseNetworkDisk, requireSqlite, startCheck } from './file/check.ts';
import { attempt, type Connection, openConnection, together } from './file/connection.ts';
import { type InstanceLock, lockInstance } from './file/lock.ts';
import { inspect, migrate } from './file/migrate.ts';
import { keepPrivate } from './file/private.ts';
import { openReading, openShared, type Reading } from './file/reading.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { sampleRows } from './samples/index.ts';
import type { Store } from './store.ts';
import { summaryRows } from './summaries/index.ts';
import { captureRows } from './tables/captures.ts';
import { configurationRows } from './tables/configurations.ts';
import { dataSetRows } from './tables/data-sets.ts';
import { eventRows } from './tables/events.ts';
import { experimentRows } from './tables/experiments.ts';
import { headlineRows } from './tables/headlines.ts';
import { hostRows } from './tables/hosts.ts';
import { jobRows } from './tables/jobs.ts';
import { claimRows, journalRows } from './tables/journal.ts';
import { judgementRows } from './tables/judgements.ts';
import { latencyRows } from './tables/latencies.ts';
import { targetRows } from './tables/named-things.ts';
import { runRows } from './tables/runs.ts';
import { secretRows } from './tables/secrets.ts';
import { sessionRows } from './tables/sessions.ts';
import { sourceRows } from './tables/sources.ts';

export const LIBRARY_FILE = 'library.db';

export interface StoreOptions {
  /** Shown to a second instance: desktop, browser, cli, test. */
  mode?: string;
  /** Node executable to check the file in a separate process. Default: this process's executable. */
  nodePath?: string;
  /** Epoch milliseconds. */
  now?: () => number;
  /** Called once, after the check that follows an unclean end. A damaged file is read-only from then on. */
  onCheck?: (result: CheckResult) => void;
  /** Called when the library becomes read-only because of damage. */
  onReadOnly?: (problem: Problem) => void;
  /** Called with a sentence about each permission that was corrected. */
  onCorrected?: (sentence: string) => void;
  /** Called with the progress of a long conversion. */
  onConverting?: (sentence: string) => void;
  /** If another process holds the library: read it at the same time, instead of throwing `store-busy`. */
  shared?: boolean;
}

/**
 * Opens the library in `dataDir` (created with mode 0700 if missing) for this process alone. If it cannot be written (read-only or full
 * disk, or damage that prevents its migration), it is opened for reading, and `readOnly` returns the reason. Throws `store-busy` (with the
 * holder), `store-newer`, `store-corrupt`, `disk-full`, `read-only`, `unsupported`.
 */
export function openStore(dataDir: string, options: StoreOptions = {}): Store {
  const now = options.now ?? Date.now;
  makeFolder(dataDir);
  refuseNetworkDisk(dataDir);
  keepPrivate(dataDir, options.onCorrected ?? (() => {}));
  const path = join(dataDir, LIBRARY_FILE);
  const lock = lockOr(dataDir, { pid: process.pid, mode: options.mode ?? 'unknown', since: now() });
  if (lock instanceof KneepointError) return readShared(path, lock, options);
  try {
    if (lock.full && hasContent(path)) return read(path, lock.full, lock);
    if (lock.full) throw new KneepointError(lock.full);
    return openToWrite(path, lock, now(), options);
  } catch (error) {
    try {
      if (!lock.full && problemKind(problemOf(error))?.isReadable && hasContent(path))
        return read(path, problemOf(error), lock);
    } catch {
      // The reason why it cannot be written is more helpful than the one why it cannot be read.
    }
    lock.release(false);
    throw error;
  }
}

const hasContent = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

function lockOr(dataDir: string, holder: Parameters<typeof lockInstance>[1]): InstanceLock | KneepointError {
  try {
    return lockInstance(dataDir, holder);
  } catch (error) {
    if (error instanceof KneepointError) return error;
    throw error;
  }
}

function readShared(path: string, error: KneepointError, { shared }: StoreOptions): Store {
  if (error.code === 'store-busy') {
    const refusal = { ...error.problem, safe: 'It was opened read-only alongside that one. Nothing was changed.' };
    const reading = shared ? openShared(path, { migrations: MIGRATIONS, refusal, alone: false }) : undefined;
    if (reading) return readingStore(reading);
  } else if (problemKind(error)?.isReadable && hasContent(path)) return read(path, error.problem);
  throw error;
}

function read(path: string, problem: Problem, lock?: InstanceLock): Store {
  const refusal = {
    ...problem,
    safe: 'It was opened read-only: everything in it can be viewed, compared, and exported to another folder.',
    next: `To run or change anything: ${NEXT[problem.code] ?? 'continue with a copy of it'}, then start again.`,
  };
  const reading = openReading(path, { migrations: MIGRATIONS, refusal, alone: lock !== undefined });
  return readingStore(reading, lock);
}

const NEXT: Partial<Record<Problem['code'], string>> = {
  'disk-full': 'free some space on its disk',
  'read-only': 'allow this user to write to its folder, or copy it to another one',
};

function readingStore(reading: Reading, lock?: InstanceLock): Store {
  const { connection } = reading;
  const gathered = together(connection);
  return {
    ...rowsOf(connection),
    soon: gathered.soon,
    sqliteVersion: requireSqlite(connection.db),
    close() {
      if (!connection.db.open) return;
      gathered.close();
      reading.close();
      lock?.release(!lock.unclean && connection.refusal()?.code !== 'store-corrupt');
    },
  };
}

function openToWrite(path: string, lock: InstanceLock, now: number, options: StoreOptions): Store {
  inspect(path, Math.max(...MIGRATIONS.map((migration) => migration.version)));
  const connection = openConnection(path);
  try {
    return assemble(connection, lock, now, options);
  } catch (error) {
    connection.db.close();
    throw error;
  }
}

function assemble(connection: Connection, lock: InstanceLock, now: number, options: StoreOptions): Store {
  const { db, path } = connection;
  const sqliteVersion = requireSqlite(db);
  attempt(path, () => migrate(db, path, MIGRATIONS, now, { report: options.onConverting }));
  connection.onRefusal = options.onReadOnly;
  let whole = !lock.unclean;
  const check = lock.unclean ? startCheck(path, options.nodePath ?? process.execPath) : undefined;
  void check?.result.then((result) => {
    if (!result) return;
    whole = result.ok;
    if (!result.ok) connection.markDamaged(result.lines);
    options.onCheck?.(result);
  });
  const gathered = together(connection);
  return {
    ...rowsOf(connection),
    soon: gathered.soon,
    sqliteVersion,
    close() {
      if (!db.open) return;
      check?.stop();
      gathered.close();
      // Closing the last handle moves the write-ahead log into the file and removes it; if that failed, the log stays.
      db.close();
      lock.release(whole && !existsSync(`${path}-wal`));
    },
  };
}

function rowsOf(connection: Connection): Omit<Store, 'soon' | 'sqliteVersion' | 'close'> {
  const runs = runRows(connection);
  const sources = sourceRows(connection);
  const rows = {
    hosts: hostRows(connection),
    targets: targetRows(connection),
    dataSets: dataSetRows(connection),
    secrets: secretRows(connection),
    experiments: experimentRows(connection),
    configurations: configurationRows(connection),
    sessions: sessionRows(connection),
    runs,
    jobs: jobRows(connection),
    events: eventRows(connection),
    journal: journalRows(connection),
    claims: claimRows(connection),
    sources,
    latencies: latencyRows(connection),
    captures: captureRows(connection),
    judgements: judgementRows(connection),
    headlines: headlineRows(connection),
    ...sampleRows(connection, { runs, sources }),
    summaries: summaryRows(connection),
    atomically: <T>(work: () => T) => connection.write(work),
    relaxed: <T>(work: () => T) => connection.relaxed(work),
    reading: <T>(work: () => T) => connection.read(work),
    readOnly: connection.refusal,
  } satisfies Omit<Store, 'soon' | 'sqliteVersion' | 'close' | 'insertEnded'>;
  return { ...rows, insertEnded: (session, ended) => insertEnded(rows, session, ended) };
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new KneepointError(
      {
        code: (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk-full' : 'read-only',
        message: `The data folder ${dataDir} could not be created.`,
        next: 'Choose a folder that this user may write to.',
      },
      { cause: error },
    );
  }
}
