import type { KneepointError } from '../../../../shared/model/problem.ts';
import { codeOf, networkProblem, problem, type Whereto, wordsOf } from '../failure.ts';

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
  const place = `${where.address}:${where.port}`;
  if (offersNoTls(error)) {
    return problem(
      'target-unreachable',
      `The server at ${place} offers no TLS, and the target asks for it.`,
      'Switch TLS on in the server, or choose "preferred" or "disabled" on purpose.',
      error,
    );
  }
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
  if (BUSY.has(code)) {
    return problem(
      'target-unreachable',
      `The server at ${place} takes no more connections: ${words}.`,
      'Close other connections or raise max_connections.',
      error,
    );
  }
  if (code === 'ER_HOST_IS_BLOCKED') {
    return problem(
      'target-unreachable',
      `The server at ${place} has blocked this address after too many failed connections: ${words}.`,
      'Run FLUSH HOSTS on the server, then test again.',
      error,
    );
  }
  if (/connection is in closed state/.test(words)) {
    return problem(
      'target-unreachable',
      `The connection to ${where.server} at ${place} broke off.`,
      'Look at the server log: it may have stopped or restarted.',
      error,
    );
  }
  const network = code === 'HANDSHAKE_SSL_ERROR' ? tlsProblem(error, where) : networkProblem(error, where);
  return (
    network ??
    problem(
      'target-unreachable',
      `The server at ${place} answered with an error: ${words}.`,
      'Look at the server log.',
      error,
    )
  );
}

function tlsProblem(error: unknown, where: Whereto): KneepointError {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return problem(
    'target-unreachable',
    `The encrypted connection to ${where.server} at ${where.address}:${where.port} was not accepted: ${wordsOf(cause)}.`,
    'Name the CA file that signed the server certificate and the address it was made for, or choose a weaker TLS mode on purpose.',
    error,
  );
}
