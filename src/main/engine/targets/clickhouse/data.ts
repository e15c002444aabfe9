import type { DataSizes, LiveSession } from '../../../../shared/model/target-details.ts';
import { COUNT_LIMIT } from '../link.ts';
import type { MySqlConnection } from '../mysql/connection.ts';
import { numbersFrom, present, rowTexts, SESSIONS_LISTED, statementOf, TABLES_LISTED } from '../server-facts.ts';
import { storedSize } from '../stored.ts';
import type { Room, Stored } from '../target.ts';
import { CODES, clickhouseCode } from './failure.ts';
import { systemColumns, systemRows } from './settings.ts';

/** Compressed bytes on disk of the tables of the target's database. */
export async function clickhouseDataBytes(connection: MySqlConnection): Promise<number> {
  const [[bytes] = []] = await connection.query(
    'SELECT sum(total_bytes) FROM system.tables WHERE database = currentDatabase()',
  );
  return Number(bytes ?? 0);
}

/** The disk used by tables that name no other. */
export async function clickhouseRoom(connection: MySqlConnection): Promise<Room | undefined> {
  const [[folder, free] = []] = await systemRows(connection, 'disks', ['path', 'free_space'], "WHERE name = 'default'");
  return folder === undefined || free === undefined ? undefined : { folder, free: Number(free) };
}

/** Active parts of the target's database. Rows are counted, not estimated; there is no log. */
export async function clickhouseStored(connection: MySqlConnection): Promise<Stored> {
  const wanted = ['bytes_on_disk', 'rows', 'data_uncompressed_bytes', 'data_compressed_bytes'] as const;
  const known = await systemColumns(connection, 'parts');
  const sum = (name: string): string => (known.has(name) ? `sum(${name})` : 'NULL');
  const rows = await connection.query(
    `SELECT ${wanted.map(sum).join(', ')} FROM system.parts WHERE active AND database = currentDatabase()`,
  );
  const parts = ['data', 'rows', 'uncompressed', 'compressed'] as const;
  return {
    sizes: parts.map((what, column) =>
      storedSize(what, `system.parts, ${wanted[column]} of active parts`, rows, column),
    ),
    places: [],
  };
}

/**
 * Data of parts other than columns, as far as the version reports it: primary index, skipping indexes, and marks, which locate rows in the columns.
 */
const INDEXES = [
  'primary_key_size',
  'marks_bytes',
  'secondary_indices_compressed_bytes',
  'secondary_indices_marks_bytes',
];

/** Only tables of the target's database that have parts. */
async function indexBytes(connection: MySqlConnection): Promise<ReadonlyMap<string, number>> {
  const known = await systemColumns(connection, 'parts');
  const there = INDEXES.filter((name) => known.has(name));
  if (there.length === 0) return new Map();
  const rows = await connection.query(
    `SELECT table, sum(${there.join(' + ')}) FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table`,
  );
  return new Map(rows.map(([table, bytes]) => [String(table), Number(bytes)]));
}

/** Views, and tables whose size the server does not know, are omitted. Rows are counted, not estimated. */
export async function clickhouseSizes(connection: MySqlConnection): Promise<DataSizes> {
  const databases = await connection.query(
    `SELECT database, sum(total_bytes) FROM system.tables WHERE total_bytes > 0
     GROUP BY database ORDER BY sum(total_bytes) DESC, database`,
  );
  const tables = await connection.query(
    `SELECT name, total_bytes, total_rows FROM system.tables
     WHERE database = currentDatabase() AND total_bytes IS NOT NULL ORDER BY total_bytes DESC, name`,
  );
  const indexes = await indexBytes(connection);
  return {
    databases: databases.map(([name, bytes]) => ({ name: String(name), bytes: Number(bytes) })),
    tables: tables.slice(0, TABLES_LISTED).map(([name, bytes, rows]) => ({
      name: String(name),
      bytes: Number(bytes),
      ...present({ indexBytes: indexes.get(String(name)) }),
      ...present({ rows: rows === null ? undefined : Number(rows) }),
    })),
    tablesLeftOut: Math.max(0, tables.length - TABLES_LISTED),
  };
}

const quoted = (name: string): string => `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;

/** Undefined if there is no such table. */
export async function countClickhouseRows(connection: MySqlConnection, table: string): Promise<number | undefined> {
  try {
    const [[rows] = []] = await connection.query(`SELECT count() FROM ${quoted(table)}`, COUNT_LIMIT);
    return Number(rows);
  } catch (error) {
    if (clickhouseCode(error) === CODES.unknownTable) return undefined;
    throw error;
  }
}

export const firstClickhouseRows = async (
  connection: MySqlConnection,
  table: string,
  most: number,
): Promise<string[]> => rowTexts(await connection.query(`SELECT * FROM ${quoted(table)} LIMIT ${most}`));

/** Tables of counters, and their name column: events count up, metrics are current values. */
const COUNTERS = { events: 'event', metrics: 'metric', asynchronous_metrics: 'metric' } as const;

/** Named by system table and the server's own name: `events.Query` counts queries, `metrics.Query` is the number of running ones. */
export async function clickhouseCounters(connection: MySqlConnection): Promise<Record<string, number>> {
  const found: [string, unknown][] = [];
  for (const [table, name] of Object.entries(COUNTERS)) {
    const rows = await systemRows(connection, table, [name, 'value']);
    for (const [counter, value] of rows) found.push([`${table}.${counter}`, value]);
  }
  return numbersFrom(found);
}

const PROCESS = [
  'query_id',
  'user',
  'address',
  'port',
  'current_database',
  'query_kind',
  'is_cancelled',
  'elapsed',
  'query',
] as const;

/** Running queries; ClickHouse keeps no list of idle clients. Without the right to see other queries, only those of this account. */
export async function clickhouseSessions(connection: MySqlConnection): Promise<LiveSession[]> {
  const longest = `ORDER BY elapsed DESC LIMIT ${SESSIONS_LISTED}`;
  const rows = await systemRows(connection, 'processes', PROCESS, longest, ['query_id = queryID()']);
  return rows.map(([id = '', user, address, port, database, kind = 'Query', cancelled, elapsed, query, own]) => ({
    id,
    state: cancelled === '1' ? `${kind}, cancelled` : kind,
    own: own === '1',
    ...present({
      user,
      client: clientOf(address, port),
      database,
      seconds: elapsed === undefined ? undefined : Number(elapsed),
      statement: statementOf(query),
    }),
  }));
}

/** IPv4 addresses are reported as part of IPv6 ones. */
const clientOf = (address: string | undefined, port: string | undefined): string | undefined =>
  address === undefined ? undefined : [address.replace(/^::ffff:/, ''), port].filter((part) => part !== '0').join(':');
