import { z } from 'zod';
import type { TargetDescription } from '../../../../shared/model/target.ts';
import type { LiveSession } from '../../../../shared/model/target-details.ts';
import { durabilityOfStored } from '../durability.ts';
import { tlsWords, whereto } from '../failure.ts';
import { STATEMENT_LIMIT } from '../link.ts';
import { type Connected, defineServer } from '../server.ts';
import {
  numbersFrom,
  passwordSetting,
  present,
  SESSIONS_LISTED,
  type ServerConfig,
  serverFacts,
  settingsFrom,
  sizeBytes,
  statementOf,
  tlsSetting,
} from '../server-facts.ts';
import { serverFields } from '../wording.ts';
import { POSTGRES_CAPTURES } from './captures.ts';
import { connectPostgres, type PostgresConnection } from './connection.ts';
import { countPostgresRows, firstPostgresRows, postgresSizes, postgresStorage, postgresStored } from './data.ts';
import { isRefusal, postgresProblem } from './failure.ts';
import { configurationFile, managedPostgres } from './managed.ts';
import { describePooler, isPooled } from './managed-pooler.ts';
import {
  postgresHostLines,
  postgresOnHost,
  postgresStatementLines,
  postgresStatementsOnHost,
} from './monitoring/on-host.ts';
import { POSTGRES_SERIES } from './monitoring/rules.ts';
import { postgresSampler, postgresTable } from './monitoring/sample.ts';
import { POSTGRES_SETTINGS, postgresDurability, postgresVariables } from './settings.ts';
import { POSTGRES_REFERENCE, postgresControl } from './varying/index.ts';

/** Bytes of a page in nearly all builds of the server. */
const PAGE = 8192;

async function describe(connected: Connected<PostgresConnection>, config: ServerConfig): Promise<TargetDescription> {
  const { connection } = connected;
  const wanted = [...POSTGRES_SETTINGS.map(({ name }) => name), 'server_version', 'ssl_library'];
  const { rows } = await connection.query(
    'SELECT name, current_setting(name) FROM pg_settings WHERE name = ANY($1::text[])',
    [wanted],
  );
  const settings = new Map(rows.map(([name, value]) => [String(name), String(value)]));
  const facts = await connection.query('SELECT version(), pg_database_size(current_database())');
  const [version, size] = facts.rows[0] ?? [];
  const { encryption } = connection;
  const tls = tlsWords(
    encryption ? [encryption] : [],
    config,
    config.socket === '' ? connected.downgraded : 'PostgreSQL has no TLS on sockets',
  );
  const durability = postgresDurability(settings);
  const storage = await postgresStorage(connection, durability);
  const middleware = (await isPooled(connection)) ? await describePooler(connection.another) : undefined;
  return {
    product: 'PostgreSQL',
    version: settings.get('server_version') ?? '',
    flavour: String(version),
    settings: [...settingsFrom(settings, POSTGRES_SETTINGS), tlsSetting(tls), ...passwordSetting(config)],
    tls,
    encrypted: Boolean(encryption),
    // Name only: no statement reports the version.
    ...(settings.get('ssl_library') && { tlsLibrary: settings.get('ssl_library') }),
    durability: durabilityOfStored(storage, durability),
    storage,
    dataBytes: Number(size),
    ...(middleware ? { middleware } : {}),
    readAt: Date.now(),
  };
}

/** Identifies the cluster; a copy of its files and a standby share it. */
async function identity(connection: PostgresConnection): Promise<Record<string, string>> {
  try {
    const { rows } = await connection.query('SELECT system_identifier::text FROM pg_control_system()');
    const systemId = rows[0]?.[0];
    return systemId ? { 'system identifier': String(systemId) } : {};
  } catch (error) {
    // Compatible servers have none, and an account may lack the right to read it.
    if (isRefusal(error)) return {};
    throw error;
  }
}

/**
 * Clients of the server, longest in their state first. Without pg_read_all_stats, other accounts' clients only show their user, not even their kind.
 */
