import type { KneepointError } from '../../../../shared/model/problem.ts';
import { PasswordKept } from '../../../../shared/util/password-guard.ts';
import {
  answerProblem,
  brokenProblem,
  busyProblem,
  codeOf,
  databaseMissing,
  loginRefused,
  NO_TLS,
  networkProblem,
  noTlsProblem,
  passwordProblem,
  unreachableProblem,
  type Whereto,
  wordsOf,
} from '../failure.ts';
import type { ServerConfig } from '../server-facts.ts';

const offersNoTls = (error: unknown): boolean =>
  error instanceof Error && error.message === 'The server does not support SSL connections';

/** TLS was wanted but the server has none: the only case in which `preferred` may continue without it. */
export const whyNoTls = (error: unknown): string | undefined => (offersNoTls(error) ? NO_TLS : undefined);

/** Every SQLSTATE has five characters and a digit, unlike `EPIPE`. */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Errors of a connection (08), its login (28), too many of them, and those that close it: shutdown, start and time limits of idle sessions. */
const NO_CONNECTION = /^(?:08|28|53300|57P|25P03|25P04)/;

/** Whether the server rejected a statement. Its connection is intact then. */
export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return SQLSTATE.test(code) && !NO_CONNECTION.test(code);
}

/** Whether PgBouncer rejected a statement or access to its console. It uses the code of protocol violations for most of its errors. */
export function isPoolerRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return SQLSTATE.test(code) && !/^(?:53300|57P)/.test(code);
}

/** Whether the account may not use the console of PgBouncer. Any other pooler reports an unknown database. */
export const isConsoleDenied = (error: unknown): boolean =>
  codeOf(error) === '08P01' && wordsOf(error) === 'not allowed';

/** A query that was cancelled, for example by a time limit of the account, may succeed the next time. */
export const isCancelled = (error: unknown): boolean => codeOf(error) === '57014';

const LOGIN = /^SASL|^password authentication failed|password must be a string/;
const BROKEN = /^(Connection terminated|terminating connection)|not queryable/;

/** Converts errors of pg to problems, by SQLSTATE (PostgreSQL manual, appendix A). */
export function postgresProblem(
  error: unknown,
  where: Whereto,
  config: Pick<ServerConfig, 'user' | 'database' | 'tls'>,
): KneepointError {
  const code = codeOf(error);
  const words = wordsOf(error);
  const { place } = where;
  if (error instanceof PasswordKept) return passwordProblem(error, where, config);
  if (offersNoTls(error)) return noTlsProblem(error, where, 'Turn ssl on in the server');
  // A pooler uses the server's words with its own code.
  if (code === '3D000' || /^database ".*" does not exist$/.test(words)) {
    return databaseMissing(error, where, config.database);
  }
  if (code.startsWith('28') || code === '42501' || LOGIN.test(words)) {
    const next = 'Check user and password, and the lines of pg_hba.conf for this address.';
    return loginRefused(error, where, config.user, next);
  }
  if (code === '53300' || /^no more connections allowed/.test(words))
    return busyProblem(error, where, 'max_connections');
  if (code === '57P03') {
    return unreachableProblem(
      error,
      `The server at ${place} is not ready for connections: ${words}.`,
      'Wait until it has started, then test again.',
    );
  }
  if (code.startsWith('57P') || BROKEN.test(words)) return brokenProblem(error, where);
  return networkProblem(error, where) ?? answerProblem(error, where);
}
