import type { Durability } from '../../../../shared/model/target.ts';
import type { ServerSetting, SettingChange, SettingValues } from '../../../../shared/model/target-details.ts';
import { durabilityOf, type Judged } from '../durability.ts';
import { bySettingName, dependents, settingOf, type Wanted } from '../server-facts.ts';
import type { SettingDependency } from '../target.ts';
import type { PostgresConnection } from './connection.ts';

/** Settings with the most influence on results, in the order shown. Values as printed by `SHOW`, with their unit. */
export const POSTGRES_SETTINGS: readonly Wanted[] = [
  { name: 'shared_buffers', why: 'Data beyond it is read from the operating system or the disk.', needs: 'misses' },
  { name: 'effective_cache_size', why: 'Cache size that the planner assumes.' },
  { name: 'work_mem', why: 'Sorts beyond it go to the disk.' },
  { name: 'fsync', why: 'off: nothing waits for the disk; a power cut can damage the database.', needs: 'writes' },
  { name: 'synchronous_commit', why: 'off: a commit does not wait for the disk.', needs: 'writes' },
  {
    name: 'full_page_writes',
    why: 'Guards against half-written pages; the log grows after each checkpoint.',
    needs: 'writes',
  },
  { name: 'wal_level', why: 'replica and logical write more than minimal.', needs: 'writes' },
  { name: 'wal_sync_method', why: 'How the log is flushed to disk.', needs: 'writes' },
  { name: 'wal_compression', why: 'Smaller log for more CPU time.', needs: 'writes' },
  { name: 'wal_buffers', why: 'Log buffered in memory before it is written.', needs: 'writes' },
  { name: 'max_wal_size', why: 'A small value forces checkpoints.', needs: 'writes' },
  { name: 'checkpoint_timeout', why: 'Longest time between checkpoints.', needs: 'writes' },
  { name: 'checkpoint_completion_target', why: 'Spreads the writing of a checkpoint.', needs: 'writes' },
  { name: 'commit_delay', why: 'Waits to flush several commits at once.', needs: 'writes' },
  { name: 'bgwriter_lru_maxpages', why: 'Rate of background write-back.', needs: 'writes' },
  { name: 'autovacuum', why: 'off: no automatic VACUUM; dead rows accumulate.', needs: 'writes' },
  { name: 'random_page_cost', why: 'High values discourage index scans.' },
  { name: 'max_connections', why: 'More clients than this cannot connect.' },
  { name: 'huge_pages', why: 'Fewer TLB misses with a large shared_buffers.' },
  { name: 'jit', why: 'Compiles long queries.' },
];

/** Durability with each setting turned off. */
const IF_OFF: ReadonlyMap<string, Judged['level']> = new Map([
  ['fsync', 'unsafe'],
  ['full_page_writes', 'unsafe'],
  ['synchronous_commit', 'relaxed'],
]);

/** The durability that a value of this setting alone amounts to. Undefined if it does not affect it. */
export function postgresSettingDurability(name: string, value: string): Judged['level'] | undefined {
  const off = IF_OFF.get(name.toLowerCase());
  return off && (/^(off|false|no|0)$/i.test(value) ? off : 'safe');
}

/** Durability, by the server's own settings. */
export function postgresDurability(settings: ReadonlyMap<string, string>): Durability {
  const judged = [...IF_OFF.keys()].flatMap((name): Judged[] => {
    const value = settings.get(name);
    const level = value === undefined ? undefined : postgresSettingDurability(name, value);
    return value === undefined || level === undefined ? [] : [{ name, value, level }];
  });
  return durabilityOf(
    judged,
    ['fsync', 'synchronous_commit'].filter((name) => !settings.has(name)),
  );
}

/** From its manual: a setting has no effect while the one it depends on is off. */
const DEPENDENCIES: readonly [string, SettingDependency][] = [
  ...dependents('fsync', 'wal_sync_method'),
  ...dependents('commit_delay', 'commit_siblings'),
  ...dependents(
    'autovacuum',
    'autovacuum_max_workers autovacuum_naptime autovacuum_vacuum_threshold autovacuum_vacuum_scale_factor autovacuum_analyze_threshold autovacuum_analyze_scale_factor autovacuum_vacuum_cost_delay autovacuum_vacuum_cost_limit autovacuum_work_mem',
  ),
  ...dependents('jit', 'jit_above_cost jit_inline_above_cost jit_optimize_above_cost'),
  ...dependents('bgwriter_lru_maxpages', 'bgwriter_delay bgwriter_lru_multiplier bgwriter_flush_after'),
  ...dependents('huge_pages', 'huge_page_size'),
  ...dependents('geqo', 'geqo_threshold geqo_effort geqo_pool_size geqo_generations'),
  ...dependents('max_parallel_workers', 'max_parallel_workers_per_gather max_parallel_maintenance_workers'),
];

export const postgresDependencies = (name: string): SettingDependency[] =>
  DEPENDENCIES.flatMap(([dependent, on]) => (dependent === name.toLowerCase() ? [on] : []));

const CHANGES: ReadonlyMap<string, SettingChange> = new Map(
  Object.entries<SettingChange>({
    internal: 'fixed',
    postmaster: 'restart',
    sighup: 'reload',
    'superuser-backend': 'connection',
    backend: 'connection',
    superuser: 'dynamic',
    user: 'dynamic',
  }),
);

/** Units of sizes in bytes, including pages of the server and of its log. */
const BYTE_UNITS = /^(\d*)(B|kB|MB|GB|TB)$/;
const FACTORS: Readonly<Record<string, number>> = { B: 1, kB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

const unitOf = (unit: unknown): string | undefined =>
  typeof unit !== 'string' ? undefined : BYTE_UNITS.test(unit) ? 'bytes' : unit;

/** Negative values have special meanings. */
function inBytes(value: string, unit: unknown): string {
  const [, count = '', name = ''] = BYTE_UNITS.exec(String(unit)) ?? [];
  const factor = FACTORS[name];
  const figure = Number(value);
  return factor === undefined || !(figure > 0) ? value : String(figure * factor * Number(count || 1));
}

function takenValues(unit: unknown, least: unknown, most: unknown, list: unknown): SettingValues | undefined {
  if (typeof list === 'string') return { list: JSON.parse(list) as string[] };
  if (typeof least !== 'string' || typeof most !== 'string') return undefined;
  return { least: inBytes(least, unit), most: inBytes(most, unit) };
}

/** All settings of pg_settings visible to the account, sizes in bytes. Defaults are built-in values. The source notes changes that need a restart. */
export async function postgresVariables(connection: PostgresConnection): Promise<ServerSetting[]> {
  const { rows } = await connection.query(
    `SELECT name, setting, unit, boot_val, context, source, pending_restart, min_val, max_val, array_to_json(enumvals)::text
     FROM pg_settings`,
  );
  return rows
    .map(([name, setting, unit, standard, context, source, waits, least, most, list]) =>
      settingOf(String(name), inBytes(String(setting ?? ''), unit), {
        unit: unitOf(unit),
        default: typeof standard === 'string' ? inBytes(standard, unit) : undefined,
        change: CHANGES.get(String(context)),
        takes: takenValues(unit, least, most, list),
        source: waits === true ? `${source}, changed since: waits for a restart` : String(source),
      }),
    )
    .sort(bySettingName);
}