async function postgresSessions(connection: PostgresConnection): Promise<LiveSession[]> {
  const { rows } = await connection.query(
    `SELECT pid, state, usename, CASE WHEN backend_type IS NOT NULL THEN coalesce(host(client_addr), 'socket') END, application_name, datname,
       concat_ws(': ', wait_event_type, wait_event), extract(epoch FROM clock_timestamp() - state_change)::float8,
       query, pid = pg_backend_pid()
     FROM pg_stat_activity
     WHERE backend_type = 'client backend' OR (backend_type IS NULL AND datid IS NOT NULL AND usesysid IS NOT NULL)
     ORDER BY state_change NULLS LAST, pid LIMIT ${SESSIONS_LISTED}`,
  );
  return rows.map(([pid, state, user, address, program, database, wait, seconds, statement, own]) => ({
    id: String(pid),
    state: typeof state === 'string' ? state : 'not reported',
    own: own === true,
    ...present({
      user: text(user),
      client: [text(address), text(program)].filter(Boolean).join(', '),
      database: text(database),
      wait: text(wait),
      seconds: typeof seconds === 'number' ? Math.max(0, seconds) : undefined,
      statement: statementOf(statement),
    }),
  }));
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Views of counters, each with one relevant row. They depend on the version (wal since 14, checkpointer since 17). */
const ONE_ROW = ['pg_stat_database', 'pg_stat_bgwriter', 'pg_stat_checkpointer', 'pg_stat_wal'];
/** Since version 16: a row for each kind of backend, object and context. */
const IO = 'pg_stat_io';

/** Named by view and column: `pg_stat_database.xact_commit`, `pg_stat_io.client backend.relation.normal.reads`. */
async function postgresCounters(connection: PostgresConnection): Promise<Record<string, number>> {
  const known = await connection.query(
    'SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relname = ANY($2::text[])',
    ['pg_catalog', [...ONE_ROW, IO]],
  );
  const present = new Set(known.rows.map(([name]) => name));
  const found: [string, unknown][] = [];
  for (const view of ONE_ROW.filter((name) => present.has(name))) {
    const own = view === 'pg_stat_database' ? ' WHERE datname = current_database()' : '';
    const { columns, rows } = await connection.query(`SELECT * FROM ${view}${own}`);
    columns.forEach((column, index) => {
      found.push([`${view}.${column}`, rows[0]?.[index]]);
    });
  }
  if (present.has(IO)) {
    const { columns, rows } = await connection.query(`SELECT backend_type, object, context, * FROM ${IO}`);
    for (const row of rows) {
      columns.forEach((column, index) => {
        if (index > 2) found.push([[IO, ...row.slice(0, 3), column].join('.'), row[index]]);
      });
    }
  }
  return numbersFrom(found);
}

/** PostgreSQL and compatible servers. */
export const postgresTarget = defineServer({
  kind: 'postgres',
  title: 'PostgreSQL',
  family: 'PostgreSQL',
  example: {
    name: 'postgresql-17 on db-bench-01',
    config: { address: 'TARGET', user: 'USER', database: 'DATABASE' },
  },
  config: z.strictObject(serverFields(5432)),
  settings: POSTGRES_REFERENCE,
  ownSettings:
    /^(?:wal|autovacuum|bgwriter|checkpoint|effective|commit)_|^(?:shared_buffers|synchronous_commit|full_page_writes|fsync|max_wal_size|work_mem|maintenance_work_mem|pool_mode|default_pool_size)$/,
  settingsFormat: configurationFile,
  // A value without a unit is in pages.
  cacheBytes: (setting) => sizeBytes(setting('shared_buffers'), PAGE),
  client: {
    passwordVariable: 'PGPASSWORD',
    argv: ({ host, port, socket, user, database }, statement) => [
      'psql',
      ...[
        '-h',
        socket?.replace(/\/\.s\.PGSQL\.\d+$/, '') ?? host ?? '',
        ...(port === undefined ? [] : ['-p', String(port)]),
      ],
      ...(user === undefined ? [] : ['-U', user]),
      ...(database === undefined ? [] : ['-d', database]),
      ...['-v', 'ON_ERROR_STOP=1', '-A', '-t', '-F', '\t', '-c', statement],
    ],
  },
  managed: managedPostgres,
  captures: POSTGRES_CAPTURES,
  monitoring: { rules: POSTGRES_SERIES, hostLines: postgresHostLines, statementLines: postgresStatementLines },
  facts: (config, secret) => serverFacts('postgres', config, secret),
  where: (config) => whereto('the PostgreSQL server', config),
  connect: connectPostgres,
  problem: postgresProblem,
  isRefusal,
  ask: {
    ping: (connection) => connection.query('SELECT 1'),
    describe,
    identity,
    counters: postgresCounters,
    countRows: countPostgresRows,
    run: async (connection, statement) => (await connection.query(statement, [], STATEMENT_LIMIT)).rows[0]?.[0],
    settings: postgresVariables,
    sizes: postgresSizes,
    stored: postgresStored,
    firstRows: firstPostgresRows,
    sessions: postgresSessions,
    settingsControl: postgresControl,
    sampler: postgresSampler,
    samplesOnHost: postgresOnHost,
    statementsOnHost: postgresStatementsOnHost,
    table: postgresTable,
  },
});
