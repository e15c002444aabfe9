import { capital } from '../util/format.ts';
/**
 * Kind of a metric's figure for a run or cell: a rate, the mean over events, a percentile of the events, the largest or smallest of all, or
 * a level that is watched over time.
 */
export type Statistic = 'rate' | 'mean' | 'percentile' | 'maximum' | 'minimum' | 'level';

/** How a metric's values of the same second combine over the generators of one run. */
export type Combine = 'sum' | 'max' | 'none';

export interface Metric {
  id: string;
  /** Words for an axis, without the unit. */
  label: string;
  unit: string;
  better: 'higher' | 'lower' | 'neither';
  combine: Combine;
  /** Decimals shown. */
  digits: number;
  /** Decides how seconds, generators and repeats are combined. */
  statistic: Statistic;
  /** It measures the duration of events. */
  latency?: true;
  /** Its work if that is counted in bytes, worded to follow “a TiB of”: “MiB read”. */
  work?: string;
}

/** Name for the first of a ranking if it is not shown to be better than the next: the better direction is known, and no more. */
export const extremeWord = ({ better }: Pick<Metric, 'better'>): 'Highest' | 'Lowest' =>
  better === 'lower' ? 'Lowest' : 'Highest';

const metric = (
  id: string,
  label: string,
  unit: string,
  better: Metric['better'],
  combine: Combine,
  digits = 0,
  more: Partial<Pick<Metric, 'statistic' | 'latency' | 'work'>> = {},
): Metric => ({ id, label, unit, better, combine, digits, statistic: combine === 'sum' ? 'rate' : 'level', ...more });

const latency = (figure: string, label: string, statistic: Statistic, combine: Combine = 'none'): Metric =>
  metric(`latency_${figure}_ms`, `Latency, ${label}`, 'ms', 'lower', combine, 2, { statistic, latency: true });

/** Sizes of the data and logs of a server, read before and after a run: no tool reports them, and no cut applies. */
const SIZES: readonly Metric[] = [
  metric('stored_data_before_mib', 'Data on disk, before the run', 'MiB', 'neither', 'none', 1),
  metric('stored_data_mib', 'Data on disk, after the run', 'MiB', 'neither', 'none', 1),
  metric('stored_data_growth_mib_h', 'Data on disk, growth', 'MiB/h', 'neither', 'none', 1),
  metric('stored_length_before_mib', 'Length of data files, before the run', 'MiB', 'neither', 'none', 1),
  metric('stored_length_mib', 'Length of data files, after the run', 'MiB', 'neither', 'none', 1),
  metric('stored_log_before_mib', 'Log on disk, before the run', 'MiB', 'neither', 'none', 1),
  metric('stored_log_mib', 'Log on disk, after the run', 'MiB', 'neither', 'none', 1),
  metric('stored_log_growth_mib_h', 'Log on disk, growth', 'MiB/h', 'neither', 'none', 1),
  metric('stored_binlog_before_mib', 'Binary log on disk, before the run', 'MiB', 'neither', 'none', 1),
  metric('stored_binlog_mib', 'Binary log on disk, after the run', 'MiB', 'neither', 'none', 1),
  metric('stored_binlog_growth_mib_h', 'Binary log on disk, growth', 'MiB/h', 'neither', 'none', 1),
  metric('stored_rows_before', 'Rows stored, before the run', 'rows', 'neither', 'none'),
  metric('stored_rows', 'Rows stored, after the run', 'rows', 'neither', 'none'),
  metric('stored_rows_growth_h', 'Rows stored, growth', 'rows/h', 'neither', 'none'),
  metric('stored_compression_before', 'Compression ratio, before the run', '', 'higher', 'none', 2),
  metric('stored_compression', 'Compression ratio, after the run', '', 'higher', 'none', 2),
];
const SIZE_IDS: ReadonlySet<string> = new Set(SIZES.map(({ id }) => id));
export const isSize = (id: string): boolean => SIZE_IDS.has(id);

