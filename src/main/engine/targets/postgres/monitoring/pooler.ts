import { codeOf, wordsOf } from '../../failure.ts';
import type { PostgresConnection } from '../connection.ts';
import { CONSOLE, isPooled } from '../pooler.ts';
import type { Found } from './parts.ts';

/** What a pooler tells of itself, over a connection to its console that stays open. */
export interface PoolerSampler {
  read(): Promise<Found>;
}

/** Undefined: no pooler is in front. Without the right to ask it, or in front of another pooler than PgBouncer, only the problem. */
export async function poolerSampler(
  connection: PostgresConnection,
): Promise<{ sampler?: PoolerSampler; problem?: string } | undefined> {
  if (!(await isPooled(connection))) return undefined;
  try {
    const console = await connection.another(CONSOLE);
    const settings = await settingsOf(console);
    return { sampler: { read: async () => [...settings, ...(await statsOf(console)), ...(await poolsOf(console))] } };
  } catch (error) {
    const isPgBouncer = codeOf(error) === '08P01' && wordsOf(error) === 'not allowed';
    return {
      problem: isPgBouncer
        ? 'Clients that wait for a connection of the pool are not told: add the account to stats_users of PgBouncer, and they are.'
        : `The pooler in front of the server does not tell of its pools: ${wordsOf(error)}.`,
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

/** Rows of all databases but its own, with their columns. */
async function rowsOf(console: PostgresConnection, question: string): Promise<[string, number][]> {
  const { columns, rows } = await console.query(question);
  const database = columns.indexOf('database');
  return rows
    .filter((row) => row[database] !== CONSOLE)
    .flatMap((row) => columns.map((column, index): [string, number] => [column, Number(row[index])]));
}

/** What it has done so far: `total_…`, times in microseconds. */
async function statsOf(console: PostgresConnection): Promise<Found> {
  const totals = new Map<string, number>();
  for (const [column, value] of await rowsOf(console, 'SHOW STATS')) {
    if (column.startsWith('total_')) totals.set(column, (totals.get(column) ?? 0) + value);
  }
  return [...totals].map(([column, value]) => [`pgbouncer.stats.${column}`, value]);
}

/** Clients (`cl_…`) and connections to the server (`sv_…`) at this moment, and how long the first of those that wait has waited. */
async function poolsOf(console: PostgresConnection): Promise<Found> {
  const now = new Map(['cl_active', 'cl_waiting', 'sv_active', 'sv_idle'].map((column) => [column, 0]));
  let [longest, seconds] = [0, 0];
  for (const [column, value] of await rowsOf(console, 'SHOW POOLS')) {
    if (/^(cl|sv)_/.test(column)) now.set(column, (now.get(column) ?? 0) + value);
    // Whole seconds, then the microseconds beyond them.
    if (column === 'maxwait') seconds = value;
    if (column === 'maxwait_us') longest = Math.max(longest, seconds + value / 1e6);
  }
  return [...now, ['maxwait_seconds', longest] as const].map(([column, value]) => [`pgbouncer.pools.${column}`, value]);
}
