import type { KneepointError } from '../../../../shared/model/problem.ts';
import {
  busyProblem,
  databaseMissing,
  loginRefused,
  rightMissing,
  unreachableProblem,
  type Whereto,
  wordsOf,
} from '../failure.ts';
import { mysqlProblem } from '../mysql/failure.ts';
import type { ServerConfig } from '../server-facts.ts';

/** ClickHouse's own error numbers (ErrorCodes.cpp), which never change. */
export const CODES = {
  unknownTable: 60,
  syntaxError: 62,
  unknownDatabase: 81,
  unknownUser: 192,
  wrongPassword: 193,
  requiredPassword: 194,
  addressNotAllowed: 195,
  tooManyQueries: 202,
  accessDenied: 497,
  authenticationFailed: 516,
} as const;

const LOGIN: readonly number[] = [
  CODES.unknownUser,
  CODES.wrongPassword,
  CODES.requiredPassword,
  CODES.addressNotAllowed,
  CODES.authenticationFailed,
];

/** The server's number of an error. MySQL's driver mistakes it for one of MySQL's, so the driver's name for it is meaningless. */
export const clickhouseCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number' && 'sqlState' in error
    ? error.errno
    : undefined;

/** Whether the server rejected a statement. Errors of the connection have no number of the server. */
export const isRefusal = (error: unknown): boolean => clickhouseCode(error) !== undefined;

/** Error of MySQL and MariaDB, which have no `system` database. */
const SYSTEM_MISSING = /^(?!.*DB::Exception).*['`]system['`.]/;

/** Converts ClickHouse errors to problems, by number. Errors of the connection itself are handled as MySQL's. */
export function clickhouseProblem(
  error: unknown,
  where: Whereto,
  config: Pick<ServerConfig, 'user' | 'database' | 'tls'>,
): KneepointError {
  const code = clickhouseCode(error) ?? 0;
  const words = wordsOf(error);
  const { place } = where;
  if (code === CODES.unknownDatabase) {
    return databaseMissing(error, where, config.database);
  }
  if (LOGIN.includes(code)) {
    const next = 'Check user and password, and that the user may connect from this address.';
    return loginRefused(error, where, config.user, next);
  }
  if (code === CODES.accessDenied) {
    const next = 'Grant the privileges named in the message, for example GRANT SELECT ON system.* TO the user.';
    return rightMissing(error, where, config.user, next);
  }
  if (code === CODES.tooManyQueries) return busyProblem(error, where, 'max_concurrent_queries');
  if (SYSTEM_MISSING.test(words)) {
    return unreachableProblem(
      error,
      `The server at ${place} is not ClickHouse: it has no system tables (${words}).`,
      'Enter the port of ClickHouse’s MySQL interface (mysql_port, usually 9004), or choose the kind MySQL for this target.',
    );
  }
  return mysqlProblem(error, where, config);
}
