import { stripVTControlCharacters } from 'node:util';
import { INTEGRITY_ERROR } from './integrity.ts';

export type Runner = 'vitest' | 'browser' | 'electron';

/** One test, or a whole file if it has no `title`: a hook that threw, a file that could not be loaded. */
export interface TestRecord {
  readonly runner: Runner;
  /** Path from the root of the clone; missing if something was thrown outside any file. */
  readonly file?: string;
  /** Names of its groups and its own, outermost first. */
  readonly title?: readonly string[];
  /** Line in its file, if the runner reports it. */
  readonly line?: number;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** Why it failed, or why it was skipped, if known. */
  readonly reasons: readonly string[];
}

/** Lines of a failure that are repeated at the end. */
const LINES_SHOWN = 16;

export const nameOf = ({ file = 'outside of any test', title = [] }: TestRecord): string =>
  title.length === 0 ? file : `${file}: ${title.join(' > ')}`;

/** A failed test, with the first lines of the reason. */
export function failureOf(record: TestRecord): string {
  const lines = stripVTControlCharacters(record.reasons.join('\n')).split('\n');
  return [nameOf(record), ...lines.slice(0, LINES_SHOWN).map((line) => `    ${line}`)].join('\n');
}

/** Data was lost, doubled or wrong. This never depends on the load of a machine. */
export const isIntegrityFailure = ({ reasons }: TestRecord): boolean =>
  reasons.some((reason) => reason.includes(`${INTEGRITY_ERROR}:`));
