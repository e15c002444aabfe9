import { formatBytes, formatNumber } from '../util/format.ts';
import type { Comparison } from './result.ts';
import type { TargetDescription } from './target.ts';
import type { ServerSetting } from './target-details.ts';

/** A setting for display: bytes in MiB, figures with a unit grouped, everything else as the server reports it. */
export function settingWords({ value, unit }: { value: string; unit?: string | undefined }): string {
  if (!unit || value === '') return value;
  const figure = Number(value);
  if (!Number.isFinite(figure)) return `${value} ${unit}`;
  if (unit === 'bytes' && figure > 0) return formatBytes(figure);
  return `${Number.isInteger(figure) ? formatNumber(figure) : value} ${unit}`;
}

/** `why` is present for settings that matter for a result. */
export interface TargetSetting extends ServerSetting {
  why?: string;
}

/**
 * Settings of the description, in its order and with everything known about them, then all others, in the server's order. Settings of a
 * proxy in front have its name as a prefix: "PgBouncer pool_mode".
 */
export function everySetting(
  description: TargetDescription | undefined,
  settings: readonly ServerSetting[] = [],
): TargetSetting[] {
  const known = new Map(settings.map((setting) => [setting.name, setting]));
  const { middleware } = description ?? {};
  const described = [
    ...(description?.settings ?? []).map((setting): TargetSetting => {
      const own = known.get(setting.name);
      const unit = own?.unit ?? setting.unit;
      // A unit belongs to its own value: the description has "128MB" where the list has bytes.
      return { ...setting, why: setting.why ?? '', ...own, ...(unit === undefined ? {} : { unit }) };
    }),
    ...(middleware?.settings ?? []).map(
      (setting): TargetSetting => ({
        ...setting,
        why: setting.why ?? '',
        name: `${middleware?.product} ${setting.name}`,
      }),
    ),
  ];
  const names = new Set(described.map(({ name }) => name));
  return [...described, ...settings.filter(({ name }) => !names.has(name))];
}

/** Sources of values that were set explicitly, if the server reports no default. */
const CHOSEN =
  /^(command[- _]line( or file)?|configuration file\b.*|config|environment( variable)?|database( user)?|user|global|server|explicit|extra|login|persisted|dynamic|sql)$/;
/**
 * Sources of values that were not set explicitly. PostgreSQL: set by the connection that queried, which no tool uses. MariaDB: built in,
 * although the reported default may mean "sized at the start" (innodb_io_capacity_max) or belong to an alias.
 */
const NOT_CHOSEN = ['client', 'session', 'compile-time'];

/** Whether it differs from its default, as far as the server reports one. */
export function isChanged({ value, default: standard, source = '' }: ServerSetting): boolean {
  if (NOT_CHOSEN.includes(source)) return false;
  return standard === undefined ? CHOSEN.test(source) : value !== standard;
}

/** Names of settings about the place, account and lifetime of a server: each product has its own. */
const OF_START = [
  /(^|[_.])(port|socket|pid_?file(path)?|host_?name|server_u?u?id|report_host|bind_?(address|ip)|uptime)$/i,
  /(^|[_.])(data_?dir(ectory)?|db_?path|tmp_?dir|base_?dir|plugin_dir|hba_file|ident_file|config_file)$/i,
  /^(listen_addresses|unix_socket_directories|cluster_name|application_name|primary_conninfo|system_time_zone)$/i,
  /^(timestamp|pseudo_thread_id|rand_seed\d|identity|(last_)?insert_id|last_gtid)$/i,
  /^gtid_(executed|purged|\w+_pos|binlog_state)$/i,
  /^(wsrep_(node_\w+|start_position|cluster_address)|net\.unixDomainSocket\.pathPrefix|systemLog\.path)$/i,
  /^(log_bin_(basename|index)|relay_log(_(basename|index|info_file))?|log_error|\w+_log_file|log_(directory|filename))$/i,
  /^free( inodes)?$/,
];
const isPlace = (value: string): boolean => /^(\/\S*|[A-Z]:\\.*)$/i.test(value);

/** Whether the values of a setting differ between servers by nature: ports, paths, ids, times. */
export const isOfStart = ({ name, why }: Pick<TargetSetting, 'name' | 'why'>, values: readonly string[]): boolean =>
  OF_START.some((pattern) => pattern.test(name)) || (why === undefined && values.every(isPlace));

/** Settings that differ from their default: first those that matter, last those of a start. */
export function changedSettings(settings: readonly TargetSetting[]): TargetSetting[] {
  const rank = (setting: TargetSetting): number =>
    isOfStart(setting, [setting.value]) ? 2 : setting.why === undefined ? 1 : 0;
  return settings.filter(isChanged).sort((one, other) => rank(one) - rank(other));
}

/** Maximum number of additional differences in a text or report: other versions differ in hundreds. */
const MOST_OTHERS = 40;

/** Differences of settings for a text: a table without those that differ by nature, and sentences about what it omits. */
export function shortDifferences(settings: Comparison['settings']): {
  listed: Comparison['settings'];
  sentences: string[];
} {
  const of = (rank: Comparison['settings'][number]['rank']) => settings.filter((setting) => setting.rank === rank);
  const [others, started] = [of('other'), of('start')];
  const remaining = others.length - MOST_OTHERS;
  return {
    listed: [...of('matters'), ...others.slice(0, MOST_OTHERS)],
    sentences: [
      ...(remaining > 0 ? [`${formatNumber(remaining)} more differ; see the comparison in the app.`] : []),
      ...(started.length > 0 ? [`Always different: ${started.map(({ name }) => name).join(', ')}.`] : []),
    ],
  };
}
