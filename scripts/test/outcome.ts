import { stripVTControlCharacters } from 'node:util';

/** What became of the tests that a runner ran. */
export interface Outcome {
  passed: number;
  /** Each test that failed, with the first lines of why. */
  failed: string[];
  /** Tests that were skipped, and why where that is known. */
  notRun: string[];
}

/** Lines of a failure that are repeated at the end. */
const LINES_SHOWN = 16;

/** A test, or the file it is in, and why it failed. */
export function failureOf(test: string, reasons: readonly string[]): string {
  const lines = stripVTControlCharacters(reasons.join('\n')).split('\n');
  return [test, ...lines.slice(0, LINES_SHOWN).map((line) => `    ${line}`)].join('\n');
}
