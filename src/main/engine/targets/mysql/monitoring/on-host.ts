import { shellQuote } from '../../../../../shared/util/shell-quote.ts';
import { addressToBeOwn, BEGIN, type Client, END, rowsOf, samplingScript } from '../../on-host.ts';
import { comingAndGoing } from '../../sampling.ts';
import type { ServerConfig } from '../../server-facts.ts';
import type { HostSampling, ServerSample } from '../../target.ts';
import type { MySqlConnection } from '../connection.ts';
import { detailsOf, readRows, STATES } from './sample.ts';

/** Quotes a value for an option file: in quotes, backslashes doubled. */
export const quoted = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** The clients of MariaDB and MySQL have different TLS options; `loose` makes each ignore the other's. MySQL's client defaults to `preferred`. */
const TLS = {
  disabled: ['loose-ssl-mode=DISABLED', 'loose-skip-ssl'],
  preferred: ['loose-skip-ssl-verify-server-cert'],
};

/** Where no one can intercept the connection, the server's own key is sufficient to encrypt the password. */
const KEY = 'loose-get-server-public-key';

/** Undefined if TLS is mandatory: clients differ in whether they enforce it, and the CA file is on this computer. */
export function clientOf(
  config: ServerConfig,
  secret: string | undefined,
  isMariaDb: boolean,
): { client: Client; options: string[]; command: string } | undefined {
  const { tls, socket, address, port, user, database } = config;
  if (tls !== 'disabled' && tls !== 'preferred') return undefined;
  if (/[\n\r\0]/.test(secret ?? '')) return undefined;
  const place =
    socket === '' ? [`host=${quoted(address)}`, `port=${port}`, 'protocol=tcp'] : [`socket=${quoted(socket)}`];
  return {
    client: { programs: isMariaDb ? ['mariadb', 'mysql'] : ['mysql', 'mariadb'], own: addressToBeOwn(config) },
    options: ['[client]', ...place, `user=${quoted(user)}`, `password=${quoted(secret ?? '')}`, ...TLS[tls], KEY],
    command: `"$client" --defaults-file="$dir/my.cnf" --batch --unbuffered --database=${shellQuote(database)}`,
  };
}

export async function mysqlOnHost(
  connection: MySqlConnection,
  config: ServerConfig,
  secret: string | undefined,
): Promise<HostSampling | undefined> {
  const { sql, isMariaDb } = await detailsOf(connection);
  const known = clientOf(config, secret, isMariaDb);
  if (!known) return undefined;
  const details = sql.length === 0 ? [] : [`${sql.join('\nUNION ALL ')};`];
  const question = [`SELECT '${BEGIN}';`, 'SHOW GLOBAL STATUS;', ...details, `SELECT '${END}';`].join('\n');
  return {
    script: samplingScript(known.client, `${known.command} --skip-column-names`),
    files: filesOf(known.options, question),
  };
}

export const filesOf = (options: readonly string[], question: string): HostSampling['files'] => [
  { name: 'my.cnf', content: `${options.join('\n')}\n`, mode: 0o600, secret: true },
  { name: 'question', content: `${question}\n`, mode: 0o600, secret: false },
];

export function mysqlHostLines(known: readonly string[] = []): (line: string) => ServerSample['metrics'] | undefined {
  const keepStates = comingAndGoing(STATES, 'sessions.', known);
  return (line) => {
    const rows = rowsOf(line).map(([name, value, time]) => [name, value, time === 'NULL' ? null : time]);
    const { metrics, states } = readRows(rows);
    // A status has hundreds of rows: a sample without Uptime is incomplete.
    if (metrics.Uptime === undefined) return undefined;
    return { ...metrics, ...Object.fromEntries(keepStates(states)) };
  };
}