/** Every metric that the app can store, chart, compare and price. Parsers emit only these ids, except those of sizes. */
const METRICS: readonly Metric[] = [
  metric('tps', 'Transactions', 'tps', 'higher', 'sum'),
  metric('qps', 'Queries', 'qps', 'higher', 'sum'),
  metric('qps_read', 'Read queries', 'qps', 'higher', 'sum'),
  metric('qps_write', 'Write queries', 'qps', 'higher', 'sum'),
  metric('qps_other', 'Other queries', 'qps', 'neither', 'sum'),
  metric('queries_per_h', 'Timed queries', 'per hour', 'higher', 'none', 1, { statistic: 'rate' }),
  metric('ops', 'Operations', 'ops/s', 'higher', 'sum'),
  metric('ops_read', 'Reads', 'ops/s', 'higher', 'sum'),
  metric('ops_update', 'Updates', 'ops/s', 'higher', 'sum'),
  metric('ops_insert', 'Inserts', 'ops/s', 'higher', 'sum'),
  metric('ops_scan', 'Scans', 'ops/s', 'higher', 'sum'),
  metric('ops_rmw', 'Read-modify-writes', 'ops/s', 'higher', 'sum'),
  metric('ops_delete', 'Deletes', 'ops/s', 'higher', 'sum'),
  metric('eps', 'Events', 'events/s', 'higher', 'sum'),
  latency('avg', 'mean', 'mean'),
  latency('p50', 'median', 'percentile'),
  latency('max', 'maximum', 'maximum', 'max'),
  latency('min', 'minimum', 'minimum'),
  latency('stddev', 'standard deviation', 'level'),
  metric('lag_avg_ms', 'Lag behind the planned start, mean', 'ms', 'lower', 'none', 2),
  metric('lag_max_ms', 'Lag behind the planned start, maximum', 'ms', 'lower', 'max', 2, { statistic: 'maximum' }),
  latency('little', 'clients ÷ throughput', 'level'),
  metric('took_s', 'Time taken', 's', 'lower', 'max', 2, { statistic: 'level' }),
  metric('stalls', 'Stalls', 'per run', 'lower', 'none', 1),
  metric('stall_longest_s', 'Longest stall', 's', 'lower', 'none', 1, { statistic: 'maximum' }),
  metric('stalled_pct', 'Time stalled', '%', 'lower', 'none', 1),
  metric('recovery_s', 'Time to recover', 's', 'lower', 'none', 1),
  metric('recovery_depth_pct', 'Depth of the dip', '%', 'lower', 'none', 1),
  metric('tool_restarts', 'Restarts of the tool', 'per run', 'lower', 'sum'),
  metric('tool_down_s', 'Time without the tool', 's', 'lower', 'max', 1, { statistic: 'level' }),
  metric('variation_pct', 'Variation of throughput', '%', 'lower', 'none', 1),
  metric('new_orders_per_s', 'New orders', 'per s', 'higher', 'sum', 2),
  metric('rollbacks_per_s', 'Rolled back transactions', 'per s', 'neither', 'sum', 2),
  metric('rows_per_s', 'Rows loaded', 'per s', 'higher', 'sum'),
  metric('rows_inserted', 'Rows inserted since the start', 'rows', 'neither', 'sum'),
  metric('errors_per_s', 'Errors', 'per s', 'lower', 'sum', 2),
  metric('reconnects_per_s', 'Reconnects', 'per s', 'lower', 'sum', 2),
  metric('retries_per_s', 'Retries', 'per s', 'lower', 'sum', 2),
  metric('skipped_per_s', 'Skipped', 'per s', 'lower', 'sum', 2),
  metric('iops', 'I/O operations', 'IOPS', 'higher', 'sum'),
  metric('iops_read', 'Read operations', 'IOPS', 'higher', 'sum'),
  metric('iops_write', 'Write operations', 'IOPS', 'higher', 'sum'),
  metric('read_mib_s', 'Read throughput', 'MiB/s', 'higher', 'sum', 2, { work: 'MiB read' }),
  metric('write_mib_s', 'Write throughput', 'MiB/s', 'higher', 'sum', 2, { work: 'MiB written' }),
  metric('read_write_mib_s', 'Read and write throughput', 'MiB/s', 'higher', 'sum', 2, { work: 'MiB read or written' }),
  metric('rows_read_per_s', 'Rows read by the server', 'rows/s', 'higher', 'none', 0, { statistic: 'rate' }),
  metric('data_read_mib_s', 'Data read by the server', 'MiB/s', 'higher', 'none', 1, {
    statistic: 'rate',
    work: 'MiB read',
  }),
  metric('fsyncs_per_s', 'fsyncs', 'per s', 'higher', 'sum'),
  metric('transfer_mib_s', 'Memory throughput', 'MiB/s', 'higher', 'sum', 2),
  metric('cpu_user_pct', 'CPU time of the jobs, user', '%', 'neither', 'none', 1),
  metric('cpu_system_pct', 'CPU time of the jobs, system', '%', 'neither', 'none', 1),
  metric('progress_pct', 'Progress', '%', 'neither', 'none', 1),
  metric('threads_running', 'Running threads', 'threads', 'neither', 'sum'),
  metric('queue_length', 'Queue length', 'events', 'lower', 'sum'),
  metric('queue_concurrency', 'Queue concurrency', 'events', 'neither', 'sum'),
  ...SIZES,
];

