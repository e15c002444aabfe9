import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { loginVariables, socketFolder } from '../../libpq.ts';

const given = (name: string, value: string | number | undefined): string[] =>
  value === undefined || value === '' ? [] : [`--${name}=${value}`];

/** A database named like an option or like a connection string would be taken for one. */
const databaseArgument = (name: string): string =>
  /^\w+$/.test(name) ? name : `dbname='${name.replace(/[\\']/g, '\\$&')}'`;

/** Where pgbench connects; the database is its last argument. */
export function connectionArguments(connection: ConnectionFacts): { before: string[]; database: string[] } {
  if (connection.kind !== 'postgres')
    throw new KneepointError({
      code: 'experiment-invalid',
      message: `pgbench needs a PostgreSQL target, not one of kind ${connection.kind}.`,
      safe: 'Nothing was started.',
      next: 'Choose a PostgreSQL target, or another tool.',
    });
  const { socket, host, port, user, database } = connection;
  return {
    before: [
      ...given('host', socket ? socketFolder(socket) : host),
      ...given('port', port),
      ...given('username', user),
    ],
    database: database ? [databaseArgument(database)] : [],
  };
}

/** Client libraries translate their messages, and the parser knows them in English. pgbench has no options for TLS. */
export const environment = (connection: ConnectionFacts): Record<string, string> => ({
  LC_ALL: 'C',
  ...loginVariables(connection),
});
