import type { KneepointError } from '../../../../shared/model/problem.ts';
import { PasswordKept } from '../../../../shared/util/password-guard.ts';
import {
  answerProblem,
  brokenProblem,
  busyProblem,
  certificateProblem,
  codeOf,
  loginRefused,
  NO_TLS,
  networkProblem,
  noTlsProblem,
  passwordProblem,
  problem,
  unreachableProblem,
  type Whereto,
  wordsOf,
} from '../failure.ts';
import type { ServerConfig } from '../server-facts.ts';

/**
 * Numbers of errors that a server, or a proxy for a lost server, sends before it closes the connection, in addition to SQL states of class 08: client
 * library numbers for lost connections, too many connections, a killed connection and the time limit of idle sessions.
 */
const NO_CONNECTION: readonly unknown[] = [1203, 1927, 2002, 2003, 2006, 2013, 2055, 3169, 4031];

/** Whether the server rejected a statement. Only errors that it sent have an SQL state. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  'sqlState' in error &&
  !String(error.sqlState).startsWith('08') &&
  !('errno' in error && NO_CONNECTION.includes(error.errno));

const ACCESS = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
  'ER_HOST_NOT_PRIVILEGED',
  'ER_MUST_CHANGE_PASSWORD_LOGIN',
]);
const BUSY = new Set(['ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS', 'ER_USER_LIMIT_REACHED']);
/** The server requests a login method that is not used over this connection. */
const LOGIN = new Set(['AUTH_SWITCH_PLUGIN_ERROR', 'ER_NOT_SUPPORTED_AUTH_MODE']);

const offersNoTls = (error: unknown): boolean => codeOf(error) === 'HANDSHAKE_NO_SSL_SUPPORT';

/** A handshake that failed before any certificate check: no common version or cipher, or the server was interrupted. */
const TLS_DIFFERS = /^(?!.*certificate).*(SSL routines|EPIPE|ECONNRESET)/i;
const failedTls = (error: unknown): boolean => codeOf(error) === 'HANDSHAKE_SSL_ERROR';

/** OpenSSL's errors include a short reason in addition to the long text. */
const tlsWords = (error: unknown): string =>
  error instanceof Error && 'reason' in error && typeof error.reason === 'string' ? error.reason : wordsOf(error);

/**
 * The reason why requested TLS is not available, if `preferred` may continue without it. That mode checks no certificate, so a handshake that fails
 * can never work: MySQL 5.6 and many builds of 5.7 only support TLS 1.0 and 1.1.
 */
export function whyNoTls(error: unknown): string | undefined {
  if (offersNoTls(error)) return NO_TLS;
  return failedTls(error) ? 'the server offers no TLS 1.2 or later' : undefined;
}

/** Converts errors of mysql2 to problems. Codes come first: texts differ by version and language. */
export function mysqlProblem(
  error: unknown,
  where: Whereto,
  config: Pick<ServerConfig, 'user' | 'database' | 'tls'>,
): KneepointError {
  const code = codeOf(error);
  const words = wordsOf(error);
  const { place } = where;
  if (error instanceof PasswordKept) return passwordProblem(error, where, config);
  if (/DB::Exception/.test(words)) {
    return unreachableProblem(
      error,
      `The server at ${place} is ClickHouse, but the target is set to MySQL: ${words}.`,
      'Add it as a target of kind ClickHouse.',
    );
  }
  if (offersNoTls(error)) return noTlsProblem(error, where, 'Turn TLS on in the server');
  if (code === 'ER_BAD_DB_ERROR' || code === 'ER_DBACCESS_DENIED_ERROR') {
    return problem(
      'database-missing',
      `The server at ${place} denies ${config.user} access to the database ${config.database}: ${words}.`,
      `Create the database (CREATE DATABASE), grant the rights, or correct the name.`,
      error,
    );
  }
  if (ACCESS.has(code)) {
    const next = 'Check user and password, and that this user may connect from this address.';
    return loginRefused(error, where, config.user, next);
  }
  if (LOGIN.has(code)) {
    const kind = /unknown plugin (\w+)/.exec(words)?.[1];
    return problem(
      'target-auth-failed',
      kind === undefined
        ? `The login of ${config.user} at ${place} failed: ${words}.`
        : `The server at ${place} requires ${config.user} to log in with ${kind}, which Kneepoint does not support.`,
      'Use TLS, or change the user to caching_sha2_password or, before MySQL 9, mysql_native_password.',
      error,
    );
  }
  if (code === 'ER_SECURE_TRANSPORT_REQUIRED') {
    return unreachableProblem(
      error,
      `The server at ${place} accepts encrypted connections only: ${words}.`,
      'Choose a TLS mode other than “disabled” for the target.',
    );
  }
  if (BUSY.has(code)) return busyProblem(error, where, 'max_connections');
  if (code === 'ER_HOST_IS_BLOCKED') {
    return unreachableProblem(
      error,
      `The server at ${place} has blocked this address after too many failed connections: ${words}.`,
      'Run mysqladmin flush-hosts on the server, then test again.',
    );
  }
  if (/connection is in closed state/.test(words)) return brokenProblem(error, where);
  if (failedTls(error)) {
    if (!TLS_DIFFERS.test(words)) return certificateProblem(error, where, words);
    return unreachableProblem(
      error,
      `The server at ${place} offers no TLS 1.2 or later, but the target requires it: ${tlsWords(error)}.`,
      'MySQL 5.6 and many builds of 5.7 have TLS 1.0 and 1.1 only. Update the server, or deliberately choose “preferred” or “disabled”: either connects without encryption.',
    );
  }
  return networkProblem(error, where) ?? answerProblem(error, where);
}
