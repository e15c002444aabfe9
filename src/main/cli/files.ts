import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { formatBytes } from '../../shared/util/format.ts';
import { UsageError } from './exit.ts';
import { terminal } from './terminal.ts';

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['ELOOP', 'its symbolic links form a loop'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENXIO', 'it is not a regular file'],
]);

/** The operating system's error code. Undefined for other errors. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

/** Runs `act`. Known errors of the operating system become usage errors; all others are rethrown. */
export function attempt<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const reason = REASONS.get(systemCode(error) ?? '');
    if (reason === undefined) throw error;
    throw new UsageError(`${what}: ${reason}.`);
  }
}

/** Limit for experiments and files of tools, which take a page or two. */
const LARGEST_DOCUMENT = 4 * 1024 * 1024;
/** Limit for secrets, which take a line. */
const LARGEST_SECRET = 64 * 1024;
const CHUNK = 64 * 1024;

const tooLarge = (name: string, most: number): UsageError =>
  new UsageError(`${name} cannot be read: it is larger than ${formatBytes(most)}.`);

/** Reads an open file to its end. The limit applies to the bytes read, since a file can grow and a device has no end. */
function readAll(descriptor: number, name: string, most: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK);
    const read = readSync(descriptor, chunk);
    if (read === 0) return Buffer.concat(chunks);
    size += read;
    if (size > most) throw tooLarge(name, most);
    chunks.push(chunk.subarray(0, read));
  }
}

function openedFile<T>(file: string, flags: number, read: (descriptor: number, stats: Stats) => T): T {
  const descriptor = openSync(file, flags);
  try {
    return read(descriptor, fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a file. Pipes and devices are refused immediately, as they may never begin or never end. */
export function readInput(file: string, most = LARGEST_DOCUMENT): Buffer {
  const name = `“${file}”`;
  // Open without blocking: opening a pipe would wait for its writer.
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  return attempt(`${name} cannot be read`, () =>
    openedFile(file, flags, (descriptor, stats) => {
      if (stats.isDirectory()) throw new UsageError(`${name} cannot be read: it is a folder.`);
      if (!stats.isFile())
        throw new UsageError(
          `${name} cannot be read: it is not a file but a ${stats.isFIFO() ? 'pipe' : 'device'}. Pipe it to a command that accepts “-” for standard input.`,
        );
      if (stats.size > most) throw tooLarge(name, most);
      return readAll(descriptor, name, most);
    }),
  );
}

/** Reads a user's document: a file, or standard input for `-`. */
export async function readText(file: string): Promise<string> {
  if (file !== '-' && file !== '/dev/stdin') return readInput(file).toString('utf8');
  return (await readStandardInput(LARGEST_DOCUMENT)).toString('utf8');
}

/** Reads standard input to its end, up to a limit. */
export async function readStandardInput(most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of terminal().stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw tooLarge('Standard input', most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Reads a password or passphrase from a file that only its owner can read, or from standard input (`-`). No option takes the secret itself, since
 * every user of the machine can see arguments.
 */
export function readSecret(file: string): string {
  const name = `“${file}”`;
  const text = attempt(`${name} cannot be read`, () => {
    if (file === '-') return readAll(0, 'Standard input', LARGEST_SECRET);
    const stats = statSync(file);
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
      throw new UsageError(`${file} is readable by others. Restrict it first: chmod 600 ${file}`);
    if (stats.isDirectory()) throw new UsageError(`${name} cannot be read: it is a folder.`);
    return openedFile(file, constants.O_RDONLY, (descriptor) => readAll(descriptor, name, LARGEST_SECRET));
  })
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (text === '') throw new UsageError(`${name} is empty; it must contain the password or passphrase.`);
  return text;
}
