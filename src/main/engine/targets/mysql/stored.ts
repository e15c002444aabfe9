import { type Reported, reporting, storedSize } from '../stored.ts';
import type { Stored, StoredPlace, StoredSize } from '../target.ts';
import { type MySqlConnection, mysqlTable } from './connection.ts';
import { wantFreshSizes } from './data.ts';
import { isRefusal } from './failure.ts';

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
  const told = await connection.query(`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${names})`);
  const variables = new Map(told.map(([name, value]) => [String(name), String(value)]));
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
