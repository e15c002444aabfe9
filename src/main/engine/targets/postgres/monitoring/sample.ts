import { setTimeout as delay } from 'node:timers/promises';
import { wordsOf } from '../../failure.ts';
import { QUERY_LIMIT } from '../../link.ts';
import { FIGURES_LIMIT } from '../../sampling.ts';
import { numbersFrom } from '../../server-facts.ts';
import type { AnswerTable, ServerSample, TableHow } from '../../target.ts';
import type { PostgresConnection } from '../connection.ts';
import { isCancelled, isConsoleDenied, isPoolerRefusal, isRefusal } from '../failure.ts';
import { CONSOLE, isPooled } from '../managed-pooler.ts';
import { type Columns, type Found, POSTGRES_PARTS, POSTGRES_VIEWS, type SamplePart } from './parts.ts';

/** Statistics of a pooler, over a connection to its console that stays open. */
interface PoolerSampler {
  read(): Promise<PoolerSample>;
}

interface PoolerSample {
  found: Found;
  /**
   * Whether a query occupies a pool connection only while it runs. With session pooling it would keep one, at the expense of the measured clients.
   */
  shares: boolean;
}

/** Undefined without a pooler. Only the problem if the account may not query it, or if it is not PgBouncer. */
async function poolerSampler(
  connection: PostgresConnection,
): Promise<{ sampler?: PoolerSampler; problem?: string } | undefined> {
  if (!(await isPooled(connection))) return undefined;
  try {
    const console = await connection.another(CONSOLE);
    const settings = await settingsOf(console);
    const read = async (): Promise<PoolerSample> => {
      const { found, shares } = await poolsOf(console);
      return { found: [...settings, ...(await statsOf(console)), ...found], shares };
    };
    return { sampler: { read } };
  } catch (error) {
    if (!isPoolerRefusal(error)) throw error;
    return {
      problem: isConsoleDenied(error)
        ? 'Neither PgBouncer nor the server behind it is monitored: monitoring queries could take a connection from the measured clients. To monitor PgBouncer, add the account to its stats_users.'
        : `Neither the pooler nor the server behind it is monitored: monitoring queries could take a connection from the measured clients. The pooler does not report its pools: ${wordsOf(error)}.`,
    };
  }
}

const LIMITS = ['default_pool_size', 'max_client_conn'];

async function settingsOf(console: PostgresConnection): Promise<Found> {
  const { rows } = await console.query('SHOW CONFIG');
  return rows.flatMap(([name, value]) =>
    LIMITS.includes(String(name)) ? [[`pgbouncer.setting.${name}`, value] as const] : [],
  );
}

/** Rows of all databases except its own, column by column. */
async function rowsOf(console: PostgresConnection, question: string): Promise<[column: string, value: unknown][][]> {
  const { columns, rows } = await console.query(question);
  const database = columns.indexOf('database');
  return rows
    .filter((row) => row[database] !== CONSOLE)
    .map((row) => columns.map((column, index): [string, unknown] => [column, row[index]]));
}

/** Totals so far: `total_…`, times in microseconds. */
async function statsOf(console: PostgresConnection): Promise<Found> {
  const totals = new Map<string, number>();
  for (const [column, value] of (await rowsOf(console, 'SHOW STATS')).flat()) {
    if (column.startsWith('total_')) totals.set(column, (totals.get(column) ?? 0) + Number(value));
  }
  return [...totals].map(([column, value]) => [`pgbouncer.stats.${column}`, value]);
}

/** Current clients (`cl_…`) and server connections (`sv_…`), and the time that the longest waiting client has waited. */
async function poolsOf(console: PostgresConnection): Promise<PoolerSample> {
  const now = new Map(['cl_active', 'cl_waiting', 'sv_active', 'sv_idle'].map((column) => [column, 0]));
  let [longest, seconds] = [0, 0];
  const rows = await rowsOf(console, 'SHOW POOLS');
  const modes = rows.flatMap((row) => row.filter(([column]) => column === 'pool_mode').map(([, mode]) => mode));
  for (const [column, cell] of rows.flat()) {
    const value = Number(cell);
    if (/^(cl|sv)_/.test(column)) now.set(column, (now.get(column) ?? 0) + value);
    // Whole seconds, then the additional microseconds.
    if (column === 'maxwait') seconds = value;
    if (column === 'maxwait_us') longest = Math.max(longest, seconds + value / 1e6);
  }
  const found = [...now, ['maxwait_seconds', longest] as const];
  return {
    found: found.map(([column, value]) => [`pgbouncer.pools.${column}`, value]),
    shares: modes.length > 0 && modes.every((mode) => mode === 'transaction' || mode === 'statement'),
  };
}

