import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { KneepointError } from '../../../shared/model/problem.ts';
import { type CheckResult, startCheck } from './check.ts';
import { attempt, type Connection, openConnection } from './connection.ts';
import { dataSetRows } from './data-sets.ts';
import { experimentRows } from './experiments.ts';
import { fileSetRows } from './file-sets.ts';
import { hostRows } from './hosts.ts';
import { type InstanceLock, lockInstance } from './lock.ts';
import { inspect, migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { refuseNetworkDisk } from './placement.ts';
import { runRows } from './runs.ts';
import { sampleRows } from './samples/index.ts';
import { secretRows } from './secrets.ts';
import { sessionRows } from './sessions.ts';
import { settingRows } from './settings.ts';
import type { Store } from './store.ts';
import { targetRows } from './targets.ts';
import { requireSqlite } from './version.ts';

export const LIBRARY_FILE = 'library.db';

export interface StoreOptions {
  /** Shown to a second instance: desktop, browser, cli, test. */
  mode?: string;
  /** Epoch milliseconds. */
  now?: () => number;
  /** Called once, after the check that follows an unclean end. A damaged file is read-only from then on. */
  onCheck?: (result: CheckResult) => void;
}

/**
 * Opens the library in `dataDir` (made if missing, with mode 0700) for this process alone.
 * Throws store-busy (and who holds it), store-newer, store-corrupt, disk-full, read-only, unsupported.
 */
export function openStore(dataDir: string, options: StoreOptions = {}): Store {
  const now = options.now ?? Date.now;
  makeFolder(dataDir);
  refuseNetworkDisk(dataDir);
  const path = join(dataDir, LIBRARY_FILE);
  const lock = lockInstance(dataDir, { pid: process.pid, mode: options.mode ?? 'unknown', since: now() });
  try {
    inspect(path, Math.max(...MIGRATIONS.map((migration) => migration.version)));
    const connection = openConnection(path);
    try {
      return assemble(connection, lock, now(), options);
    } catch (error) {
      connection.db.close();
      throw error;
    }
  } catch (error) {
    lock.release(false);
    throw error;
  }
}

function assemble(connection: Connection, lock: InstanceLock, now: number, options: StoreOptions): Store {
  const { db, path } = connection;
  const sqliteVersion = requireSqlite(db);
  attempt(path, () => migrate(db, path, MIGRATIONS, now));
  const runs = runRows(connection);
  let whole = !lock.unclean;
  const check = lock.unclean ? startCheck(path) : undefined;
  void check?.result.then((result) => {
    whole = result.ok;
    if (!result.ok) connection.condemn(result.lines);
    options.onCheck?.(result);
  });
  return {
    hosts: hostRows(connection),
    targets: targetRows(connection),
    dataSets: dataSetRows(connection),
    fileSets: fileSetRows(connection),
    secrets: secretRows(connection),
    experiments: experimentRows(connection),
    sessions: sessionRows(connection),
    runs,
    samples: sampleRows(connection, runs),
    settings: settingRows(connection),
    sqliteVersion,
    close() {
      if (!db.open) return;
      check?.stop();
      // Closing the last handle moves the write-ahead log into the file and removes it; where that was not possible, it stays.
      db.close();
      lock.release(whole && !existsSync(`${path}-wal`));
    },
  };
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new KneepointError(
      {
        code: (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk-full' : 'read-only',
        message: `The data folder ${dataDir} could not be made.`,
        next: 'Choose a folder that this user may write to.',
      },
      { cause: error },
    );
  }
}
