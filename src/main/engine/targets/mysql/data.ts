import type { Durability, TargetDescription } from '../../../../shared/model/target.ts';
import type { DataSizes } from '../../../../shared/model/target-details.ts';
import { durabilityOf, type Judged, storedIn } from '../durability.ts';
import { codeOf } from '../failure.ts';
import { COUNT_LIMIT } from '../link.ts';
import { present, rowTexts, TABLES_LISTED } from '../server-facts.ts';
import type { MySqlConnection } from './connection.ts';
import { binlogJudged, mysqlDurability } from './settings.ts';

/** By default MySQL 8 reports sizes from a cache that is up to a day old. Other servers do not know the variable. */
export async function wantFreshSizes(connection: MySqlConnection): Promise<void> {
  try {
    await connection.query('SET SESSION information_schema_stats_expiry = 0');
  } catch (error) {
    if (codeOf(error) !== 'ER_UNKNOWN_SYSTEM_VARIABLE') throw error;
  }
}

/** Bytes of the tables of the target's database, including indexes. */
export async function mysqlDataBytes(connection: MySqlConnection): Promise<number> {
  await wantFreshSizes(connection);
  const rows = await connection.query(
    'SELECT SUM(data_length + index_length) FROM information_schema.tables WHERE table_schema = DATABASE()',
  );
  return Number(rows[0]?.[0] ?? 0);
}

export async function mysqlSizes(connection: MySqlConnection): Promise<DataSizes> {
  await wantFreshSizes(connection);
  const databases = await connection.query(
    `SELECT table_schema, SUM(data_length + index_length) AS bytes FROM information_schema.tables
     WHERE table_type <> 'SYSTEM VIEW' GROUP BY table_schema HAVING bytes > 0 ORDER BY bytes DESC, table_schema`,
  );
  const tables = await connection.query(
    `SELECT table_name, data_length + index_length, index_length, table_rows FROM information_schema.tables
     WHERE table_schema = DATABASE() AND data_length IS NOT NULL ORDER BY 2 DESC, 1`,
  );
  return {
    databases: databases.map(([name, bytes]) => ({ name: String(name), bytes: Number(bytes) })),
    tables: tables.slice(0, TABLES_LISTED).map(([name, bytes, indexBytes, rows]) => ({
      name: String(name),
      bytes: Number(bytes),
      ...present({ indexBytes: indexBytes === null ? undefined : Number(indexBytes) }),
      ...present({ rows: rows === null ? undefined : Number(rows) }),
    })),
    tablesLeftOut: Math.max(0, tables.length - TABLES_LISTED),
  };
}

/** Undefined for a name that no table has or can have. */
export async function countMySqlRows(connection: MySqlConnection, table: string): Promise<number | undefined> {
  const { escapeId } = await import('mysql2');
  try {
    const rows = await connection.query(`SELECT COUNT(*) FROM ${escapeId(table, true)}`, COUNT_LIMIT);
    return Number(rows[0]?.[0]);
  } catch (error) {
    if (['ER_NO_SUCH_TABLE', 'ER_WRONG_TABLE_NAME', 'ER_TOO_LONG_IDENT'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

export async function firstMySqlRows(connection: MySqlConnection, table: string, most: number): Promise<string[]> {
  const { escapeId } = await import('mysql2');
  return rowTexts(await connection.query(`SELECT * FROM ${escapeId(table, true)} LIMIT ${most}`));
}

/** Durability, by name, of engines that have no log or none that waits for the disk. */
const WITHOUT_LOG: Readonly<Record<string, string>> = {
  MYISAM: 'MyISAM has no log: a power cut can damage its tables and lose rows.',
  MRG_MYISAM: 'MyISAM has no log: a power cut can damage its tables and lose rows.',
  MEMORY: 'MEMORY keeps rows in memory only: they are lost when the server ends.',
  CSV: 'CSV has no log: a power cut can damage its tables and lose rows.',
  ARCHIVE: 'ARCHIVE has no log: a power cut can damage its tables and lose rows.',
  BLACKHOLE: 'BLACKHOLE keeps no rows at all.',
};

const isOn = (value: string): boolean => ['ON', '1'].includes(value.toUpperCase());

/** Settings of engines with a log of their own. */
const OWN_LOG: Readonly<Record<string, readonly { name: string; judge(value: string): Judged['level'] }[]>> = {
  // 1 waits at each commit; 0 and 2 about once a second.
  ROCKSDB: [{ name: 'rocksdb_flush_log_at_trx_commit', judge: (value) => (value === '1' ? 'safe' : 'relaxed') }],
  TOKUDB: [
    { name: 'tokudb_commit_sync', judge: (value) => (isOn(value) ? 'safe' : 'relaxed') },
    // Above 0, the log is synced at this interval in milliseconds, regardless of commits.
    { name: 'tokudb_fsync_log_period', judge: (value) => (value === '0' ? 'safe' : 'relaxed') },
  ],
};

/** Durability of an engine's tables, by the server's own variables. Unknown for an engine that is not in these lists. */
export function engineDurability(
  engine: string,
  variables: ReadonlyMap<string, string>,
  status: ReadonlyMap<string, string> = new Map(),
): Durability {
  const name = engine.toUpperCase();
  if (name === 'INNODB') return mysqlDurability(variables, status);
  const why = WITHOUT_LOG[name];
  if (why !== undefined) {
    return { level: 'unsafe', why, settings: [{ name: 'storage engine', value: engine, level: 'unsafe' }] };
  }
  const log = OWN_LOG[name];
  if (!log) return { level: 'unknown', why: `The effect of a power cut on tables of ${engine} is unknown.` };
  const judged = log.flatMap((setting): Judged[] => {
    const value = variables.get(setting.name);
    return value === undefined ? [] : [{ name: setting.name, value, level: setting.judge(value) }];
  });
  return durabilityOf(
    [...judged, ...binlogJudged(variables)],
    log.flatMap((setting) => (variables.has(setting.name) ? [] : [setting.name])),
  );
}

/** All engines of the server, with the tables of the target's database that use them. */
export async function mysqlStorage(
  connection: MySqlConnection,
  variables: ReadonlyMap<string, string>,
  status: ReadonlyMap<string, string>,
): Promise<NonNullable<TargetDescription['storage']>> {
  const engines = (await connection.query('SHOW ENGINES')).flatMap(([name, support]) =>
    ['YES', 'DEFAULT'].includes(String(support)) ? [String(name)] : [],
  );
  const tables = (
    await connection.query(
      `SELECT engine, table_name FROM information_schema.tables
       WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' AND engine IS NOT NULL ORDER BY table_name`,
    )
  ).map(([engine, name]) => ({ engine: String(engine), name: String(name) }));
  const all = [...new Set([...engines, ...tables.map(({ engine }) => engine)])].sort();
  return all.map((engine) =>
    storedIn(
      engine,
      tables.filter((table) => table.engine === engine).map(({ name }) => name),
      engineDurability(engine, variables, status),
    ),
  );
}
