import { z } from 'zod';

/** Every error that crosses a door has one of these codes. A new code is a new kind of answer for a person, not a new place in the code. */
export const ProblemCode = z.enum([
  'bad-request',
  'not-found',
  'conflict',
  'cancelled',
  'disconnected',
  'version-mismatch',
  'internal',
  'unsupported',
  'host-unreachable',
  'host-refused',
  'host-key-unknown',
  'host-key-changed',
  'host-auth-failed',
  'secret-missing',
  'vault-locked',
  'tool-missing',
  'tool-too-old',
  'target-unreachable',
  'target-auth-failed',
  'database-missing',
  'table-missing',
  'data-mismatch',
  'device-refused',
  'disk-full',
  'read-only',
  'store-busy',
  'store-corrupt',
  'store-newer',
  'experiment-invalid',
  'preflight-refused',
  'run-failed',
  'job-lost',
  'change-refused',
  'change-not-possible',
  'server-not-back',
]);
export type ProblemCode = z.infer<typeof ProblemCode>;

/**
 * What went wrong, for a person and for a machine.
 * `message` says what happened; `safe` what is not lost; `next` what to do. Full sentences, no secret in any of them.
 */
export const Problem = z.object({
  code: ProblemCode,
  message: z.string(),
  host: z.string().optional(),
  target: z.string().optional(),
  session: z.number().optional(),
  run: z.number().optional(),
  safe: z.string().optional(),
  next: z.string().optional(),
  details: z.unknown().optional(),
});
export type Problem = z.infer<typeof Problem>;

/** The one error class of the project: thrown anywhere, crosses the wire whole. */
export class KneepointError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, options?: { cause?: unknown }) {
    super(problem.message, options);
    this.name = 'KneepointError';
    this.problem = problem;
  }
  get code(): ProblemCode {
    return this.problem.code;
  }
}

/** Any thrown value as a Problem; what we did not expect becomes `internal` with its own words kept. */
export function problemOf(error: unknown): Problem {
  if (error instanceof KneepointError) return error.problem;
  if (error instanceof Error) return { code: 'internal', message: error.message, details: error.stack };
  return { code: 'internal', message: String(error) };
}

/** Problem as the sentences a terminal or a banner shows. */
export function describeProblem(problem: Problem): string {
  return [problem.message, problem.safe, problem.next].filter(Boolean).join(' ');
}