/** Metrics that grow through a run from zero, so that other metrics can be drawn along them instead of time. */
export const PROGRESS: readonly string[] = ['rows_inserted'];

/** Only metrics that show the progress of a run. */
export const progressMetrics = (ids: readonly string[]): string[] => ids.filter((id) => PROGRESS.includes(id));

/** Latency by Little's law: clients ÷ throughput. */
export const LITTLE = 'latency_little_ms';
/** Standard deviation ÷ mean of the seconds of a run's throughput: its unsteadiness. Includes stalls and dips. */
export const VARIATION = 'variation_pct';
/** Figures about the stalls of a run. */
export const STALLS = { count: 'stalls', longest: 'stall_longest_s', share: 'stalled_pct' } as const;

export { isRecovery, RECOVERY } from '../model/scenario.ts';

/** Final figure: the second from which the other figures count, if the tool restarted its figures during a run. */
export const COUNTED_FROM = 'counted_from_s';

/** Rates that count the events that latencies belong to; the first one that a run has is used. */
const EVENT_RATES = ['tps', 'ops', 'iops', 'eps', 'qps'];

/** The rate that shows whether a run stalled: its events per second. Undefined if it has none. */
export const eventRate = (ids: readonly string[]): string | undefined => EVENT_RATES.find((id) => ids.includes(id));

/** The rate of the events that a latency belongs to: for `read_latency_avg_ms` that of the reads. Undefined if there is none. */
export function rateOfLatency(id: string, ids: readonly string[]): string | undefined {
  const { part, operation } = readId(id);
  const rates =
    operation === undefined
      ? EVENT_RATES
      : [`ops_${operation}`, `iops_${operation}`, ...(operation === 'sync' ? ['fsyncs_per_s'] : [])];
  return rates.map((rate) => (part ? partMetric(part, rate) : rate)).find((rate) => ids.includes(rate));
}

/** User-defined metrics: name, unit and direction are parts of their ids, so that any code with an id can show them. */
const MEASURE = 'measure';
const BETTER: readonly Metric['better'][] = ['higher', 'lower', 'neither'];
const MEASURED: readonly Statistic[] = ['level', 'percentile', 'maximum', 'minimum'];

/** A colon separates the parts of an id. Page addresses contain ids, and decode percent signs more than once. */
const ESCAPES: readonly (readonly [letter: string, escape: string])[] = [
  ['~', '~~'],
  [':', '~.'],
  ['%', '~p'],
];
const escaped = (part: string): string =>
  part.replaceAll(/[~:%]/g, (letter) => ESCAPES.find(([own]) => own === letter)?.[1] ?? letter);
const unescaped = (part: string): string =>
  part.replaceAll(/~[~.p]/g, (letters) => ESCAPES.find(([, own]) => own === letters)?.[0] ?? letters);

/** `throughput` in MiB/s → `measure:throughput:MiB/s:higher:level:2`. */
export const measureId = ({
  label,
  unit,
  better,
  statistic,
  digits,
}: Pick<Metric, 'label' | 'unit' | 'better' | 'statistic' | 'digits'>): string =>
  [MEASURE, label, unit, better, statistic, String(digits)].map(escaped).join(':');

/** Undefined if the id is not that of a measure. */
function definedMetric(id: string): Metric | undefined {
  if (!isMeasureId(id)) return undefined;
  const [, label = '', unit = '', ...rest] = id.split(':').map(unescaped);
  const better = BETTER.find((each) => each === rest[0]);
  const statistic = MEASURED.find((each) => each === rest[1]);
  if (label === '' || !better || !statistic || !/^[0-6]$/.test(rest[2] ?? '')) return undefined;
  return metric(id, label, unit, better, 'none', Number(rest[2]), { statistic });
}

export const isMeasureId = (id: string): boolean => id.startsWith(`${MEASURE}:`);

/** A metric in a list that a program reads: a measure by its name. */
export const metricName = (id: string): string => definedMetric(id)?.label ?? id;

