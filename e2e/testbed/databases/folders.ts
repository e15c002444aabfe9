import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from '../alone.ts';
import { runToEnd, unlessGone } from './processes.ts';

/** Things that tests download or build once: not part of the source. */
const CACHE = fileURLToPath(new URL('../../../.cache/testbed/', import.meta.url));
const ON_DISK = join(tmpdir(), 'kneepoint-testbed');
/** Linux: f_type of an in-memory file system, and the bytes that have to be free there. */
const MEMORY = { folder: '/dev/shm', type: 0x0102_1994, room: 4 * 2 ** 30 };
const IN_MEMORY = join(MEMORY.folder, 'kneepoint-testbed');
const PREFIX = /^(?<product>[a-z]+)-(?<owner>\d+)-/;

/** A server's own folder: data, socket, log. */
export interface Folder {
  path: string;
  /** Records a process that belongs to the folder, so that a later sweep can end it. */
  remember(pid: number): void;
  remove(): void;
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

/** Whether a process was started with this folder in its command line: process ids are reused. */
function belongsTo(pid: number, folder: string): boolean {
  return unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.includes(folder) ?? false;
}

/** Removes leftovers of test processes that no longer exist. Others may do the same at the same time. */
export function sweep(): void {
  for (const root of [ON_DISK, IN_MEMORY]) if (existsSync(root)) sweepIn(root);
}

function sweepIn(root: string): void {
  for (const name of readdirSync(root)) {
    const owner = Number(PREFIX.exec(name)?.groups?.owner ?? Number.NaN);
    if (Number.isNaN(owner) || isAlive(owner)) continue;
    const path = join(root, name);
    const pid = Number(unlessGone(() => readFileSync(join(path, 'pid'), 'utf8')) ?? 0);
    if (pid > 0 && belongsTo(pid, path)) unlessGone(() => process.kill(pid, 'SIGKILL'));
    rmSync(path, { recursive: true, force: true });
  }
}

function hasMemory(): boolean {
  const { type, bavail, bsize } = unlessGone(() => statfsSync(MEMORY.folder)) ?? { type: 0, bavail: 0, bsize: 0 };
  return type === MEMORY.type && bavail * bsize >= MEMORY.room;
}

const present = new Set<string>();
const removeAll = (): void => {
  for (const path of present) rmSync(path, { recursive: true, force: true });
};

/**
 * A new folder of this process; also removed when the process ends without stopping its server. It is in memory if there is space, because many
 * servers that sync to one disk wait for each other; `onDisk` is for tests in which the disk matters.
 */
export function newFolder(product: string, { onDisk = false }: { onDisk?: boolean | undefined } = {}): Folder {
  sweep();
  const root = onDisk || !hasMemory() ? ON_DISK : IN_MEMORY;
  mkdirSync(root, { recursive: true, mode: 0o755 });
  const path = mkdtempSync(join(root, `${product}-${process.pid}-`));
  const remove = (): void => {
    rmSync(path, { recursive: true, force: true });
    present.delete(path);
    if (present.size === 0) process.off('exit', removeAll);
  };
  // One listener for all: Node warns of more than ten.
  if (present.size === 0) process.on('exit', removeAll);
  present.add(path);
  return { path, remember: (pid) => writeFileSync(join(path, 'pid'), String(pid)), remove };
}

async function builtIn(parent: string, name: string, build: (directory: string) => Promise<void>): Promise<string> {
  const path = join(parent, name);
  if (existsSync(path)) return path;
  mkdirSync(parent, { recursive: true });
  return alone(`${path}.lock`, async () => {
    if (existsSync(path)) return path;
    const draft = mkdtempSync(join(parent, `${name}.new-`));
    try {
      await build(draft);
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      throw error;
    }
    return path;
  });
}

/** A folder in the cache, built once by `build` in a folder next to it; a second process waits for the first. */
export const cached = (name: string, build: (directory: string) => Promise<void>): Promise<string> =>
  builtIn(CACHE, name, build);

/** Like `cached`, but readable for every user of the machine: the cache may be below a folder that is closed to others. */
export const cachedInTemp = (name: string, build: (directory: string) => Promise<void>): Promise<string> =>
  builtIn(join(tmpdir(), 'kneepoint-testbed-programs'), name, build);

/** Copies a folder with owners and modes. */
export const copyFolder = (from: string, to: string): void => {
  runToEnd(['cp', '-a', '--reflink=auto', from, to]);
};
