import { nameTaken } from '../file/problems.ts';

/** Documents are validated at the contract; data from Kneepoint's own file is trusted. */
export const fromJson = <T>(text: string): T => JSON.parse(text);
export const toJson = (value: unknown): string => JSON.stringify(value);
export const orNull = <T, R>(value: T | null | undefined, map: (value: T) => R): R | null =>
  value === null || value === undefined ? null : map(value);

/** Formats constant words as the list of an `IN` clause. */
export const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** True if a statement failed because a UNIQUE column already has the value. */
const isDuplicate = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_UNIQUE';

/** A name that is already used is a user error, not a fault of the file. */
export function named<T>(what: string, name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isDuplicate(error) ? nameTaken(what, name) : error;
  }
}
