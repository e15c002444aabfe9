import type { MongoServerError } from 'mongodb';
import type { KneepointError } from '../../../../shared/model/problem.ts';
import {
  answerProblem,
  brokenProblem,
  loginRefused,
  networkProblem,
  rightMissing,
  type Whereto,
  wordsOf,
} from '../failure.ts';

/** Codes of the server (its error_codes.yml). */
export const CODES = { unauthorized: 13, authenticationFailed: 18, commandNotFound: 59, failedToParse: 9 } as const;

const isFromServer = (error: unknown): error is MongoServerError =>
  error instanceof Error && error.name === 'MongoServerError';

export const mongoCode = (error: unknown): number | undefined =>
  isFromServer(error) && typeof error.code === 'number' ? error.code : undefined;

/** Codes for a failed login, for a server that shuts down or changes its role, and with which a router reports a lost server. */
const NO_CONNECTION: readonly unknown[] = [CODES.authenticationFailed, 6, 7, 89, 91, 9001, 11600, 11602];

/** Whether the server rejected a command: it lacks it, or the account may not run it. */
export const isRefusal = (error: unknown): boolean => isFromServer(error) && !NO_CONNECTION.includes(error.code);

/** The cause inside the driver's own errors, which wrap network errors. */
function reasonOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && /^Mongo/.test((error as Error).name) ? reasonOf(cause) : error;
}

/** Converts errors of the driver to problems, by the server's codes. */
export function mongoProblem(error: unknown, where: Whereto, config: { user: string }): KneepointError {
  const code = mongoCode(error);
  const words = wordsOf(error);
  if (code === CODES.authenticationFailed || /^(Authentication failed|No matching|Unable to use)/i.test(words)) {
    const next = 'Check user, password and the database that the user belongs to (authSource).';
    return loginRefused(error, where, config.user, next);
  }
  if (code === CODES.unauthorized) {
    const next = 'Enter user and password, or grant the user the role clusterMonitor and read access to the database.';
    return rightMissing(error, where, config.user || 'clients without a login', next);
  }
  const reason = reasonOf(error);
  const network = networkProblem(reason, where);
  if (network) return network;
  if (/connection.* closed|Topology is closed/i.test(wordsOf(reason))) return brokenProblem(reason, where);
  return answerProblem(reason, where);
}
