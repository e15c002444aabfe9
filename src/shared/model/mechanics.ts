import type { Finding } from './finding.ts';

/** Label of a session whose figures answer no question. */
export const MECHANICS_ONLY = 'mechanics only';

/** Replaces the answer of such a session. */
export const MECHANICS_SENTENCE =
  'Mechanics only: this session shows that the experiment runs. Its figures answer no question.';

/** A note on the plan of its document. */
export const MECHANICS_FINDING: Finding = {
  code: 'mechanics-only',
  severity: 'note',
  message: 'Mechanics only: the session shows that the experiment runs. Its figures answer no question.',
};
