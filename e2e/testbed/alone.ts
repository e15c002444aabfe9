import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';

const RETRY_EVERY = 200;

/**
 * Runs work that no other process runs at the same time under the same file. The lock is SQLite's: the kernel releases it when the process that
 * holds it ends, however that happens.
 */
export async function alone<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  const lock = new Database(file, { timeout: 0 });
  try {
    while (!taken(lock)) await delay(RETRY_EVERY);
    return await work();
  } finally {
    lock.close();
  }
}

/** For work that changes and reads the kernel that all tests of the machine share. */
export const aloneWithKernel = <Result>(work: () => Promise<Result>): Promise<Result> =>
  alone(join(tmpdir(), 'kneepoint-testbed-kernel'), work);

function taken(lock: Database.Database): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') return false;
    throw error;
  }
}
