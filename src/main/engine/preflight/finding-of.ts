import type { Finding } from '../../../shared/model/finding.ts';
import { problemOf } from '../../../shared/model/problem.ts';
import type { DeviceFinding } from '../facts/index.ts';
import type { Knowledge } from './knowledge.ts';

/** What went wrong while something was checked, as a line that blocks. */
export function blocking(error: unknown): Finding {
  const problem = problemOf(error);
  const finding: Finding = { code: problem.code, severity: 'block', message: problem.message };
  return problem.next ? { ...finding, next: problem.next } : finding;
}

/** A block that a person may lift by typing a phrase: then it warns. */
export function liftable(
  known: Pick<Knowledge, 'confirmable' | 'confirmed' | 'destroy'>,
  finding: Finding,
  phrase: string,
): DeviceFinding {
  known.confirmable.add(phrase);
  if (known.destroy.includes(phrase)) {
    known.confirmed.add(phrase);
    return { ...finding, severity: 'warn' };
  }
  const how = `To go ahead all the same, type “${phrase}” here, or give it as --confirm on the command line.`;
  return { ...finding, confirm: phrase, next: [finding.next, how].filter(Boolean).join(' ') };
}
