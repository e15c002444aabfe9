import { shellQuote } from '../../../../../shared/util/shell-quote.ts';
import { addressToBeOwn, BEGIN, type Client, END, ROW, rowsOf, samplingScript, statementLine } from '../../on-host.ts';
import { numbersFrom, type ServerConfig } from '../../server-facts.ts';
import type { HostSampling, ServerSample } from '../../target.ts';
import type { PostgresConnection } from '../connection.ts';
import { isPooled } from '../managed-pooler.ts';
import { POSTGRES_PARTS } from './parts.ts';
import { BEFORE_STATEMENT, partsOf } from './sample.ts';

const PART = 'kneepoint-part ';
const MODES = { disabled: 'disable', preferred: 'prefer', required: 'require' } as const;
/** Undefined behind a pooler, whose console would have to be queried as well, and if a CA of this computer has to be checked. */
async function clientOf(
  connection: PostgresConnection,
  config: ServerConfig,
  secret: string | undefined,
): Promise<{ client: Client; login: string; files: HostSampling['files'] } | undefined> {
  const { tls, socket, address, port, user, database, allowCleartextPassword } = config;
  if (tls === 'verify' || /[\n\r\0]/.test(secret ?? '') || (await isPooled(connection))) return undefined;
  const variables = {
    PGPASSFILE: '"$dir/pgpass"',
    PGHOST: shellQuote(socket === '' ? address : socket.replace(/\/\.s\.PGSQL\.\d+$/, '')),
    PGPORT: shellQuote(/\.s\.PGSQL\.(\d+)$/.exec(socket)?.[1] ?? String(port)),
    PGUSER: shellQuote(user),
    PGDATABASE: shellQuote(database),
    PGSSLMODE: MODES[tls],
    PGAPPNAME: 'kneepoint',
    // Known to libpq since 16; older versions send the password in any form requested.
    ...(tls !== 'required' && !allowCleartextPassword && { PGREQUIREAUTH: "'!password'" }),
  };
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const password = (secret ?? '').replace(/[\\:]/g, '\\$&');
  return {
    client: { programs: ['psql'], own: addressToBeOwn(config) },
    login: environment.join(' '),
    files: [{ name: 'pgpass', content: `*:*:*:*:${password}\n`, mode: 0o600, secret: true }],
  };
}

const PSQL = '"$client" --no-psqlrc --quiet --no-password --no-align --pset=footer=off';

const questionOf = (lines: readonly string[]): HostSampling['files'][number] => ({
  name: 'question',
  content: [...lines, ''].join('\n'),
  mode: 0o600,
  secret: false,
});

export async function postgresOnHost(
  connection: PostgresConnection,
  config: ServerConfig,
  secret: string | undefined,
): Promise<HostSampling | undefined> {
  const known = await clientOf(connection, config, secret);
  if (!known) return undefined;
  const { parts } = await partsOf(connection);
  const asked = parts.map(({ name, sql }) => `\\echo ${PART}${name}\n${sql};`);
  return {
    script: samplingScript(known.client, `${known.login} ${PSQL} --field-separator="$(printf '\\t')"`),
    // The last one is a query, since its output is flushed immediately.
    files: [...known.files, questionOf([`\\echo ${BEGIN}`, ...asked, `SELECT 1 AS "${END}";`])],
  };
}

/** Separates columns, and precedes each row but the first: values may contain line breaks and tabs. */
const COLUMN = '\x1f';
const BEFORE_ROW = '\x1d';

/** Each statement is sent as hex digits, which the server decodes and returns. psql then sends it as it is, without interpreting its content. */
export async function postgresStatementsOnHost(
  connection: PostgresConnection,
  config: ServerConfig,
  secret: string | undefined,
  statements: readonly string[],
): Promise<HostSampling | undefined> {
  const known = await clientOf(connection, config, secret);
  if (!known) return undefined;
  const question = statements.flatMap((statement, place) => [
    `\\echo ${BEGIN}`,
    `\\echo ${place}`,
    ...BEFORE_STATEMENT.map((before) => `${before};`),
    `SELECT pg_catalog.convert_from(pg_catalog.decode('${Buffer.from(statement).toString('hex')}', 'hex'), 'UTF8') \\gexec`,
    'COMMIT;',
    `SELECT 1 AS "${END}";`,
  ]);
  const shape = `--field-separator="$(printf '\\037')" --record-separator="$(printf '\\n\\035')"`;
  return {
    script: samplingScript(known.client, `PGCLIENTENCODING=UTF8 ${known.login} ${PSQL} ${shape}`),
    files: [...known.files, questionOf(question)],
  };
}

export const postgresStatementLines = statementLine({
  row: ROW + BEFORE_ROW,
  column: COLUMN,
  value: (word) => word.replaceAll(ROW, '\n'),
});

export function postgresHostLines(
  known: readonly string[] = [],
): (line: string) => ServerSample['metrics'] | undefined {
  const readers = new Map(POSTGRES_PARTS.map((part) => [part.name, part.read(known)]));
  return (line) => {
    const answers: { name: string; rows: string[][] }[] = [];
    for (const row of rowsOf(line)) {
      if (row[0]?.startsWith(PART)) answers.push({ name: row[0].slice(PART.length), rows: [] });
      else answers.at(-1)?.rows.push(row);
    }
    const found = answers.flatMap(({ name, rows: [columns = [], ...rows] }) => {
      // An empty string is NULL.
      const values = rows.map((row) => row.map((word) => (word === '' ? null : word)));
      return readers.get(name)?.(values, columns) ?? [];
    });
    return found.length === 0 ? undefined : numbersFrom(found);
  };
}
