import { KneepointError } from '../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import type { Step } from '../tool.ts';

const given = (name: string, value: string | number | undefined): string[] =>
  value === undefined || value === '' ? [] : [`--${name}=${value}`];

/** `…/.s.PGSQL.5432` → its folder: libpq wants the folder as host. */
const socketFolder = (path: string): string => path.replace(/\/\.s\.PGSQL\.\d+$/, '');

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
export function environment(connection: ConnectionFacts): Record<string, string> {
  const modes = { disabled: 'disable', preferred: 'prefer', required: 'require', verify: 'verify-full' } as const;
  return {
    LC_ALL: 'C',
    ...(connection.tls ? { PGSSLMODE: modes[connection.tls] } : {}),
    ...(connection.tls && connection.caFile ? { PGSSLROOTCERT: connection.caFile } : {}),
  };
}

/** Reads the password from a file into a variable of the tool alone; the trailing x keeps newlines that `$()` would drop. */
const FROM_FILE = `PGPASSWORD=$(cat -- "$1" && echo x) && PGPASSWORD=\${PGPASSWORD%?x} && export PGPASSWORD && shift && exec "$@"`;

const secretFile = (name: string, content: string) => ({ name, content, mode: 0o600, secret: true });

/** `ps` shows argv to every user of the host, so the password goes through a file that only its owner can read. */
export function deliverPassword(connection: ConnectionFacts): { files: Step['files']; before: readonly string[] } {
  const { password } = connection;
  if (!password) return { files: [], before: [] };
  // A password file is read line by line.
  if (/[\n\r\0]/.test(password))
    return {
      files: [secretFile('password', `${password}\n`)],
      before: ['sh', '-c', FROM_FILE, 'sh', '@password@'],
    };
  const escaped = password.replace(/[\\:]/g, '\\$&');
  return { files: [secretFile('pgpass', `*:*:*:*:${escaped}\n`)], before: ['env', 'PGPASSFILE=@pgpass@'] };
}
