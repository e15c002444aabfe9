import { comingAndGoing } from '../../sampling.ts';
import { numbersFrom } from '../../server-facts.ts';
import type { ServerSample } from '../../target.ts';
import type { MySqlConnection, Row } from '../connection.ts';
import { isRefusal } from '../failure.ts';

/** Settings that counters are compared with. They may change while the server runs, and cost nothing to read. */
const VARIABLES = [
  'max_connections',
  'innodb_buffer_pool_size',
  'innodb_log_file_size',
  'innodb_log_files_in_group',
  'innodb_redo_log_capacity',
  'innodb_io_capacity',
  'innodb_io_capacity_max',
  'table_open_cache',
  'thread_cache_size',
];

/** LIKE patterns of metrics that `SHOW GLOBAL STATUS` has as well. */
const IN_STATUS = [
  'buffer\\_pool\\_%',
  'buffer\\_pages\\_%',
  'buffer\\_data\\_%',
  'os\\_data\\_%',
  'os\\_log\\_%',
  'lock\\_row\\_lock\\_%',
  'log\\_waits',
  'log\\_writes',
  'log\\_write\\_requests',
  'dml\\_%',
  'innodb\\_dblwr\\_%',
  'innodb\\_page\\_size',
];

/**
 * The summary of waits calculates each row from all sessions and objects: 3 ms per sample in MySQL 5.7, 5 ms in 8.0 with 200 sessions, and only MySQL
 * 8 can find single rows of it. Files are therefore read from their own summary, which costs 0.2 ms, and tables and their locks only where single
 * rows can be found.
 */
const FILES =
  "SELECT CONCAT('waits.', event_name), count_star, sum_timer_wait FROM performance_schema.file_summary_by_event_name";
/** MariaDB has an entry for the redo log but never counts anything in it. */
const NOT_THE_LOG = " WHERE event_name <> 'wait/io/file/innodb/innodb_log_file'";
const SUMMARY = 'performance_schema.events_waits_summary_global_by_event_name';
const TABLES = `SELECT CONCAT('waits.', event_name), count_star, sum_timer_wait FROM ${SUMMARY}
  WHERE event_name IN ('wait/io/table/sql/handler', 'wait/lock/table/sql/handler', 'wait/lock/metadata/sql/mdl')`;
/** The server's internal mutexes and locks by component. Off by default, and only queried if enabled. */
const SYNCH = `SELECT CONCAT('waits.', SUBSTRING_INDEX(event_name, '/', 4)), SUM(count_star), SUM(sum_timer_wait) FROM ${SUMMARY}
  WHERE event_name LIKE 'wait/synch/%' GROUP BY 1`;
const HAS_SYNCH = `SELECT 1 FROM performance_schema.setup_instruments WHERE enabled = 'YES' AND name LIKE 'wait/synch/%' LIMIT 1`;
/** Unlike the process list, this takes no lock that sessions need. */
const SESSIONS = `SELECT CONCAT('sessions.', processlist_state), COUNT(*), NULL FROM performance_schema.threads
  WHERE type = 'FOREGROUND' AND processlist_command NOT IN ('Sleep', 'Daemon') AND processlist_state <> ''
  AND processlist_id <> CONNECTION_ID() GROUP BY processlist_state`;

/** Used without performance_schema, which is off by default in MariaDB. */
const PROCESSES = `SELECT CONCAT('sessions.', state), COUNT(*), NULL FROM information_schema.PROCESSLIST
  WHERE command NOT IN ('Sleep', 'Daemon', 'Binlog Dump') AND state <> '' AND id <> CONNECTION_ID() GROUP BY state`;

/** Sessions waiting for admission by InnoDB. Reads nothing if InnoDB has no limit. */
const QUEUED = `SELECT 'innodb.queued', COUNT(*), NULL FROM information_schema.INNODB_TRX
  WHERE @@GLOBAL.innodb_thread_concurrency > 0
  AND trx_operation_state IN ('sleeping before entering InnoDB', 'waiting in InnoDB queue')`;

/** Only for a server with a thread pool: MariaDB since 10.5. */
const THREAD_POOL = "SELECT 'threadpool.queued', SUM(queue_length), NULL FROM information_schema.THREAD_POOL_GROUPS";

/** Maximum distinct session states tracked; executing sessions have about 80. */
export const STATES = 60;

