import { statfsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { KneepointError } from '../../../../shared/model/problem.ts';

/** Linux `statfs` magic numbers of file systems on which neither locks nor the shared memory of WAL can be relied on. */
const NETWORK_DISKS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
]);

export const networkDisk = (type: number): string | undefined => NETWORK_DISKS.get(type);

/** Throws `unsupported` when the folder is on a disk of another machine (known on Linux only). */
export function refuseNetworkDisk(dataDir: string, platform: string = process.platform): void {
  if (platform !== 'linux') return;
  const kind = networkDisk(statfsSync(dataDir).type);
  if (kind === undefined) return;
  throw new KneepointError({
    code: 'unsupported',
    message: `The data folder ${dataDir} is on ${kind}: a library there could be damaged, as its locks do not hold.`,
    safe: 'Nothing was opened or changed.',
    next: 'Choose a folder on a disk of this computer.',
  });
}

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
