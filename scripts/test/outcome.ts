import { stripVTControlCharacters } from 'node:util';
import { INTEGRITY_ERROR } from './integrity.ts';

export type Runner = 'vitest' | 'browser' | 'electron';

/** One test, or a whole file where `title` is absent: a hook that threw, a file that could not be loaded. */
export interface TestRecord {
  readonly runner: Runner;
  /** Path from the root of the clone; absent where something was thrown outside of any file. */
  readonly file?: string;
  /** Names of its groups and its own, outermost first. */
  readonly title?: readonly string[];
  /** Line of its file, where the runner says it. */
  readonly line?: number;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why it failed, or why it was skipped, where that is known. */
  readonly reasons: readonly string[];
}

/** Lines of a failure that are repeated at the end. */
const LINES_SHOWN = 16;

export const nameOf = ({ file = 'outside of any test', title = [] }: TestRecord): string =>
  title.length === 0 ? file : `${file}: ${title.join(' > ')}`;

/** A test that failed, with the first lines of why. */
export function failureOf(record: TestRecord): string {
  const lines = stripVTControlCharacters(record.reasons.join('\n')).split('\n');
  return [nameOf(record), ...lines.slice(0, LINES_SHOWN).map((line) => `    ${line}`)].join('\n');
}

/** Data was lost, doubled or wrong. This never depends on how busy a machine is. */
export const isIntegrityFailure = ({ reasons }: TestRecord): boolean =>
  reasons.some((reason) => reason.includes(`${INTEGRITY_ERROR}:`));
