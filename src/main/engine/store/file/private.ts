import { chmodSync, closeSync, lstatSync, openSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { KneepointError } from '../../../../shared/model/problem.ts';

const FILES = ['library.db', 'library.db-wal', 'library.db-shm', 'lock.db', 'holder.json', 'vault.json', 'link'];
const FOLDERS = ['backups', 'logs', 'reports', 'bin'];
/** Names that belong in a data folder. A folder with other content may be shared on purpose. */
const OURS = new Set([
  ...FILES,
  ...FOLDERS,
  'holder.json.new',
  'vault.json.new',
  'link.new',
  'library.db-journal',
  'lock.db-journal',
]);

const FOR_OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/**
 * The library is private to its user: folders 0700, files 0600, whatever the umask. Corrects Kneepoint's own files and reports that to
 * `onCorrected`. Throws `unsupported` if that would not help: for files of another user, or a folder shared like /tmp. Windows keeps user folders
 * private itself.
 */
export function keepPrivate(dataDir: string, onCorrected: (sentence: string) => void, user = process.getuid?.()): void {
  if (user === undefined) return;
  const folder = statSync(dataDir);
  requireOwn(dataDir, folder, user);
  if (folder.mode & STICKY && folder.mode & WRITABLE_BY_OTHERS) throw sharedFolder(dataDir);
  const entries = readdirSync(dataDir);
  const alone = entries.every((name) => OURS.has(name));
  const wanted = alone ? 0o700 : folder.mode & 0o777 & ~WRITABLE_BY_OTHERS;
  correct(dataDir, folder, wanted, onCorrected);
  for (const name of FILES) keepFile(join(dataDir, name), user, onCorrected);
  const backups = join(dataDir, 'backups');
  if (!entries.includes('backups')) return;
  correct(backups, statSync(backups), 0o700, onCorrected);
  for (const name of readdirSync(backups)) keepFile(join(backups, name), user, onCorrected);
}

function keepFile(path: string, user: number, onCorrected: (sentence: string) => void): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  requireOwn(path, found, user);
  if (found.isFile()) correct(path, found, 0o600, onCorrected);
}

function correct(path: string, { mode }: Stats, wanted: number, onCorrected: (sentence: string) => void): void {
  if ((mode & FOR_OTHERS & ~wanted) === 0) return;
  try {
    chmodSync(path, mode & wanted);
  } catch (error) {
    // On a read-only disk permissions stay as they are: no one can change anything there, and opening reports it.
    if ((error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
    return;
  }
  onCorrected(`${path} was open to other users of this computer. It is private now.`);
}

function requireOwn(path: string, { uid }: Stats, user: number): void {
  if (uid === user) return;
  throw new KneepointError({
    code: 'unsupported',
    message: `${path} belongs to another user (${uid}), who could change or replace the library.`,
    safe: 'Nothing was opened or changed.',
    next: 'Start Kneepoint as that user, copy the library to a folder of your own, or choose another data folder.',
  });
}

function sharedFolder(dataDir: string): KneepointError {
  return new KneepointError({
    code: 'unsupported',
    message: `The data folder ${dataDir} is shared with all users of this computer.`,
    safe: 'Nothing was opened or changed.',
    next: 'Choose a folder of your own, for example a new one inside it.',
  });
}

/**
 * Creates an empty file for this user alone if there is none, because files created by SQLite follow the umask. Leaves errors to SQLite.
 */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It exists (and must not be opened: closing it would drop SQLite's locks), or SQLite reports better why it cannot be created.
  }
}
