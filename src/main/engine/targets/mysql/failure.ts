import type { KneepointError } from '../../../../shared/model/problem.ts';
import {
  answerProblem,
  brokenProblem,
  busyProblem,
  certificateProblem,
  codeOf,
  networkProblem,
  noTlsProblem,
  problem,
  type Whereto,
  wordsOf,
} from '../failure.ts';

const ACCESS = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
  'ER_HOST_NOT_PRIVILEGED',
  'ER_MUST_CHANGE_PASSWORD_LOGIN',
]);
const BUSY = new Set(['ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS', 'ER_USER_LIMIT_REACHED']);
/** The server asks for a kind of login that we do not do over this connection. */
const LOGIN = new Set(['AUTH_SWITCH_PLUGIN_ERROR', 'ER_NOT_SUPPORTED_AUTH_MODE']);
const CLEAR_PASSWORD = 'MYSQL_CLEAR_PASSWORD_NOT_ENABLED';

/** Server without TLS while TLS was asked for: the one case in which `preferred` may go on without. */
export const offersNoTls = (error: unknown): boolean => codeOf(error) === 'HANDSHAKE_NO_SSL_SUPPORT';

/** Errors of mysql2 as Problems. Numbers first: texts differ by version and language. */
export function mysqlProblem(
  error: unknown,
  where: Whereto,
  config: { user: string; database: string },
): KneepointError {
  const code = codeOf(error);
  const words = wordsOf(error);
  const { place } = where;
  if (offersNoTls(error)) return noTlsProblem(error, where, 'Switch TLS on in the server');
  if (code === 'ER_BAD_DB_ERROR' || code === 'ER_DBACCESS_DENIED_ERROR') {
    return problem(
      'database-missing',
      `The server at ${place} does not give ${config.user} the database ${config.database}: ${words}.`,
      `Create the database (CREATE DATABASE), grant the rights, or correct the name.`,
      error,
    );
  }
  if (ACCESS.has(code)) {
    return problem(
      'target-auth-failed',
      `The server at ${place} refused the login of ${config.user}: ${words}.`,
      'Check user and password, and that this user may connect from where the connection comes from.',
      error,
    );
  }
  if (LOGIN.has(code)) {
    return problem(
      'target-auth-failed',
      `The login of ${config.user} at ${place} did not work: ${words}.`,
      'Use TLS, or give the user a password of the kind mysql_native_password or caching_sha2_password.',
      error,
    );
  }
  if (code === CLEAR_PASSWORD) {
    return problem(
      'target-auth-failed',
      `The server at ${place} wants the password of ${config.user} in clear text. It was not sent.`,
      'Give the user another kind of password. A server that asks for this unexpectedly may not be the one you mean.',
      error,
    );
  }
  if (BUSY.has(code)) return busyProblem(error, where, 'max_connections');
  if (code === 'ER_HOST_IS_BLOCKED') {
    return problem(
      'target-unreachable',
      `The server at ${place} has blocked this address after too many failed connections: ${words}.`,
      'Run FLUSH HOSTS on the server, then test again.',
      error,
    );
  }
  if (/connection is in closed state/.test(words)) return brokenProblem(error, where);
  if (code === 'HANDSHAKE_SSL_ERROR') {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return certificateProblem(error, where, wordsOf(cause));
  }
  return networkProblem(error, where) ?? answerProblem(error, where);
}
