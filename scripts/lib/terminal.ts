import path from 'node:path';

/** The folder of the clone. */
export const root = path.resolve(import.meta.dirname, '../..');

/** A line for the person at the terminal; on stderr, because stdout may be read by a program. */
export function say(line: string): void {
  process.stderr.write(`kneepoint: ${line}\n`);
}
