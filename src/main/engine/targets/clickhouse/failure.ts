import type { KneepointError } from '../../../../shared/model/problem.ts';
import { busyProblem, problem, type Whereto, wordsOf } from '../failure.ts';
import { mysqlProblem } from '../mysql/failure.ts';
import type { ServerConfig } from '../server-facts.ts';

/** Numbers of ClickHouse's own errors (ErrorCodes.cpp), which never change. */
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

/** The server's number of an error. MySQL's driver takes it for one of MySQL's own, so its name of it means nothing. */
export const clickhouseCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number' && 'sqlState' in error
    ? error.errno
    : undefined;

/** MySQL and MariaDB have no database `system`. */
const SYSTEM_MISSING = /^(?!.*DB::Exception).*['`]system['`.]/;

/** Errors of ClickHouse as Problems, by its numbers; what the connection itself says is MySQL's. */
export function clickhouseProblem(
  error: unknown,
  where: Whereto,
  config: Pick<ServerConfig, 'user' | 'database' | 'tls'>,
): KneepointError {
  const code = clickhouseCode(error) ?? 0;
  const words = wordsOf(error);
  const { place } = where;
  if (code === CODES.unknownDatabase) {
    return problem(
      'database-missing',
      `The server at ${place} has no database ${config.database}: ${words}.`,
      'Create the database (CREATE DATABASE), or correct the name.',
      error,
    );
  }
  if (LOGIN.includes(code)) {
    return problem(
      'target-auth-failed',
      `The server at ${place} refused the login of ${config.user}: ${words}.`,
      'Check user and password, and that the user may connect from this address.',
      error,
    );
  }
  if (code === CODES.accessDenied) {
    return problem(
      'target-auth-failed',
      `The server at ${place} does not let ${config.user} ask this: ${words}.`,
      'Grant the user what the message names, for example GRANT SELECT ON system.* TO the user.',
      error,
    );
  }
  if (code === CODES.tooManyQueries) return busyProblem(error, where, 'max_concurrent_queries');
  if (SYSTEM_MISSING.test(words)) {
    return problem(
      'target-unreachable',
      `The server at ${place} is not ClickHouse: it has no system tables (${words}).`,
      'Name the port that ClickHouse gives to MySQL’s protocol (mysql_port, usually 9004), or choose the kind MySQL for this target.',
      error,
    );
  }
  return mysqlProblem(error, where, config);
}
