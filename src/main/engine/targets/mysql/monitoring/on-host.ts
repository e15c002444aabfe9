import { shellQuote } from '../../../../../shared/util/shell-quote.ts';
import {
  addressToBeOwn,
  BEGIN,
  type Client,
  clientScript,
  END,
  framed,
  READ_QUESTION,
  ROW,
  rowsOf,
  samplingScript,
  wholeOf,
} from '../../on-host.ts';
import { comingAndGoing, figuresOf } from '../../sampling.ts';
import type { ServerConfig } from '../../server-facts.ts';
import type { HostSampling, ServerSample, StatementAnswer } from '../../target.ts';
import { type MySqlConnection, mysqlLimit } from '../connection.ts';
import { detailsOf, readRows, STATES } from './sample.ts';

/** Quotes a value for an option file: in quotes, backslashes doubled. */
const quoted = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** The clients of MariaDB and MySQL have different TLS options; `loose` makes each ignore the other's. MySQL's client defaults to `preferred`. */
const TLS = {
  disabled: ['loose-ssl-mode=DISABLED', 'loose-skip-ssl'],
  preferred: ['loose-skip-ssl-verify-server-cert'],
};

/** Where no one can intercept the connection, the server's own key is sufficient to encrypt the password. */
const KEY = 'loose-get-server-public-key';

/** Undefined if TLS is mandatory: clients differ in whether they enforce it, and the CA file is on this computer. */
function clientOf(
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

const filesOf = (options: readonly string[], question: string): HostSampling['files'] => [
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

const fieldOf = (name: string): string => `<field name="${name}">`;
const isFieldOf = (name: string): string => `index($0, "${fieldOf(name).replaceAll('"', '\\"')}")`;
/** Column names distinguish marks from results. */
const MARKS = { begin: isFieldOf(BEGIN), end: isFieldOf(END), first: `$0 "${'\\036'}"` };

/**
 * A client that continues after errors also continues without a connection, and never reconnects. It then gets no more questions, and ends. One line
 * of each of its errors is passed on.
 */
const asked = (command: string): string => `rm -f "$dir/lost"
  while [ ! -e "$dir/lost" ] && printf '%s\\n' "$question"; do sleep 1; done | {
    { ${command} 2>&1 >&3 3>&-; } | $awk -v lost="$dir/lost" '
      /^ERROR/ && !/\\(kneepoint\\)/ && !gone { print; fflush() }
      /^ERROR (2006|2013|2055|4031) / { gone = 1; print >lost; close(lost) }' >&2 3>&-
  } 3>&1`;

/**
 * Each statement is sent as hex digits and prepared by the server, so the client does not interpret its quotes, delimiters or commands. The output is
 * XML: a column without a name is named like the lines of its expression, and the client would print these unchanged.
 */
export async function mysqlStatementsOnHost(
  connection: MySqlConnection,
  config: ServerConfig,
  secret: string | undefined,
  statements: readonly string[],
): Promise<HostSampling | undefined> {
  const [[version] = []] = await connection.query('SELECT VERSION()');
  const known = clientOf(config, secret, /mariadb/i.test(String(version)));
  if (!known) return undefined;
  const limit = await mysqlLimit(connection);
  const options = [...known.options, '[mysql]', 'default-character-set=utf8mb4'];
  const question = statements.flatMap((statement, place) => [
    `SELECT ${place} AS '${BEGIN}';`,
    `SET @kneepoint = CONVERT(X'${Buffer.from(statement).toString('hex')}' USING utf8mb4);`,
    'PREPARE kneepoint FROM @kneepoint;',
    'EXECUTE kneepoint;',
    `SELECT 1 AS '${END}';`,
  ]);
  return {
    script: framed(clientScript(known.client, asked(`${known.command} --xml --force`), READ_QUESTION), MARKS),
    files: filesOf(limit === undefined ? options : [...options, `init-command=${quoted(limit)}`], question.join('\n')),
  };
}

export function mysqlStatementLines(line: string): StatementAnswer | undefined {
  const [mark = '', ...lines] = wholeOf(line).split(ROW);
  const [, place] = /">(\d+)<\/field>$/.exec(mark) ?? [];
  if (place === undefined) return undefined;
  const [, answer] = /<resultset statement="EXECUTE[^>]*>(.*?)<\/resultset>/s.exec(lines.join('\n')) ?? [];
  return { statement: Number(place), figures: answer === undefined ? undefined : figuresOf(tableIn(answer)) };
}

function tableIn(answer: string): Parameters<typeof figuresOf>[0] {
  const rows = answer.split('</row>').map((row) =>
    [...row.matchAll(/<field name="([^"]*)"(?: xsi:nil="true" \/>|>([^<]*)<\/field>)/g)].map(
      ([, name = '', value]) => ({
        name: plain(name),
        value: value === undefined ? null : plain(value),
      }),
    ),
  );
  return {
    columns: rows[0]?.map(({ name }) => name) ?? [],
    rows: rows.filter((row) => row.length > 0).map((row) => row.map(({ value }) => value)),
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const plain = (text: string): string => text.replaceAll(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all);