const BY_ID = new Map(METRICS.map((entry) => [entry.id, entry]));

/** Numbers of tables of facts are final figures: `fact:TABLE:COLUMN`, or `fact:TABLE:COLUMN:ROW` if the table has several rows. */
const FACT = 'fact';

export const factMetric = (table: string, column: string, row?: string): string =>
  [FACT, table, column, ...(row === undefined ? [] : [row])].map(escaped).join(':');

/** Table, column and row of a number of a table of facts; undefined for any other id. */
export function factParts(id: string): { table: string; column: string; row?: string } | undefined {
  const [first, table = '', column = '', row] = id.split(':').map(unescaped);
  if (first !== FACT || table === '' || column === '') return undefined;
  return { table, column, ...(row !== undefined && { row }) };
}

/** `fact:sizes:data_bytes:pages` → sizes: data bytes, pages. */
function factOf(id: string): Metric | undefined {
  const parts = factParts(id);
  if (!parts) return undefined;
  const { table, column, row } = parts;
  const [, unit = '', digits = 2] = UNITS.find(([end]) => end.test(column)) ?? [];
  const label = [`${table}: ${column.replaceAll('_', ' ')}`, row].filter(Boolean).join(', ');
  return metric(id, label, unit, 'neither', 'none', digits);
}

/** Ids of all registered metrics. */
export const KNOWN_METRICS: readonly string[] = METRICS.map(({ id }) => id);

/** The parts of an id: `job_2_read_completion_latency_p99_ms`. */
interface IdParts {
  /** `job_2`: a part of the run that has its own figures. */
  readonly part: string | undefined;
  /** The id without its part. */
  readonly whole: string;
  /** `read`, or any other prefix of `latency`. */
  readonly operation: string | undefined;
  /**
   * `intended`: from the moment the operation was due, including its wait in the generator. `completion`: from the moment the kernel
   * accepted it, without its submission. `submission`: the submission alone.
   */
  readonly stage: string | undefined;
  /** `latency_p99_ms`: the same figure for all operations; undefined if the id is not a latency. */
  readonly latency: string | undefined;
  /** `avg`, `max`, `min`, or `p` with the digits of a percentile. */
  readonly figure: string | undefined;
}

const PART = /^((?:job|group|stream)_\d+|(?:query|place):[^:]+:)_([a-z]\w*)$/;
const LATENCY = /^(?:(.+?)_)??(?:(intended|completion|submission)_)?(latency_(avg|max|min|p\d+)_ms)$/;

/** The only place that parses ids of metrics. */
function readId(id: string): IdParts {
  const [, part, rest] = PART.exec(id) ?? [];
  const whole = rest ?? id;
  const [, operation, stage, latency, figure] = LATENCY.exec(whole) ?? [];
  return { part, whole, operation, stage, latency, figure };
}

/** Kinds of operation that have a rate (`ops_read`) and their own latencies (`read_latency_p99_ms`), with their words. */
const OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['read', 'Read'],
  ['update', 'Update'],
  ['insert', 'Insert'],
  ['scan', 'Scan'],
  ['rmw', 'Read-modify-write'],
  ['delete', 'Delete'],
  ['write', 'Write'],
  ['sync', 'fsync'],
]);

/** Id of a latency percentile as tools print it: 95 → `latency_p95_ms`, 99.9 → `latency_p999_ms`. */
export const percentileMetric = (percentile: number): string => `latency_p${String(percentile).replace('.', '')}_ms`;

const percentileOf = (digits: string): number =>
  digits === '100' || digits.length <= 2 ? Number(digits) : Number(`${digits.slice(0, 2)}.${digits.slice(2)}`);

/** The percentile of any latency, including those of one kind of operation or part of a run: 99.9 for `read_latency_p999_ms`. */
export function percentileIn(id: string): number | undefined {
  const { figure } = readId(id);
  return figure?.startsWith('p') ? percentileOf(figure.slice(1)) : undefined;
}

/** The percentile in such an id: digits from the third on are tenths, hundredths, …, except in 100. */
function percentileWords(digits: string): string {
  if (digits === '100' || digits.length <= 2) return ordinal(Number(digits));
  return `${digits.slice(0, 2)}.${digits.slice(2)}th`;
}

/** 1 → 1st, 12 → 12th, 23 → 23rd. */
function ordinal(value: number): string {
  const teens = value % 100 >= 11 && value % 100 <= 13;
  const ending = teens ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th');
  return `${value}${ending}`;
}

