import { z } from 'zod';
import type { TargetDescription } from '../../../../shared/model/target.ts';
import { codeOf, type Whereto } from '../failure.ts';
import { COUNT_LIMIT } from '../link.ts';
import { numbersFrom, type ServerConfig, serverFacts, settingsFrom } from '../server-facts.ts';
import { defineTarget, type TargetSession } from '../target.ts';
import { serverFields } from '../wording.ts';
import { connectPostgres, type PostgresConnection } from './connection.ts';
import { postgresProblem } from './failure.ts';
import { POSTGRES_SETTINGS, postgresDurability } from './settings.ts';

/** Views of counters with one row for us; which of them exist depends on the version (wal from 14, checkpointer from 17). */
const COUNTER_VIEWS = ['pg_stat_database', 'pg_stat_bgwriter', 'pg_stat_checkpointer', 'pg_stat_wal'];

async function tlsWords(connection: PostgresConnection, config: ServerConfig, downgraded: boolean): Promise<string> {
  const { rows } = await connection.query('SELECT ssl, version, cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
  const [encrypted, version, cipher] = rows[0] ?? [];
  if (encrypted !== true) return downgraded ? 'none: the server offers no TLS' : 'none';
  return `${version}, ${cipher}, ${config.tls === 'verify' ? 'certificate checked' : 'certificate not checked'}`;
}

async function descriptionOf(
  connection: PostgresConnection,
  config: ServerConfig,
  downgraded: boolean,
): Promise<TargetDescription> {
  const wanted = [...POSTGRES_SETTINGS.map(({ name }) => name), 'server_version'];
  const { rows } = await connection.query(
    'SELECT name, current_setting(name) FROM pg_settings WHERE name = ANY($1::text[])',
    [wanted],
  );
  const settings = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  const facts = await connection.query('SELECT version(), pg_database_size(current_database())');
  const [version, size] = facts.rows[0] ?? [];
  const tls = await tlsWords(connection, config, downgraded);
  return {
    product: 'PostgreSQL',
    version: settings.get('server_version') ?? '',
    flavour: String(version),
    settings: [
      ...settingsFrom(settings, POSTGRES_SETTINGS),
      { name: 'tls', value: tls, why: 'Encryption of the connection costs processor time on both sides.' },
    ],
    tls,
    durability: postgresDurability(settings),
    dataBytes: Number(size),
    readAt: Date.now(),
  };
}

/** By view and column: `pg_stat_database.xact_commit`. */
async function counters(connection: PostgresConnection): Promise<Record<string, number>> {
  const known = await connection.query(
    'SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relname = ANY($2::text[])',
    ['pg_catalog', COUNTER_VIEWS],
  );
  const present = new Set(known.rows.map(([name]) => name));
  const found: [string, unknown][] = [];
  for (const view of COUNTER_VIEWS.filter((name) => present.has(name))) {
    const own = view === 'pg_stat_database' ? ' WHERE datname = current_database()' : '';
    const { columns, rows } = await connection.query(`SELECT * FROM ${view}${own}`);
    columns.forEach((column, index) => {
      found.push([`${view}.${column}`, rows[0]?.[index]]);
    });
  }
  return numbersFrom(found);
}

async function countRows(connection: PostgresConnection, table: string): Promise<number | undefined> {
  try {
    const { rows } = await connection.query(`SELECT count(*) FROM "${table.replaceAll('"', '""')}"`, [], COUNT_LIMIT);
    return Number(rows[0]?.[0]);
  } catch (error) {
    if (codeOf(error) === '42P01') return undefined;
    throw error;
  }
}

function sessionOf(
  connection: PostgresConnection,
  config: ServerConfig,
  where: Whereto,
  downgraded: boolean,
): TargetSession {
  const told = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      return await work();
    } catch (error) {
      throw postgresProblem(error, where, config);
    }
  };
  return {
    ping: () =>
      told(async () => {
        const start = performance.now();
        await connection.query('SELECT 1');
        return performance.now() - start;
      }),
    describe: () => told(() => descriptionOf(connection, config, downgraded)),
    counters: () => told(() => counters(connection)),
    countRows: (table) => told(() => countRows(connection, table)),
    close: () => connection.close(),
  };
}

/** PostgreSQL and what speaks its protocol. */
export const postgresTarget = defineTarget({
  kind: 'postgres',
  title: 'PostgreSQL',
  config: z.strictObject(serverFields(5432)),
  takesSecret: true,
  facts: (config, secret) => serverFacts('postgres', config, secret),
  open: async (config, secret, dial, signal) => {
    const where: Whereto = { server: 'the PostgreSQL server', address: config.address, port: config.port };
    try {
      const { connection, downgraded } = await connectPostgres(config, secret, dial, signal);
      return sessionOf(connection, config, where, downgraded);
    } catch (error) {
      throw postgresProblem(error, where, config);
    }
  },
});
