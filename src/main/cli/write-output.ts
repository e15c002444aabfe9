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
  next: 'Free space there, or name a file elsewhere.',
};

/** What no other account would fix, by the system's word for it. */
const BROKEN: ReadonlyMap<string, Broken> = new Map<string, Broken>([
  ['ENOSPC', FULL],
  ['EDQUOT', FULL],
  ['EFBIG', { ...FULL, why: 'it would exceed the size limit of files there' }],
  ['EROFS', { code: 'read-only', why: 'that file system is read-only', next: 'Name a file elsewhere.' }],
  [
    'EIO',
    { code: 'internal', why: 'the disk reports an error', next: 'Check the kernel log of this computer (dmesg).' },
  ],
]);

const MOST_LINKS = 40;

/** Where a name leads: the last of its links need not be there yet. */
function destination(file: string): string {
  let place = path.resolve(file);
  for (let links = 0; links < MOST_LINKS; links += 1) {
    if (!lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink()) return place;
    place = path.resolve(path.dirname(place), readlinkSync(place));
  }
  return place;
}

/**
 * Writes a file whole or not at all: beside what is there, and in its place when everything is on the disk. Pipes, devices and
 * what the shell opened (`/dev/stdout`) are written as they are.
 */
export function writeOutput(file: string, bytes: Uint8Array): void {
  const { place, before } = attempt(`“${file}” cannot be written`, () => {
    const leads = destination(file);
    return { place: leads, before: statSync(leads, { throwIfNoEntry: false }) };
  });
  const asItIs = /^\/(dev|proc)\//.test(path.resolve(file)) || (before !== undefined && !before.isFile());
  if (asItIs) told(file, '', () => writeFileSync(file, bytes));
  else if (!replaced(file, place, bytes, before)) told(file, '', () => writeFileSync(place, bytes));
}

/** Whether the file could be replaced. One that may be written in a folder that may not be changed, or that is mounted by itself, cannot. */
function replaced(file: string, place: string, bytes: Uint8Array, before: Stats | undefined): boolean {
  const beside = path.join(path.dirname(place), `.kneepoint-${randomBytes(6).toString('hex')}`);
  return told(file, before ? 'The previous file is unchanged.' : 'No file was left behind.', () => {
    try {
      writeBeside(beside, bytes, before);
      renameSync(beside, place);
    } catch (error) {
      rmSync(beside, { force: true });
      if (before && ['EACCES', 'EPERM', 'EBUSY'].includes(systemCode(error) ?? '')) return false;
      throw error;
    }
    settle(path.dirname(place));
    return true;
  });
}

/** What the system refuses, in words. */
function told<T>(file: string, safe: string, write: () => T): T {
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

function writeBeside(beside: string, bytes: Uint8Array, before: Stats | undefined): void {
  const descriptor = openSync(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o666);
  try {
    if (before) keepRights(descriptor, before);
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The owner first: changing it takes bits from the mode. Only root can give a file away, and nobody else has to. */
function keepRights(descriptor: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(descriptor, uid, gid);
  } catch (error) {
    if (systemCode(error) !== 'EPERM') throw error;
  }
  fchmodSync(descriptor, mode & 0o7777);
}

/** The new name too is on the disk then. Not every folder can be told to be, and the file is there whatever comes of it. */
function settle(folder: string): void {
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
