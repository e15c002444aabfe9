import { comingAndGoing } from '../../sampling.ts';
import { LOG_FILES, LOG_LOCKS } from './rules.ts';

/** Names and values. Non-numeric values are dropped later. */
export type Found = readonly (readonly [string, unknown])[];

/** Column names of the `pg_catalog` relations that the version has. */
export type Columns = ReadonlyMap<string, readonly string[]>;

/** A part of a sample: one statement of the round trip. */
export interface SamplePart {
  /** Precedes its output when its client runs on a host. */
  readonly name: string;
  /** Undefined if the version does not have it. */
  sql(columns: Columns): string | undefined;
  /** The problem reported if the server refuses it. */
  readonly missing: string;
  /** Created for each connection: reads names and values from a result. */
  readonly read: (
    known?: readonly string[],
  ) => (rows: readonly (readonly unknown[])[], columns: readonly string[]) => Found;
}

const RIGHTS = 'Grant pg_monitor to the account to include it.';

/** One row, each column of which is a figure. */
const oneRow =
  (prefix: string) =>
  () =>
  ([row = []]: readonly (readonly unknown[])[], columns: readonly string[]): Found =>
    columns.map((column, index) => [`${prefix}.${column}`, row[index]]);

/** Columns of statistics views that are not figures. */
const NAMES = ['datid', 'datname', 'stats_reset', 'checksum_last_failure'];

const view = (relation: string, rest = ''): SamplePart => ({
  name: relation,
  sql: (columns) => {
    const figures = columns.get(relation)?.filter((column) => !NAMES.includes(column));
    return figures && `SELECT ${figures.join(', ')} FROM ${relation}${rest}`;
  },
  missing: `The account has no permission to read ${relation}. ${RIGHTS}`,
  read: oneRow(relation),
});

/** Since version 16. A figure for each kind of process, object and context would be a thousand; with contexts combined there are about 150. */
const IO_KEYS = ['backend_type', 'object', 'context', 'op_bytes', 'stats_reset'];

const IO: SamplePart = {
  name: 'pg_stat_io',
  sql: (columns) => {
    const figures = columns.get('pg_stat_io')?.filter((column) => !IO_KEYS.includes(column));
    return (
      figures &&
      `SELECT object, backend_type, ${figures.map((column) => `sum(${column}) AS ${column}`).join(', ')} FROM pg_stat_io GROUP BY 1, 2`
    );
  },
  missing: `The account has no permission to read pg_stat_io. ${RIGHTS}`,
  read: () => (rows, columns) =>
    rows.flatMap(([object, kind, ...figures]) =>
      figures.map((figure, index) => [`pg_stat_io.${object}.${kind}.${columns[index + 2]}`, figure] as const),
    ),
};

const STATES = ['active', 'idle', 'idle in transaction', 'idle in transaction (aborted)'];
const WAITS = ['Lock', 'LWLock', 'IO', 'BufferPin', 'IPC', 'Timeout', 'Client'];
/** Maximum events and kinds of processes tracked. PostgreSQL 18 has 280 events, few of which ever occur. */
const EVENTS = 80;
const KINDS = 30;
/** Named series add and subtract these. An unseen one counts as 0, since a sum with an unknown value cannot be calculated. */
const EXPECTED = [...LOG_FILES, ...LOG_LOCKS].map((event) => [event, 0] as const);

/**
 * Process activity by kind, state and wait. A client that runs a statement without waiting uses a processor. Only waits of active clients count,
 * since idle ones wait for their client.
 */
function activityRows(known?: readonly string[]): (rows: readonly (readonly unknown[])[]) => Found {
  const [events, kinds] = [comingAndGoing(EVENTS, 'wait_event.', known), comingAndGoing(KINDS, 'backends.', known)];
  return (rows) => {
    const states = new Map(STATES.map((state) => [state, 0]));
    const waits = new Map([...WAITS, 'none'].map((wait) => [wait, 0]));
    const [byEvent, byKind] = [new Map<string, number>(), new Map<string, number>()];
    let [oldest, oldestSnapshot] = [0, 0];
    for (const [kind, state, type, event, count, seconds, age] of rows) {
      const processes = Number(count);
      add(byKind, `backends.${kind ?? 'not told'}`, processes);
      oldest = Math.max(oldest, Number(seconds ?? 0));
      oldestSnapshot = Math.max(oldestSnapshot, Number(age ?? 0));
      if (kind !== 'client backend' && kind !== 'parallel worker') continue;
      if (kind === 'client backend' && typeof state === 'string') add(states, state, processes);
      if (state !== 'active') continue;
      add(waits, typeof type === 'string' ? type : 'none', processes);
      if (typeof type === 'string') add(byEvent, `wait_event.${type}.${event}`, processes);
    }
    return [
      ...[...states].map(([state, count]) => [`sessions.${state}`, count] as const),
      ...[...waits].map(([wait, count]) => [`waits.${wait}`, count] as const),
      ...events([...EXPECTED, ...byEvent]),
      ...kinds([['backends.client backend', 0], ['backends.autovacuum worker', 0], ...byKind]),
      ['transactions.oldest_seconds', oldest],
      ['transactions.oldest_snapshot_age', oldestSnapshot],
    ];
  };
}

