import { z } from 'zod';
import { asSentence } from '../util/format.ts';

/** Location of a problem, and the decisions that follow from it. */
interface ProblemKind {
  readonly about:
    | 'request'
    | 'app'
    | 'host'
    | 'target'
    | 'data'
    | 'device'
    | 'library'
    | 'experiment'
    | 'step'
    | 'cell';
  /** Input needed: only the user can provide what is missing. */
  readonly needsPerson?: true;
  /** Its remedy: a password, unlocking the vault, or saving something under the missing name. */
  readonly wants?: 'password' | 'vault' | 'saved';
  /** It may resolve itself while a command waits, through work elsewhere. */
  readonly mayPass?: true;
  /** Before a trial it ends only that trial; any other problem keeps the whole session from continuing. */
  readonly endsTrial?: true;
  /** A library that cannot be written because of it can still be read. */
  readonly isReadable?: true;
}

/**
 * Every error that crosses a boundary has one of these codes. A new code means a new kind of reaction for the user, not a new place in the
 * code.
 */
const KINDS = {
  'bad-request': { about: 'request' },
  'not-found': { about: 'request', wants: 'saved' },
  conflict: { about: 'request' },
  cancelled: { about: 'request' },
  disconnected: { about: 'app' },
  'version-mismatch': { about: 'app' },
  internal: { about: 'app' },
  unsupported: { about: 'request', endsTrial: true },
  'host-unreachable': { about: 'host' },
  'host-refused': { about: 'host' },
  'host-key-unknown': { about: 'host', needsPerson: true },
  'host-key-changed': { about: 'host', needsPerson: true },
  'host-auth-failed': { about: 'host', needsPerson: true },
  'secret-missing': { about: 'app', needsPerson: true, wants: 'password' },
  'vault-locked': { about: 'app', needsPerson: true, wants: 'vault' },
  'tool-missing': { about: 'host' },
  'tool-too-old': { about: 'host' },
  'target-unreachable': { about: 'target', mayPass: true, endsTrial: true },
  'target-auth-failed': { about: 'target', wants: 'password' },
  'database-missing': { about: 'target' },
  'table-missing': { about: 'data' },
  'data-mismatch': { about: 'data' },
  'device-refused': { about: 'device' },
  'disk-full': { about: 'library', needsPerson: true, mayPass: true, isReadable: true },
  'read-only': { about: 'library', isReadable: true },
  'store-busy': { about: 'library' },
  'store-corrupt': { about: 'library', isReadable: true },
  'store-newer': { about: 'library' },
  'experiment-invalid': { about: 'experiment' },
  'preflight-refused': { about: 'experiment' },
  'run-failed': { about: 'step' },
  'job-lost': { about: 'step' },
  'change-refused': { about: 'cell', endsTrial: true },
  'change-not-possible': { about: 'cell', endsTrial: true },
  'server-not-back': { about: 'target', endsTrial: true },
} as const satisfies Record<string, ProblemKind>;
export const ProblemCode = z.enum(Object.keys(KINDS) as (keyof typeof KINDS)[]);
export type ProblemCode = z.infer<typeof ProblemCode>;

const BY_CODE: Readonly<Record<string, ProblemKind>> = KINDS;

/** The kind of a problem, or of a finding derived from one; undefined for other findings. */
export const problemKind = ({ code }: { readonly code: string }): ProblemKind | undefined =>
  Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;

/**
 * An error for users and programs. `message` describes what happened; `safe` what is not lost; `next` what to do. Full sentences without
 * secrets.
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

/** The only error class of the project: can be thrown anywhere, and is transferred completely. */
export class KneepointError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem, options?: { cause?: unknown }) {
    const message = asSentence(problem.message);
    super(message, options);
    this.name = 'KneepointError';
    this.problem = { ...problem, message };
  }
  get code(): ProblemCode {
    return this.problem.code;
  }
}

/** Converts any thrown value to a Problem; unexpected errors become `internal` and keep their own message. */
export function problemOf(error: unknown): Problem {
  if (error instanceof KneepointError) return error.problem;
  if (error instanceof Error) return { code: 'internal', message: error.message, details: error.stack };
  return { code: 'internal', message: String(error) };
}

/** A problem as the sentences that a terminal or banner shows. */
export function describeProblem(problem: Problem): string {
  return [problem.message, problem.safe, problem.next].filter(Boolean).join(' ');
}