/** Id of a latency of one kind of operation: ('read', 'latency_p99_ms') → `read_latency_p99_ms`. */
export const operationLatency = (operation: string, latency: string, intended = false): string =>
  `${operation}${intended ? '_intended' : ''}_${latency}`;

const latencyOf =
  (stage: string) =>
  (latency: string, operation?: string): string =>
    [...(operation === undefined ? [] : [operation]), stage, latency].join('_');

/** Id of a latency of the completion alone, or of the submission, for all operations or one kind. */
export const completionLatency = latencyOf('completion');
export const submissionLatency = latencyOf('submission');

/** The latency of one kind of operation: like the latency of all, with the kind as a prefix of its label. */
function operationMetric(id: string): Metric | undefined {
  const { part, operation, stage, latency } = readId(id);
  if (part !== undefined || latency === undefined) return undefined;
  const kind = operation === undefined ? undefined : OPERATIONS.get(operation);
  const own = stage === 'intended' ? undefined : stage;
  if (operation === undefined ? own === undefined : kind === undefined) return undefined;
  const whole = metricOf(latency);
  const [, what = ''] = /^Latency(.*)$/.exec(whole.label) ?? [];
  const kinds = kind === undefined ? capital(own ?? '') : [kind, own ?? ''].join(' ').trim();
  return { ...whole, id, label: `${kinds} latency${stage === 'intended' ? ' since planned start' : ''}${what}` };
}

/** Id of a metric of one part: ('job_2', 'iops') → `job_2_iops`. */
export const partMetric = (part: string, id: string): string => `${part}_${id}`;

const QUERY = 'query';
/** A query of a list, by its name. */
export const queryPart = (name: string): string => `${QUERY}:${escaped(name)}:`;
const PLACE = 'place';
/** A folder or device of a load that measures several, by its path. */
export const placePart = (path: string): string => `${PLACE}:${escaped(path)}:`;

/** The path of a part that is a place. */
const placeOfPart = (part: string | undefined): string | undefined => {
  const [kind, path] = part?.split(':').map(unescaped) ?? [];
  return kind === PLACE ? path : undefined;
};

/** The place that a metric is about, and the metric without it. Undefined if it is about no place. */
export function placeIn(id: string): { place: string; metric: string } | undefined {
  const { part, whole } = readId(id);
  const place = placeOfPart(part);
  return place === undefined ? undefined : { place, metric: whole };
}

/** A stream through a list of queries, from 1 on. */
export const streamPart = (stream: number): string => `stream_${stream}`;

/** The metric of a part: like that of the whole, with the part as a prefix of its label. */
function metricOfPart(id: string): Metric | undefined {
  const { part, whole } = readId(id);
  if (part === undefined || PART.test(whole) || !isMetric(whole)) return undefined;
  const { label, ...rest } = metricOf(whole);
  return { ...rest, id, label: partLabel(part, label) };
}

/** `job_2` → Job 2; `query:Q1:` → Q1; `place:/mnt/a:` → /mnt/a. */
const partLabel = (part: string, label: string): string => {
  const [kind, name] = part.split(':').map(unescaped);
  return `${(kind === QUERY || kind === PLACE) && name !== undefined ? name : capital(part.replace('_', ' '))}: ${label}`;
};

export const statisticOf = (id: string): Statistic => metricOf(id).statistic;

const STATISTICS: ReadonlyMap<string, Statistic> = new Map([
  ['avg', 'mean'],
  ['max', 'maximum'],
  ['min', 'minimum'],
]);

/** Known properties of a metric that only its tool or a user has named. */
function meaningOf(id: string): Partial<Pick<Metric, 'statistic' | 'latency'>> {
  const { figure } = readId(id);
  if (figure !== undefined) return { statistic: STATISTICS.get(figure) ?? 'percentile', latency: true };
  const [, extreme] = /_(max|min)(?:_[a-z]+)?$/.exec(id) ?? [];
  const statistic = STATISTICS.get(extreme ?? '');
  return { ...(statistic && { statistic }), ...(id.includes('latency_') && { latency: true }) };
}

/** Whether repeats are averaged for the figure of a run: percentiles and extremes are picked from them instead. */
export const isAveraged = (id: string): boolean => !['percentile', 'maximum', 'minimum'].includes(statisticOf(id));

/** Whether a metric is a mean or percentile of the duration of events: these exclude stalled time. */
export function isLatency(id: string): boolean {
  const { latency, statistic } = metricOf(id);
  return latency === true && (statistic === 'mean' || statistic === 'percentile');
}

