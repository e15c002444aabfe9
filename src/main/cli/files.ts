import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { UsageError } from './exit.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this account may not do that',
  EPERM: 'this account may not do that',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EROFS: 'that file system is read-only',
  ENOSPC: 'the disk is full',
};

/** What an operating system's refusal means in words; anything else is thrown on. */
function attempt<T>(what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!(code in REASONS)) throw error;
    throw new UsageError(`${what}: ${REASONS[code]}.`);
  }
}

export const readInput = (file: string): Buffer => attempt(`“${file}” cannot be read`, () => readFileSync(file));

export const writeOutput = (file: string, bytes: Uint8Array): void =>
  attempt(`“${file}” cannot be written`, () => writeFileSync(file, bytes));

/**
 * A password or passphrase: secrets come from a file that only its owner can read, or from standard input (`-`).
 * No option takes the secret itself, arguments can be seen by every user of the machine.
 */
export function readSecret(file: string): string {
  const text = attempt(`“${file}” cannot be read`, () => {
    if (file !== '-' && process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      throw new UsageError(`${file} can be read by others; make it yours alone first: chmod 600 ${file}`);
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  }).replace(/\r?\n$/, '');
  if (text === '') throw new UsageError(`“${file}” is empty; it should hold the password or passphrase.`);
  return text;
}
