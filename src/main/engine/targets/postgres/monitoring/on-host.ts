import { addressToBeOwn, BEGIN, END, rowsOf, samplingScript } from '../../on-host.ts';
import { numbersFrom, type ServerConfig } from '../../server-facts.ts';
import type { HostSampling, ServerSample } from '../../target.ts';
import type { PostgresConnection } from '../connection.ts';
import { isPooled } from '../pooler.ts';
import { POSTGRES_PARTS } from './parts.ts';
import { partsOf } from './sample.ts';

const PART = 'kneepoint-part ';
const MODES = { disabled: 'disable', preferred: 'prefer', required: 'require' } as const;
const shell = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Undefined behind a pooler, whose console would have to be asked as well, and where a CA of this computer has to be checked. */
export async function postgresOnHost(
  connection: PostgresConnection,
  config: ServerConfig,
  secret: string | undefined,
): Promise<HostSampling | undefined> {
  const { tls, socket, address, port, user, database, allowCleartextPassword } = config;
  if (tls === 'verify' || /[\n\r\0]/.test(secret ?? '') || (await isPooled(connection))) return undefined;
  const { parts } = await partsOf(connection);
  const asked = parts.map(({ name, sql }) => `\\echo ${PART}${name}\n${sql};`);
  const variables = {
    PGPASSFILE: '"$dir/pgpass"',
    PGHOST: shell(socket === '' ? address : socket.replace(/\/\.s\.PGSQL\.\d+$/, '')),
    PGPORT: shell(/\.s\.PGSQL\.(\d+)$/.exec(socket)?.[1] ?? String(port)),
    PGUSER: shell(user),
    PGDATABASE: shell(database),
    PGSSLMODE: MODES[tls],
    PGAPPNAME: 'kneepoint',
    // Known to libpq from 16 on; older ones answer whoever asks.
    ...(tls !== 'required' && !allowCleartextPassword && { PGREQUIREAUTH: "'!password'" }),
  };
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const password = (secret ?? '').replace(/[\\:]/g, '\\$&');
  return {
    script: samplingScript(
      { programs: ['psql'], own: addressToBeOwn(config) },
      `${environment.join(' ')} "$client" --no-psqlrc --quiet --no-password --no-align --field-separator="$(printf '\\t')" --pset=footer=off`,
    ),
    files: [
      { name: 'pgpass', content: `*:*:*:*:${password}\n`, mode: 0o600, secret: true },
      {
        name: 'question',
        // The last is a question, as its answer is written out at once.
        content: [`\\echo ${BEGIN}`, ...asked, `SELECT 1 AS "${END}";`, ''].join('\n'),
        mode: 0o600,
        secret: false,
      },
    ],
  };
}

export function postgresHostLines(): (line: string) => ServerSample['metrics'] | undefined {
  const readers = new Map(POSTGRES_PARTS.map((part) => [part.name, part.read()]));
  return (line) => {
    const answers: { name: string; rows: string[][] }[] = [];
    for (const row of rowsOf(line)) {
      if (row[0]?.startsWith(PART)) answers.push({ name: row[0].slice(PART.length), rows: [] });
      else answers.at(-1)?.rows.push(row);
    }
    const found = answers.flatMap(({ name, rows: [columns = [], ...rows] }) => {
      // An empty word is NULL.
      const values = rows.map((row) => row.map((word) => (word === '' ? null : word)));
      return readers.get(name)?.(values, columns) ?? [];
    });
    return found.length === 0 ? undefined : numbersFrom(found);
  };
}
