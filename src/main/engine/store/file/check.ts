import { spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import type Database from 'better-sqlite3';
import { KneepointError } from '../../../../shared/model/problem.ts';

export interface CheckResult {
  ok: boolean;
  /** Problems found by SQLite, at most a few lines. */
  lines: string[];
}

/*
 * Text, because the engine runs from source as well as from one bundled file. It opens its own read-only handle, so the writer continues
 * meanwhile. It prints nothing if it could not check the file, for example because too many files were open.
 */
const PROGRAM = `
require('node:os').setPriority(10);
const [module, path] = process.argv.slice(1);
try {
  const db = new (require(module))(path, { readonly: true, fileMustExist: true });
  process.stdout.write(db.prepare('PRAGMA quick_check(20)').pluck().all().join('\\n'));
} catch (error) {
  if (!/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(error.code)) throw error;
  process.stdout.write(String(error));
}
`;

export interface RunningCheck {
  /** Undefined if the file was not checked: the program was killed before, or could not run. */
  readonly result: Promise<CheckResult | undefined>;
  stop(): void;
}

/**
 * Runs `PRAGMA quick_check` next to the engine. A file that cannot be read at all is a failed check, not an error. A separate process,
 * because the check may take minutes and be stopped at any moment: a thread stopped inside of better-sqlite3 takes its whole process with
 * it. `nodePath` is the Node to run; Electron's own program is not allowed to act as one (docs/security.md).
 */
export function startCheck(path: string, nodePath: string): RunningCheck {
  const found = createRequire(import.meta.url).resolve('better-sqlite3');
  // In a package, programs other than Electron can only read files outside of the archive.
  const module = found.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked');
  const child = spawn(nodePath, ['-e', PROGRAM, module, path], {
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  child.on('error', () => {});
  return {
    result: text(child.stdout).then(resultOf, () => undefined),
    stop() {
      child.kill('SIGKILL');
    },
  };
}

const resultOf = (output: string): CheckResult | undefined =>
  output === '' ? undefined : { ok: output === 'ok', lines: output.split('\n') };

/** Linux `statfs` magic numbers of file systems on which neither locks nor WAL's shared memory are reliable. */
const NETWORK_DISKS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
]);

export const networkDisk = (type: number): string | undefined => NETWORK_DISKS.get(type);

/** Throws `unsupported` if the folder is on a network file system (detected on Linux only). */
export function refuseNetworkDisk(dataDir: string, platform: string = process.platform): void {
  if (platform !== 'linux') return;
  const kind = networkDisk(statfsSync(dataDir).type);
  if (kind === undefined) return;
  throw new KneepointError({
    code: 'unsupported',
    message: `The data folder ${dataDir} is on ${kind}: file locks are unreliable there, so a library could be damaged.`,
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
      message: `SQLite ${version} is too old to store a library safely: ${OLDEST.join('.')} or later is needed.`,
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
