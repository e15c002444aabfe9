import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { KneepointError, type Problem } from '../../shared/model/problem.ts';
import { attempt, systemCode } from './files.ts';

type Broken = Pick<Problem, 'code' | 'next'> & { why: string };
const FULL: Broken = {
  code: 'disk-full',
  why: 'the disk is full',
  next: 'Free space there, or choose a file elsewhere.',
};

/** Errors that another account could not fix either, by the system's code. */
const BROKEN: ReadonlyMap<string, Broken> = new Map<string, Broken>([
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EFBIG', { ...FULL, why: 'it would exceed the size limit of files there' }],
  ['EROFS', { code: 'read-only', why: 'that file system is read-only', next: 'Choose a file elsewhere.' }],
  [
    'EIO',
    { code: 'internal', why: 'the disk reports an error', next: 'Check the kernel log of this computer (dmesg).' },
  ],
]);

const MOST_LINKS = 40;

/** Resolves links to the final path, which need not exist. */
function destination(file: string): string {
  let place = path.resolve(file);
  for (let links = 0; links < MOST_LINKS; links += 1) {
    if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return place;
    place = path.resolve(path.dirname(place), readlinkSync(place));
  }
  return place;
}

/**
 * Writes a file completely or not at all: to a temporary file in the same folder, which replaces the old one once it is on disk. Pipes, devices and
 * files opened by the shell (`/dev/stdout`) are written directly.
 */
export function writeOutput(file: string, bytes: Uint8Array): void {
  const { place, before } = attempt(`“${file}” cannot be written`, () => {
    const target = destination(file);
    return { place: target, before: statSync(target, { throwIfNoEntry: false }) };
  });
  const inPlace = /^\/(dev|proc)\//.test(path.resolve(file)) || (before !== undefined && !before.isFile());
  if (inPlace) withProblems(file, '', () => writeFileSync(file, bytes));
  else if (!replaced(file, place, bytes, before)) withProblems(file, '', () => writeFileSync(place, bytes));
}

/** Whether the file could be replaced. This fails for a writable file in a read-only folder, and for a mounted file. */
function replaced(file: string, place: string, bytes: Uint8Array, before: Stats | undefined): boolean {
  const temporary = path.join(path.dirname(place), `.kneepoint-${randomBytes(6).toString('hex')}`);
  return withProblems(file, before ? 'The previous file is unchanged.' : 'No file was left behind.', () => {
    try {
      writeTemporary(temporary, bytes, before);
      renameSync(temporary, place);
    } catch (error) {
      rmSync(temporary, { force: true });
      if (before && ['EACCES', 'EPERM', 'EBUSY'].includes(systemCode(error) ?? '')) return false;
      throw error;
    }
    syncFolder(path.dirname(place));
    return true;
  });
}

/** Converts errors of the system to problems. */
function withProblems<T>(file: string, safe: string, write: () => T): T {
  try {
    return attempt(`“${file}” cannot be written`, write);
  } catch (error) {
    const broken = BROKEN.get(systemCode(error) ?? '');
    if (!broken) throw error;
    const { why, ...problem } = broken;
    throw new KneepointError(
      { ...problem, message: `“${file}” cannot be written: ${why}.`, ...(safe !== '' && { safe }) },
      { cause: error },
    );
  }
}

function writeTemporary(temporary: string, bytes: Uint8Array, before: Stats | undefined): void {
  const descriptor = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
  try {
    if (before) keepRights(descriptor, before);
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Set the owner first, since this clears mode bits. Only root can change the owner; other users do not need to. */
function keepRights(descriptor: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if (systemCode(error) !== 'EPERM') throw error;
  }
  fchmodSync(descriptor, mode & 0o7777);
}

/** Syncs the folder, so that the new name is on disk as well. Not all folders support this; the file exists in any case. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}
