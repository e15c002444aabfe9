import type { Durability, TargetDescription } from '../../../../shared/model/target.ts';
import type { DataSizes } from '../../../../shared/model/target-details.ts';
import { durabilityOf, type Judged, storedIn } from '../durability.ts';
import { codeOf } from '../failure.ts';
import { COUNT_LIMIT } from '../link.ts';
import { present, rowTexts, TABLES_LISTED } from '../server-facts.ts';
import { type Reported, reporting, storedSize } from '../stored.ts';
import type { Stored, StoredPlace, StoredSize } from '../target.ts';
import { type MySqlConnection, mysqlTable } from './connection.ts';
import { isRefusal } from './failure.ts';
import { binlogJudged, mysqlDurability } from './settings.ts';

/** By default MySQL 8 reports sizes from a cache that is up to a day old. Other servers do not know the variable. */
async function wantFreshSizes(connection: MySqlConnection): Promise<void> {
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

const VARIABLES = [
  'datadir',
  'innodb_file_per_table',
  'innodb_log_file_size',
  'innodb_log_files_in_group',
  'innodb_log_group_home_dir',
  'innodb_redo_log_capacity',
  'log_bin_basename',
];

const TABLES = 'information_schema.tables';
/** View names up to MySQL 8.0 and in MariaDB, and since. Both contain file sizes, from 5.7 and 10.2 on. */
const TABLESPACES = ['information_schema.innodb_sys_tablespaces', 'information_schema.innodb_tablespaces'];

/** In names of folders and tablespaces, other characters are encoded. */
const PLAIN = /^\w+$/;

interface Tables {
  readonly database: string;
  readonly rows: Reported;
  readonly count: number;
  readonly ofInnoDb: number;
  readonly ofRocksDb: number;
  /** Tables with ROW_FORMAT=COMPRESSED: pages are compressed before they are written, so their uncompressed size is unknown. */
  readonly packed: number;
}

/**
 * Sizes of the target’s data, its rows as estimated by the storage engine, the redo log and the binary log. If all tables are InnoDB, the data size
 * is that of their files, otherwise that of the pages used by tables and indexes.
 */
export async function mysqlStored(connection: MySqlConnection): Promise<Stored> {
  const ask = reporting((statement) => mysqlTable(connection, statement, { writes: false }), isRefusal);
  await wantFreshSizes(connection);
  const names = VARIABLES.map((name) => `'${name}'`).join(', ');
  const reported = await connection.query(`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names})`);
  const variables = new Map(reported.map(([name, value]) => [String(name), String(value)]));
  const rows = await ask(
    `SELECT SUM(data_length + index_length), SUM(table_rows), COUNT(*), SUM(engine = 'InnoDB'), SUM(engine = 'ROCKSDB'),
       SUM(row_format = 'Compressed'), DATABASE()
     FROM ${TABLES} WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`,
  );
  const [row = []] = typeof rows === 'string' ? [] : rows;
  const count = (column: number): number => Number(row[column] ?? 0);
  const tables: Tables = {
    ...{ rows, database: String(row[6] ?? ''), count: count(2) },
    ...{ ofInnoDb: count(3), ofRocksDb: count(4), packed: count(5) },
  };
  const log = await redoLog(ask, variables);
  const isLogging = (variables.get('log_bin_basename') ?? '') !== '';
  return {
    sizes: [
      ...(await data(ask, tables, variables)),
      storedSize('rows, estimated', TABLES, rows, 1),
      ...(log ? [log] : []),
      ...(isLogging ? [storedSize('binary log', 'SHOW BINARY LOGS', await ask('SHOW BINARY LOGS'), 1)] : []),
    ],
    places: placesOf(variables, tables),
  };
}

type Ask = (statement: string) => Promise<Reported>;
type Variables = ReadonlyMap<string, string>;

const hasOwnFiles = (variables: Variables): boolean => variables.get('innodb_file_per_table') === 'ON';

async function data(ask: Ask, tables: Tables, variables: Variables): Promise<StoredSize[]> {
  const { database, count, ofInnoDb, packed, rows } = tables;
  const pages = [storedSize('data', `${TABLES}, pages in use`, rows)];
  if (count === 0 || ofInnoDb < count || !PLAIN.test(database) || !hasOwnFiles(variables)) return pages;
  for (const view of TABLESPACES) {
    const files = await ask(
      `SELECT SUM(allocated_size), SUM(file_size), COUNT(*) FROM ${view}
       WHERE LEFT(name, ${database.length + 1}) = '${database}/'`,
    );
    // A table created before the setting was on has no file of its own.
    if (typeof files === 'string' || Number(files[0]?.[2] ?? 0) < count) continue;
    return [
      storedSize('data', `${view}, allocated`, files),
      storedSize('data, length', `${view}, length of files`, files, 1),
      ...(packed > 0
        ? []
        : [
            storedSize('uncompressed', `${view}, length of files`, files, 1),
            storedSize('compressed', `${view}, allocated`, files),
          ]),
    ];
  }
  return pages;
}

/** The configured size, regardless of content. Undefined without InnoDB. */
async function redoLog(ask: Ask, variables: Variables): Promise<StoredSize | undefined> {
  const [size, files = '1'] = ['innodb_log_file_size', 'innodb_log_files_in_group'].map((name) => variables.get(name));
  if (variables.has('innodb_redo_log_capacity')) {
    const view = 'performance_schema.innodb_redo_log_files';
    const found = storedSize('log', view, await ask(`SELECT SUM(size_in_bytes) FROM ${view}`));
    return found.value === undefined
      ? storedSize('log', 'innodb_redo_log_capacity', [[variables.get('innodb_redo_log_capacity')]])
      : found;
  }
  return size === undefined
    ? undefined
    : storedSize('log', 'innodb_log_file_size × files', [[Number(size) * Number(files)]]);
}

function placesOf(variables: Variables, { database, ofRocksDb }: Tables): StoredPlace[] {
  const folder = variables.get('datadir') ?? '';
  if (!folder.startsWith('/')) return [];
  const below = (name: string): string => `${folder.replace(/\/+$/, '')}/${name}`;
  const logs = variables.get('innodb_log_group_home_dir') ?? './';
  const logFolder = logs.startsWith('/') ? logs : below(logs.replace(/^(\.\/)+|^\.$/, ''));
  const binaryLogs = variables.get('log_bin_basename') ?? '';
  const slash = binaryLogs.lastIndexOf('/');
  return [
    ...(PLAIN.test(database) ? [{ what: 'data', folder: below(database) } as const] : []),
    ...(ofRocksDb > 0 ? [{ what: 'data', folder: below('#rocksdb') } as const] : []),
    ...(hasOwnFiles(variables) ? [] : [{ what: 'data', folder: below(''), names: ['ibdata*'] } as const]),
    { what: 'log', folder: logFolder, names: ['ib_logfile*'] },
    ...(variables.has('innodb_redo_log_capacity')
      ? [{ what: 'log', folder: `${logFolder.replace(/\/+$/, '')}/#innodb_redo` } as const]
      : []),
    ...(binaryLogs.startsWith('/')
      ? [
          {
            what: 'binary log',
            folder: binaryLogs.slice(0, slash) || '/',
            names: [`${binaryLogs.slice(slash + 1)}.*`],
          } as const,
        ]
      : []),
  ];
}