async function columnsOf(connection: PostgresConnection): Promise<Columns> {
  const { rows } = await connection.query(
    `SELECT relname, attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = $1::regnamespace AND relname = ANY($2::text[]) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    ['pg_catalog', POSTGRES_VIEWS],
  );
  const found = new Map<string, string[]>();
  for (const [relation, column] of rows) {
    found.set(String(relation), [...(found.get(String(relation)) ?? []), String(column)]);
  }
  return found;
}

interface AskedPart {
  name: string;
  sql: string;
  read: ReturnType<SamplePart['read']>;
}

/** Runs each part once by itself. Parts that the server lacks or the account may not read are omitted from then on. */
export async function partsOf(connection: PostgresConnection): Promise<{ parts: AskedPart[]; problems: string[] }> {
  const columns = await columnsOf(connection);
  const [parts, problems]: [AskedPart[], string[]] = [[], []];
  for (const part of POSTGRES_PARTS) {
    const sql = part.sql(columns);
    if (sql === undefined) continue;
    try {
      await connection.query(sql);
      parts.push({ name: part.name, sql, read: part.read() });
    } catch (error) {
      if (!isRefusal(error) || isCancelled(error)) throw error;
      problems.push(part.missing);
    }
  }
  const { rows } = await connection.query("SELECT pg_has_role(current_user, 'pg_read_all_stats', 'USAGE')");
  if (rows[0]?.[0] !== true) {
    problems.push(
      'The account has no permission to see the activity and waits of other accounts’ sessions. Grant pg_monitor to it to include them.',
    );
  }
  return { parts, problems };
}

const BY_SESSION =
  'The server behind the pooler is not monitored: with session pooling, a monitoring query would hold a connection that the measured clients need.';

/** Milliseconds that a sample waits for a pool connection, and the limit of such a query: PgBouncer gives up after 120 s. */
const TIMEOUT_MS = 700;
const POOLED_LIMIT = 180_000;

/**
 * Everything in one round trip and one read-only transaction. Behind a pooler, this query waits for a connection like those of clients; until it gets
 * one, samples contain only the pooler's figures. The server calculates its result when it receives the query, so a late one has the values of that
 * moment.
 */
export function postgresSampler(connection: PostgresConnection): () => Promise<ServerSample> {
  let asked: AskedPart[] | undefined;
  let pooler: Awaited<ReturnType<typeof poolerSampler>>;
  let pending: Promise<Found> | undefined;
  const first = async (): Promise<string[]> => {
    pooler = await poolerSampler(connection);
    if (pooler && !(await pooler.sampler?.read())?.shares) {
      // Checking for a pooler has already taken a connection of its pool. Release it.
      await connection.release();
      asked = [];
      return [pooler.problem ?? BY_SESSION];
    }
    const { parts, problems } = await partsOf(connection);
    asked = parts;
    return problems;
  };
  const ofServer = async (limit: number): Promise<Found> => {
    const parts = asked ?? [];
    const answers = await connection.several(parts.map(({ sql }) => sql).join(';\n'), limit);
    return answers.flatMap(({ rows, columns }, index) => parts[index]?.read(rows, columns) ?? []);
  };
  const whenItComes = async (): Promise<Found> => {
    pending ??= ofServer(POOLED_LIMIT).finally(() => {
      pending = undefined;
    });
    // A failure between two samples is reported by the next question.
    pending.catch(() => undefined);
    return Promise.race([pending, delay(TIMEOUT_MS, [] as Found, { ref: false })]);
  };
  /** The pool mode can change between trials. */
  const behindPooler = async (): Promise<Found> => {
    const pooled = await pooler?.sampler?.read();
    const ofItsServer = pooled?.shares && asked && asked.length > 0 ? await whenItComes() : [];
    return [...(pooled?.found ?? []), ...ofItsServer];
  };
  return async () => {
    const problems = asked ? [] : await first();
    const found = pooler ? await behindPooler() : await ofServer(QUERY_LIMIT);
    return { metrics: numbersFrom(found), ...(problems.length > 0 && { problems }) };
  };
}

const LIMITED = `SET LOCAL statement_timeout = ${FIGURES_LIMIT}`;
export const BEFORE_STATEMENT = ['BEGIN READ ONLY', LIMITED];

/**
 * Returns the result of a user statement that is queried repeatedly. It runs in its own read-only transaction with a local time limit: a session
 * limit would stay on a connection that a pooler passes to others.
 */
export async function postgresTable(
  connection: PostgresConnection,
  statement: string,
  { first = [], writes = false }: TableHow = {},
): Promise<AnswerTable> {
  const before = [...(writes ? ['BEGIN', LIMITED] : BEFORE_STATEMENT), ...first];
  try {
    // A statement may end with a comment.
    const answers = await connection.several(
      [...before.map((each) => `${each}\n`), `${statement}\n`, 'COMMIT'].join(';'),
      2 * FIGURES_LIMIT,
    );
    return answers[before.length] ?? { columns: [], rows: [] };
  } catch (error) {
    await connection.several('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
