import { z } from 'zod';
import type { TargetDescription } from '../../../../shared/model/target.ts';
import { durabilityOfStored } from '../durability.ts';
import { plainText, whereto } from '../failure.ts';
import { STATEMENT_LIMIT } from '../link.ts';
import { type Connected, defineServer } from '../server.ts';
import {
  passwordSetting,
  type ServerConfig,
  serverFacts,
  settingsFrom,
  sizeBytes,
  tlsSetting,
} from '../server-facts.ts';
import { serverFields } from '../wording.ts';
import { connectPostgres, type PostgresConnection } from './connection.ts';
import { postgresCounters } from './counters.ts';
import { countPostgresRows, firstPostgresRows, postgresSizes } from './data.ts';
import { postgresProblem } from './failure.ts';
import { managedPostgres } from './managed.ts';
import {
  postgresHostLines,
  postgresOnHost,
  postgresStatementLines,
  postgresStatementsOnHost,
} from './monitoring/on-host.ts';
import { POSTGRES_SERIES } from './monitoring/rules.ts';
import { postgresSampler } from './monitoring/sample.ts';
import { postgresTable } from './monitoring/statement.ts';
import { describePooler, isPooled } from './pooler.ts';
import { postgresSessions } from './sessions.ts';
import { POSTGRES_SETTINGS, postgresDurability, postgresVariables } from './settings.ts';
import { configurationFile } from './settings-format.ts';
import { postgresStorage } from './storage.ts';
import { POSTGRES_KNOWLEDGE, postgresControl } from './varying/index.ts';

/** Bytes of a page, as nearly every server is built. */
const PAGE = 8192;

function tlsWords({ connection, downgraded }: Connected<PostgresConnection>, config: ServerConfig): string {
  const { encryption } = connection;
  if (encryption)
    return `${encryption}, ${config.tls === 'verify' ? 'certificate checked' : 'certificate not checked'}`;
  if (config.socket !== '') return 'none: PostgreSQL has no TLS on sockets';
  return plainText(downgraded);
}

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
  const tls = tlsWords(connected, config);
  const durability = postgresDurability(settings);
  const storage = await postgresStorage(connection, durability);
  const middleware = (await isPooled(connection)) ? await describePooler(connection.another) : undefined;
  return {
    product: 'PostgreSQL',
    version: settings.get('server_version') ?? '',
    flavour: String(version),
    settings: [...settingsFrom(settings, POSTGRES_SETTINGS), tlsSetting(tls), ...passwordSetting(config)],
    tls,
    encrypted: Boolean(connection.encryption),
    // Its name alone: no statement tells the version.
    ...(settings.get('ssl_library') && { tlsLibrary: settings.get('ssl_library') }),
    durability: durabilityOfStored(storage, durability),
    storage,
    dataBytes: Number(size),
    ...(middleware ? { middleware } : {}),
    readAt: Date.now(),
  };
}

/** Of the cluster: a copy of its files, and a standby, has the same. */
async function identity(connection: PostgresConnection): Promise<Record<string, string>> {
  try {
    const { rows } = await connection.query('SELECT system_identifier::text FROM pg_control_system()');
    const told = rows[0]?.[0];
    return told ? { 'system identifier': String(told) } : {};
  } catch (error) {
    // What only speaks its protocol has none, and an account may not be allowed to ask.
    await connection.query('SELECT 1').catch(() => Promise.reject(error));
    return {};
  }
}

/** PostgreSQL and what speaks its protocol. */
export const postgresTarget = defineServer({
  kind: 'postgres',
  title: 'PostgreSQL',
  family: 'PostgreSQL',
  example: {
    name: 'postgresql-17 on db-bench-01',
    config: { address: 'TARGET', user: 'USER', database: 'DATABASE' },
  },
  config: z.strictObject(serverFields(5432)),
  settings: POSTGRES_KNOWLEDGE,
  settingsFormat: configurationFile,
  // Without a unit it is in pages.
  cacheBytes: (setting) => sizeBytes(setting('shared_buffers'), PAGE),
  managed: managedPostgres,
  monitoring: { rules: POSTGRES_SERIES, hostLines: postgresHostLines, statementLines: postgresStatementLines },
  facts: (config, secret) => serverFacts('postgres', config, secret),
  where: (config) => whereto('the PostgreSQL server', config),
  connect: connectPostgres,
  problem: postgresProblem,
  ask: {
    ping: (connection) => connection.query('SELECT 1'),
    describe,
    identity,
    counters: postgresCounters,
    countRows: countPostgresRows,
    run: async (connection, statement) => (await connection.query(statement, [], STATEMENT_LIMIT)).rows[0]?.[0],
    settings: postgresVariables,
    sizes: postgresSizes,
    firstRows: firstPostgresRows,
    sessions: postgresSessions,
    settingsControl: postgresControl,
    sampler: postgresSampler,
    samplesOnHost: postgresOnHost,
    statementsOnHost: postgresStatementsOnHost,
    table: postgresTable,
  },
});
