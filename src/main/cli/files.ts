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

/** The operating system's word for why something failed; undefined for what it did not say. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

/** What an operating system's refusal means in words; anything else is thrown on. */
export function attempt<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const reason = REASONS.get(systemCode(error) ?? '');
    if (reason === undefined) throw error;
    throw new UsageError(`${what}: ${reason}.`);
  }
}

/** An experiment, or a file of a tool, is a page or two. */
const LARGEST_DOCUMENT = 4 * 1024 * 1024;
/** A secret is a line. */
const LARGEST_SECRET = 64 * 1024;
const CHUNK = 64 * 1024;

const tooLarge = (name: string, most: number): UsageError =>
  new UsageError(`${name} cannot be read: it is larger than ${formatBytes(most)}.`);

/** All that comes from an open file. A file can grow, and a device has no end: what counts is what was read. */
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

/** A file's bytes. Pipes and devices are refused at once: they may never begin, or never end. */
export function readInput(file: string, most = LARGEST_DOCUMENT): Buffer {
  const name = `“${file}”`;
  // Without waiting: opening a pipe would wait for whoever writes.
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

/** A document of a person: a file, or standard input for `-`. */
export async function readText(file: string): Promise<string> {
  if (file !== '-' && file !== '/dev/stdin') return readInput(file).toString('utf8');
  return (await readStandardInput(LARGEST_DOCUMENT)).toString('utf8');
}

/** Everything from standard input, up to a limit. */
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
 * A password or passphrase: secrets come from a file that only its owner can read, or from standard input (`-`).
 * No option takes the secret itself, arguments can be seen by every user of the machine.
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
