import type { Finding } from '../../../../shared/model/finding.ts';
import { problemOf } from '../../../../shared/model/problem.ts';

/** What went wrong while something was checked, as a line that blocks. */
export function blocking(error: unknown): Finding {
  const problem = problemOf(error);
  const finding: Finding = { code: problem.code, severity: 'block', message: problem.message };
  return problem.next ? { ...finding, next: problem.next } : finding;
}
