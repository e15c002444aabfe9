import { existsSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Settings } from './settings.ts';

/** Magic numbers of file systems that live in memory (linux/magic.h). */
const IN_MEMORY = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);

/** Where the database of a run lies. */
export interface Place {
  directory: string;
  file: string;
  /** Name of a file system that forgets everything at a power cut. */
  inMemory: string | undefined;
  /** Bytes of the database with its write-ahead log. */
  bytes(): number;
  remove(): void;
}

/** A folder of its own inside the wanted one, removed with all in it; a file that was asked for by name stays. */
export function placeOf(settings: Settings): Place {
  const own = settings.file === undefined;
  const directory = own
    ? mkdtempSync(join(resolve(settings.directory), 'kneepoint-sqlite-'))
    : dirname(resolve(settings.file ?? ''));
  const file = own ? join(directory, 'usertable.db') : resolve(settings.file ?? '');
  return {
    directory,
    file,
    inMemory: process.platform === 'linux' ? IN_MEMORY.get(statfsSync(directory).type) : undefined,
    bytes: () =>
      [file, `${file}-wal`].filter((path) => existsSync(path)).reduce((sum, path) => sum + statSync(path).size, 0),
    remove: () => {
      if (own) rmSync(directory, { recursive: true, force: true });
    },
  };
}
