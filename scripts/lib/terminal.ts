import path from 'node:path';

/** The folder of the clone. */
export const root = path.resolve(import.meta.dirname, '../..');

/** Prints a line for the user; on stderr, because a program may read stdout. */
export function printStatus(line: string): void {
  process.stderr.write(`kneepoint: ${line}\n`);
}
