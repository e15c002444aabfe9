import { codeOf, wordsOf } from '../../failure.ts';
import type { PostgresConnection } from '../connection.ts';
import { CONSOLE, isPooled } from '../managed-pooler.ts';
import type { Found } from './parts.ts';

/** What a pooler tells of itself, over a connection to its console that stays open. */
export interface PoolerSampler {
  read(): Promise<PoolerSample>;
}

export interface PoolerSample {
  found: Found;
  /**
   * Whether a question takes a connection of the pool for its own time only. With pooling by session it would keep one for good, which the
   * clients that are measured then lack.
   */
  shares: boolean;
}

/** Undefined: no pooler is in front. Without the right to ask it, or in front of another pooler than PgBouncer, only the problem. */
export async function poolerSampler(
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
    const isPgBouncer = codeOf(error) === '08P01' && wordsOf(error) === 'not allowed';
    return {
      problem: isPgBouncer
        ? 'Neither PgBouncer nor the server behind it is watched: add the account to stats_users of PgBouncer. Asking through a pool could take a connection from the clients that are measured.'
        : `Neither the pooler nor the server behind it is watched, as asking through a pool could take a connection from the clients that are measured. The pooler does not report its pools: ${wordsOf(error)}.`,
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

/** Rows of all databases but its own, column by column. */
async function rowsOf(console: PostgresConnection, question: string): Promise<[column: string, value: unknown][][]> {
  const { columns, rows } = await console.query(question);
  const database = columns.indexOf('database');
  return rows
    .filter((row) => row[database] !== CONSOLE)
    .map((row) => columns.map((column, index): [string, unknown] => [column, row[index]]));
}

/** What it has done so far: `total_…`, times in microseconds. */
async function statsOf(console: PostgresConnection): Promise<Found> {
  const totals = new Map<string, number>();
  for (const [column, value] of (await rowsOf(console, 'SHOW STATS')).flat()) {
    if (column.startsWith('total_')) totals.set(column, (totals.get(column) ?? 0) + Number(value));
  }
  return [...totals].map(([column, value]) => [`pgbouncer.stats.${column}`, value]);
}

/** Clients (`cl_…`) and connections to the server (`sv_…`) at this moment, and how long the first of those that wait has waited. */
async function poolsOf(console: PostgresConnection): Promise<PoolerSample> {
  const now = new Map(['cl_active', 'cl_waiting', 'sv_active', 'sv_idle'].map((column) => [column, 0]));
  let [longest, seconds] = [0, 0];
  const rows = await rowsOf(console, 'SHOW POOLS');
  const modes = rows.flatMap((row) => row.filter(([column]) => column === 'pool_mode').map(([, mode]) => mode));
  for (const [column, cell] of rows.flat()) {
    const value = Number(cell);
    if (/^(cl|sv)_/.test(column)) now.set(column, (now.get(column) ?? 0) + value);
    // Whole seconds, then the microseconds beyond them.
    if (column === 'maxwait') seconds = value;
    if (column === 'maxwait_us') longest = Math.max(longest, seconds + value / 1e6);
  }
  const found = [...now, ['maxwait_seconds', longest] as const];
  return {
    found: found.map(([column, value]) => [`pgbouncer.pools.${column}`, value]),
    shares: modes.length > 0 && modes.every((mode) => mode === 'transaction' || mode === 'statement'),
  };
}