/** The latency that a percentile or other figure belongs to: `read_latency_p99_ms` → `read_latency`. */
export function latencyFamily(id: string): string | undefined {
  const { figure } = readId(id);
  return figure === undefined ? undefined : id.slice(0, -`_${figure}_ms`.length);
}

/** Percentiles and maximum of each latency that has several, ascending: `latency` → p50, p95, p99, max. */
export function latencyLadders(present: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const heightOf = (id: string): number | undefined =>
    percentileIn(id) ?? (readId(id).figure === 'max' ? Number.POSITIVE_INFINITY : undefined);
  const ladders = new Map<string, string[]>();
  for (const id of present) {
    const family = latencyFamily(id);
    if (family !== undefined && heightOf(id) !== undefined) ladders.set(family, [...(ladders.get(family) ?? []), id]);
  }
  return new Map(
    [...ladders]
      .filter(([, ids]) => ids.length > 1)
      .map(([family, ids]) => [family, ids.sort((one, other) => (heightOf(one) ?? 0) - (heightOf(other) ?? 0))]),
  );
}

/** Units of figures of final reports that have no own metric, by suffix. */
const UNITS: readonly (readonly [RegExp, unit: string, digits: number, combine?: Combine])[] = [
  [/_mib_total$/, 'MiB', 1, 'sum'],
  [/_total$/, '', 0, 'sum'],
  [/_bytes$/, 'B', 0],
  [/_ms$/, 'ms', 2],
  [/_(?:s|seconds)$/, 's', 2],
  [/_(?:pct|percent)$/, '%', 1],
];

/** Figures of final reports whose names are not readable, or that combine over several generators. */
const REPORTED: ReadonlyMap<string, Partial<Metric>> = new Map([
  ['ios_total', { label: 'I/O operations, total' }],
  ['ios_read_total', { label: 'Read operations, total' }],
  ['ios_write_total', { label: 'Write operations, total' }],
  ['ios_trim_total', { label: 'Trim operations, total' }],
  ['read_mib_total', { label: 'Data read, total' }],
  ['write_mib_total', { label: 'Data written, total' }],
  ['trim_mib_total', { label: 'Data trimmed, total' }],
  ['transferred_mib_total', { label: 'Data transferred, total' }],
  ['latency_sum_ms', { combine: 'sum' }],
  ['total_time_s', { combine: 'max' }],
  [COUNTED_FROM, { combine: 'max' }],
]);

/** A figure of a final report under the tool's own name, as a label: `transactions_total` → Transactions total. */
function reportedFigure(id: string): Metric | undefined {
  const { part, whole } = readId(id);
  const ofPart = part === undefined ? undefined : reportedFigure(whole);
  if (part !== undefined && ofPart) return { ...ofPart, id, label: partLabel(part, ofPart.label) };
  const [, unit, digits, combine = 'none'] = UNITS.find(([end]) => end.test(id)) ?? [];
  if (unit === undefined) return undefined;
  const words = id.replace(/_(?:ms|s|seconds|bytes|pct|percent)$/, '').replaceAll('_', ' ');
  const plain = metric(id, capital(words), unit, 'neither', combine, digits, { statistic: 'level', ...meaningOf(id) });
  return { ...plain, ...REPORTED.get(id) };
}

/**
 * The registered metric; any latency percentile, including those of one kind of operation or part of a run; otherwise a plain metric, so
 * that old code can draw ids of newer versions.
 */
export function metricOf(id: string): Metric {
  const known = BY_ID.get(id) ?? definedMetric(id) ?? factOf(id);
  if (known) return known;
  const { latency: whole, figure } = readId(id);
  if (whole === id && figure !== undefined)
    return latency(figure, `${percentileWords(figure.slice(1))} percentile`, 'percentile');
  const ofOperation = operationMetric(id);
  if (ofOperation) return ofOperation;
  const ofPart = metricOfPart(id);
  if (ofPart) return ofPart;
  // A user's name with this ending means a rate per second, whatever it counts.
  return id.endsWith('_per_s')
    ? metric(id, id, 'per s', 'neither', 'sum', 2, meaningOf(id))
    : (reportedFigure(id) ?? metric(id, id, '', 'neither', 'none', 2, meaningOf(id)));
}
export const isMetric = (id: string): boolean =>
  BY_ID.has(id) || readId(id).latency === id || operationMetric(id) !== undefined || metricOfPart(id) !== undefined;