/** Undefined if the account lacks the right, or the version lacks the table. */
async function allowed(connection: MySqlConnection, sql: string): Promise<Row[] | undefined> {
  try {
    return await connection.query(sql);
  } catch (error) {
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Enabled InnoDB metrics that are not in the status. The column with the state has two names. */
const metrics = (isMariaDb: boolean): string =>
  `SELECT CONCAT('innodb_metrics.', name), count, NULL FROM information_schema.INNODB_METRICS
   WHERE ${isMariaDb ? 'enabled = 1' : "status = 'enabled'"} AND ${IN_STATUS.map((like) => `name NOT LIKE '${like}'`).join(' AND ')}`;

/** Queries in addition to `SHOW GLOBAL STATUS` that this server and account can answer, and problems for those that they cannot. */
export async function detailsOf(
  connection: MySqlConnection,
): Promise<{ sql: string[]; problems: string[]; isMariaDb: boolean }> {
  const variables = new Map(
    (await connection.query('SHOW GLOBAL VARIABLES')).map(([name, value]) => [String(name), String(value)]),
  );
  const version = variables.get('version') ?? '';
  const isMariaDb = /mariadb/i.test(version);
  const problems: string[] = [];
  const sql = VARIABLES.filter((name) => variables.has(name)).map(
    (name) => `SELECT 'variable.${name}', @@GLOBAL.${name}, NULL`,
  );
  // The querying session counts as running.
  sql.push("SELECT 'variable.own_sessions', 1, NULL");
  const add = async (question: string, missing?: string): Promise<void> => {
    if (await allowed(connection, question)) sql.push(question);
    else if (missing !== undefined) problems.push(missing);
  };
  await add(
    metrics(isMariaDb),
    'The account has no permission to read information_schema.INNODB_METRICS, so deadlocks, purge and log positions may be missing. GRANT PROCESS ON *.* to it to include them.',
  );
  if (isMariaDb && variables.get('thread_handling') === 'pool-of-threads') await add(THREAD_POOL);
  if (variables.has('innodb_thread_concurrency')) await add(QUEUED);
  if (variables.get('performance_schema') !== 'ON') {
    await add(PROCESSES);
    problems.push(
      'performance_schema is off, so waits and file times are missing. It can be turned on with a restart of the server.',
    );
    return { sql, problems, isMariaDb };
  }
  await add(
    isMariaDb ? FILES + NOT_THE_LOG : FILES,
    'The account has no permission to read performance_schema, so session states, waits and file times are missing. GRANT SELECT ON performance_schema.* to it to include them.',
  );
  await add(SESSIONS);
  if (!isMariaDb && Number.parseInt(version, 10) >= 8) await add(TABLES);
  if ((await allowed(connection, HAS_SYNCH))?.length) await add(SYNCH);
  return { sql, problems, isMariaDb };
}

/** MariaDB, MySQL since 8.0.30, and others where it is enabled. */
const AGE_OF_CHECKPOINT = [
  'Innodb_checkpoint_age',
  'Innodb_redo_log_logical_size',
  'innodb_metrics.log_lsn_checkpoint_age',
];
const NO_AGE =
  'The checkpoint age is missing. MySQL before 8.0.30 reports it after SET GLOBAL innodb_monitor_enable = "log_%", to accounts with the PROCESS privilege.';

/** States reported in words, and the words that mean active; the same in all versions. */
const AT_WORK: Readonly<Record<string, RegExp>> = {
  Innodb_buffer_pool_load_status: /^Load(?:ing buffer|ed \d+\/)/,
  Innodb_buffer_pool_dump_status: /^Dumping buffer/,
};

const PICOSECONDS_IN_MS = 1e9;

/** Returns counters from rows of name, value and picoseconds, and the number of sessions by state. */
export function readRows(rows: Iterable<readonly unknown[]>): {
  metrics: Record<string, number>;
  states: [string, number][];
} {
  const states: [string, number][] = [];
  const found: [string, unknown][] = [];
  for (const [key, value, picoseconds] of rows) {
    const name = String(key);
    const atWork = Object.hasOwn(AT_WORK, name) ? AT_WORK[name] : undefined;
    if (atWork) found.push([`${name}.at_work`, atWork.test(String(value)) ? 1 : 0]);
    else if (name.startsWith('sessions.')) states.push([name, Number(value)]);
    else if (picoseconds === null || picoseconds === undefined) found.push([name, value]);
    else found.push([`${name}.count`, value], [`${name}.ms`, Number(picoseconds) / PICOSECONDS_IN_MS]);
  }
  return { metrics: numbersFrom(found), states };
}

/** Asks `SHOW GLOBAL STATUS`, and everything else in one more query. */
export function mysqlSampler(connection: MySqlConnection): () => Promise<ServerSample> {
  let question: string | undefined;
  const keepStates = comingAndGoing(STATES, 'sessions.');
  return async () => {
    const problems: string[] = [];
    const isFirst = question === undefined;
    if (isFirst) {
      const details = await detailsOf(connection);
      question = details.sql.join('\nUNION ALL ');
      problems.push(...details.problems);
    }
    const status = await connection.query('SHOW GLOBAL STATUS');
    const details = question ? await connection.query(question) : [];
    const values = readRows([...status, ...details]);
    const metrics = { ...values.metrics, ...Object.fromEntries(keepStates(values.states)) };
    if (isFirst && !AGE_OF_CHECKPOINT.some((name) => name in metrics)) problems.push(NO_AGE);
    return { metrics, ...(problems.length > 0 && { problems }) };
  };
}
