import type { KneepointError } from '../../../../shared/model/problem.ts';
import { codeOf, networkProblem, problem, type Whereto, wordsOf } from '../failure.ts';

/** Server without TLS while TLS was asked for: the one case in which `preferred` may go on without. */
export const offersNoTls = (error: unknown): boolean =>
  error instanceof Error && error.message === 'The server does not support SSL connections';

/** Errors of pg as Problems, by SQLSTATE (PostgreSQL manual, appendix A). */
export function postgresProblem(
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
      'Switch ssl on in the server, or choose "preferred" or "disabled" on purpose.',
      error,
    );
  }
  if (code === '3D000') {
    return problem(
      'database-missing',
      `The server at ${place} has no database ${config.database}: ${words}.`,
      'Create it (CREATE DATABASE) or correct the name.',
      error,
    );
  }
  if (code.startsWith('28') || code === '42501' || /^SASL|password must be a string/.test(words)) {
    return problem(
      'target-auth-failed',
      `The server at ${place} refused the login of ${config.user}: ${words}.`,
      'Check user and password, and the lines of pg_hba.conf for this address.',
      error,
    );
  }
  if (code === '53300') {
    return problem(
      'target-unreachable',
      `The server at ${place} takes no more connections: ${words}.`,
      'Close other connections or raise max_connections.',
      error,
    );
  }
  if (code === '57P03') {
    return problem(
      'target-unreachable',
      `The server at ${place} is not ready for connections: ${words}.`,
      'Wait until it has started, then test again.',
      error,
    );
  }
  const broken = code.startsWith('57P') || /^(Connection terminated|terminating connection)|not queryable/.test(words);
  if (broken) {
    return problem(
      'target-unreachable',
      `The connection to ${where.server} at ${place} broke off: ${words}.`,
      'Look at the server log: it may have stopped or restarted.',
      error,
    );
  }
  return (
    networkProblem(error, where) ??
    problem(
      'target-unreachable',
      `The server at ${place} answered with an error: ${words}.`,
      'Look at the server log.',
      error,
    )
  );
}
