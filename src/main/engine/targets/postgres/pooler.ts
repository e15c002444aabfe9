import type { TargetDescription } from '../../../../shared/model/target.ts';
import { codeOf, wordsOf } from '../failure.ts';
import { settingsFrom, type Wanted } from '../server-facts.ts';
import type { PostgresConnection } from './connection.ts';

/** Name under which PgBouncer answers questions about itself. */
export const CONSOLE = 'pgbouncer';

const WANTED: readonly Wanted[] = [
  { name: 'pool_mode', why: 'transaction and statement share a server connection between clients; session does not.' },
  { name: 'default_pool_size', why: 'Server connections per user and database: more clients than this wait.' },
  { name: 'min_pool_size', why: 'Server connections kept ready.' },
  { name: 'reserve_pool_size', why: 'Further server connections for clients that wait too long.' },
  { name: 'max_client_conn', why: 'More clients than this cannot connect.' },
  { name: 'max_db_connections', why: 'Most server connections per database; 0 = no limit.' },
  { name: 'max_prepared_statements', why: '0: prepared statements do not work in transaction pooling.' },
  { name: 'server_reset_query', why: 'Run between two clients of a connection in session pooling.' },
  { name: 'so_reuseport', why: 'Lets several processes share a port: one process uses one processor.' },
];

/**
 * Whether the process that answers us is another one than the server's: a pooler gives its clients a number of its own in
 * place of the server's process id.
 */
export async function isPooled(connection: PostgresConnection): Promise<boolean> {
  const { rows } = await connection.query('SELECT pg_backend_pid()');
  return Number(rows[0]?.[0]) !== connection.processId;
}

/** What the pooler says of itself. `connectTo` opens a second connection, to the given database. */
export async function describePooler(
  connectTo: (database: string) => Promise<PostgresConnection>,
): Promise<TargetDescription['middleware']> {
  let console: PostgresConnection;
  try {
    console = await connectTo(CONSOLE);
  } catch (error) {
    // PgBouncer refuses its console in these words; any other pooler knows no such database.
    const isPgBouncer = codeOf(error) === '08P01' && wordsOf(error) === 'not allowed';
    return {
      product: isPgBouncer ? 'PgBouncer' : 'a pooler',
      settings: [],
      note: isPgBouncer
        ? 'Its version and settings are told to users in its admin_users or stats_users.'
        : `It does not report its kind: ${wordsOf(error)}.`,
    };
  }
  try {
    const version = String((await console.query('SHOW VERSION')).rows[0]?.[0]);
    const [, product = 'a pooler', number = version] = /^(PgBouncer) (\S+)/.exec(version) ?? [];
    const { rows } = await console.query('SHOW CONFIG');
    const config = new Map(rows.map(([name, value]) => [String(name), String(value ?? '')]));
    return { product, version: number, settings: settingsFrom(config, WANTED) };
  } finally {
    await console.close();
  }
}