const add = (counts: Map<string, number>, name: string, more: number): void => {
  counts.set(name, (counts.get(name) ?? 0) + more);
};

const ACTIVITY: SamplePart = {
  name: 'pg_stat_activity',
  sql: () => `SELECT backend_type, state, wait_event_type, wait_event, count(*),
      max(extract(epoch FROM clock_timestamp() - xact_start)), max(age(backend_xmin))
    FROM pg_stat_activity WHERE pid <> pg_backend_pid() GROUP BY 1, 2, 3, 4`,
  missing: `The account has no permission to read pg_stat_activity. ${RIGHTS}`,
  read: activityRows,
};

/** Maximum distinct protocols and ciphers tracked. */
const CIPHERS = 20;

/** Encryption of client connections, including those of the tool, for which there is no other source. */
const ENCRYPTION: SamplePart = {
  name: 'pg_stat_ssl',
  sql: () => `SELECT CASE WHEN ssl THEN version || ' ' || cipher WHEN NOT ssl THEN 'none' ELSE 'not told' END, count(*)
    FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
    WHERE pid <> pg_backend_pid() AND coalesce(backend_type, 'client backend') = 'client backend' GROUP BY 1`,
  missing: `The account has no permission to read pg_stat_ssl. ${RIGHTS}`,
  read: (known) => {
    const kept = comingAndGoing(CIPHERS, 'encryption.', known);
    return (rows) => kept(rows.map(([what, count]) => [`encryption.${what}`, Number(count)]));
  },
};

const pairs = (name: string, missing: string, figures: Readonly<Record<string, string>>): SamplePart => ({
  name,
  sql: () =>
    `SELECT ${Object.entries(figures)
      .map(([name, sql]) => `${sql} AS "${name}"`)
      .join(', ')}`,
  missing,
  read:
    () =>
    ([row = []], columns) =>
      columns.map((name, index) => [name, row[index]]),
});

/** Current end of the log: written by this server, or replayed by a standby. */
const END = 'CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END';

/** None of them takes locks that clients need, or reads tables. */
export const POSTGRES_PARTS: readonly SamplePart[] = [
  view('pg_stat_database', ' WHERE datname = current_database()'),
  view('pg_stat_bgwriter'),
  view('pg_stat_checkpointer'),
  view('pg_stat_wal'),
  IO,
  ACTIVITY,
  ENCRYPTION,
  pairs('settings', 'The account has no permission to read settings, so limits are missing.', {
    'setting.max_connections': "current_setting('max_connections')::int8",
    'setting.shared_buffers_bytes': "pg_size_bytes(current_setting('shared_buffers'))",
    'setting.max_wal_size_bytes': "pg_size_bytes(current_setting('max_wal_size'))",
    'setting.autovacuum_max_workers': "current_setting('autovacuum_max_workers')::int8",
  }),
  pairs('log', 'This server does not report its WAL position, so the amount of WAL is missing.', {
    'wal.bytes': `pg_wal_lsn_diff(${END}, '0/0')`,
  }),
  pairs('checkpoint', 'This server does not report where its last checkpoint was.', {
    'wal.since_checkpoint_bytes': `pg_wal_lsn_diff(${END}, (SELECT redo_lsn FROM pg_control_checkpoint()))`,
  }),
  pairs('replication', `The account has no permission to read pg_stat_replication. ${RIGHTS}`, {
    'replication.standbys': '(SELECT count(*) FROM pg_stat_replication)',
    'replication.lag_bytes': `(SELECT max(pg_wal_lsn_diff(${END}, replay_lsn)) FROM pg_stat_replication)`,
    'replication.replay_delay_seconds':
      'CASE WHEN pg_is_in_recovery() THEN extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) END',
  }),
];

/** Views whose columns differ by version. */
export const POSTGRES_VIEWS = [
  'pg_stat_database',
  'pg_stat_bgwriter',
  'pg_stat_checkpointer',
  'pg_stat_wal',
  'pg_stat_io',
];
