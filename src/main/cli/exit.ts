import { describeProblem, KneepointError, type Problem } from '../../shared/model/problem.ts';
import { printJson, printStatus } from './terminal.ts';

/** Exit codes of `kneepoint`. */
export const EXIT = { done: 0, runFailed: 1, wrongUse: 2, refused: 3, broken: 4 } as const;

/** Wrong use: an invalid argument. */
export class UsageError extends Error {}

const REFUSED = new Set<Problem['code']>(['preflight-refused']);
const WRONG_USE = new Set<Problem['code']>([
  'bad-request',
  'not-found',
  'conflict',
  'experiment-invalid',
  'unsupported',
  'vault-locked',
  'secret-missing',
]);
const BROKEN = new Set<Problem['code']>([
  'internal',
  'disconnected',
  'version-mismatch',
  'store-busy',
  'store-corrupt',
  'store-newer',
  'disk-full',
  'read-only',
]);

/** Prints the error on standard error (with `json` also as `{"problem": …}` on standard output) and returns its exit code. */
export function exitCodeOf(error: unknown, json = false): number {
  const problem = problemFrom(error);
  printStatus(`kneepoint: ${describeProblem(problem)}`);
  if (json) printJson({ problem });
  if (REFUSED.has(problem.code)) return EXIT.refused;
  if (WRONG_USE.has(problem.code)) return EXIT.wrongUse;
  return BROKEN.has(problem.code) ? EXIT.broken : EXIT.runFailed;
}

function problemFrom(error: unknown): Problem {
  if (error instanceof UsageError) return { code: 'bad-request', message: error.message };
  if (error instanceof KneepointError) return error.problem;
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    code: 'internal',
    message: `Internal error: ${words}`,
    safe: 'Everything measured is stored in the library.',
  };
}

/** Parses an id. `what` names it in the error. */
export const idOf = (text: string, what = 'session number (list them with: kneepoint sessions)'): number => {
  const id = Number(text);
  if (!Number.isInteger(id) || id < 1) throw new UsageError(`“${text}” is not a ${what}.`);
  return id;
};
