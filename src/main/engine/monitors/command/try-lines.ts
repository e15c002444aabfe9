import type { TriedLines } from '../../../../shared/contract/monitors.ts';
import { readPatterns } from '../../../../shared/patterns/index.ts';
import { figuresIn } from './parse.ts';

/** A person waits for the answer, and with them everything else that the engine does. */
const LONGEST_TRIAL_MS = 2000;

/**
 * What a watched command's patterns read of lines that it printed, as far as two seconds reach. Throws RangeError, whose message is a sentence,
 * where the patterns cannot be used.
 */
export function tryLines(pattern: string, text: string, now: () => number = () => performance.now()): TriedLines {
  const patterns = readPatterns(pattern);
  const all = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const until = now() + LONGEST_TRIAL_MS;
  const lines: TriedLines['lines'] = [];
  for (const line of all) {
    if (now() > until) break;
    const figures = figuresIn(patterns, line);
    lines.push({ text: line, ...(figures && { figures }) });
  }
  return { lines, left: all.length - lines.length };
}
