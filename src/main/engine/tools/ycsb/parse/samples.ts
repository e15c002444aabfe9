import { operationLatency, percentileMetric } from '../../../../../shared/metrics/index.ts';
import type { Figures, StatusLine } from './status-line.ts';

/** Converts microseconds with two decimals, as printed, to milliseconds without rounding errors: 186.01 becomes 0.18601. */
const ms = (us: number): number => Number((us / 1000).toPrecision(15));

interface Measured extends OperationName {
  figures: Figures;
}

/** The figures of a line by operation. Of two simultaneous measurements, the HdrHistogram is used, since it has percentiles. */
function measuredIn(figures: ReadonlyMap<string, Figures>): Measured[] {
  const all = [...figures].map(([name, each]) => ({ ...operationName(name), figures: each }));
  const exact = all.some(({ form }) => form === 'hdr');
  return exact ? all.filter(({ form }) => form === 'hdr') : all;
}

/** Latencies in milliseconds, by ids that begin with `latency_`. */
function latencies({ count, avg, max, percentiles }: Figures): Record<string, number> {
  if (count === 0) return {};
  const values: Record<string, number> = {};
  if (avg !== undefined) values.latency_avg_ms = ms(avg);
  if (max !== undefined) values.latency_max_ms = ms(max);
  for (const [percentile, us] of percentiles) values[percentileMetric(percentile)] = ms(us);
  return values;
}

/**
 * Latencies of all operations, if they can be derived from those of each kind: all figures for a single kind, otherwise mean and maximum. Percentiles
 * of several kinds cannot be merged, nor can the mean if a read-modify-write counts twice.
 */
function overall(measured: readonly Measured[]): Record<string, number> {
  const [only, ...others] = measured;
  if (!only) return {};
  if (others.length === 0) return latencies(only.figures);
  const called = measured.filter(({ figures }) => figures.count !== 0);
  const values: Record<string, number> = {};
  const maxima = called.map(({ figures }) => figures.max);
  if (maxima.length > 0 && maxima.every((max) => max !== undefined)) values.latency_max_ms = ms(Math.max(...maxima));
  let calls = 0;
  let sum = 0;
  for (const { figures, kind } of called) {
    if (figures.count === undefined || figures.avg === undefined || kind === 'rmw') return values;
    calls += figures.count;
    sum += figures.count * figures.avg;
  }
  if (calls > 0) values.latency_avg_ms = ms(sum / calls);
  return values;
}

/** Failed calls in the interval. Undefined if the measurement does not count. */
export function failuresIn(figures: ReadonlyMap<string, Figures>): number | undefined {
  const measured = measuredIn(figures).filter(({ kind, intended }) => kind !== undefined && !intended);
  if (measured.length === 0 || measured.some(({ figures: each }) => each.count === undefined)) return undefined;
  return measured.filter(({ failed }) => failed).reduce((sum, { figures: each }) => sum + (each.count ?? 0), 0);
}

/** Converts a status line to metrics. `length`: milliseconds of its interval; undefined = unknown, in which case there are no rates by kind. */
export function metricsOf(
  line: StatusLine,
  rate: number | undefined,
  length: number | undefined,
): Record<string, number> {
  const metrics: Record<string, number> = rate === undefined ? {} : { ops: rate };
  const perSecond = (count: number | undefined): number | undefined =>
    count === undefined || !length ? undefined : (count * 1000) / length;
  const measured = measuredIn(line.figures).filter(({ kind, failed }) => kind !== undefined && !failed);
  for (const { kind = '', intended, figures } of measured) {
    const calls = perSecond(figures.count);
    if (calls !== undefined && !intended) metrics[`ops_${kind}`] = calls;
    for (const [id, value] of Object.entries(latencies(figures))) metrics[operationLatency(kind, id, intended)] = value;
  }
  Object.assign(metrics, overall(measured.filter(({ intended }) => !intended)));
  const failures = perSecond(failuresIn(line.figures));
  if (failures !== undefined) metrics.errors_per_s = failures;
  return metrics;
}

/** YCSB's names of measured operations, with their words in metric ids. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['READ', 'read'],
  ['UPDATE', 'update'],
  ['INSERT', 'insert'],
  ['SCAN', 'scan'],
  ['DELETE', 'delete'],
  ['READ-MODIFY-WRITE', 'rmw'],
]);
/** Measurements other than of the load: closing connections, verifying reads, and the JVM's own state (not even times). */
const NOT_LOAD: ReadonlySet<string> = new Set([
  ...['CLEANUP', 'VERIFY'],
  ...['THREAD_COUNT', 'SYS_LOAD_AVG', 'GCS', 'GCS_TIME', 'USED_MEM_MB'],
]);

export interface OperationName {
  /** YCSB's name without prefixes and suffixes. */
  base: string;
  /** Word in metric ids. Undefined for anything but load. */
  kind: string | undefined;
  failed: boolean;
  /** Measured from the scheduled start (`measurement.interval`). */
  intended: boolean;
  /** Its source among two simultaneous measurements; the HdrHistogram is the exact one. */
  form: 'hdr' | 'raw' | 'bucket';
}

const FORMS = { Hdr: 'hdr', Raw: 'raw', Bucket: 'bucket' } as const;
const NAME = /^(?<form>Hdr|Raw|Bucket)?(?<intended>Intended-)?(?<base>READ-MODIFY-WRITE|[^-]+?)(?<status>-[A-Z_]+)?$/;

/** Parses a name in brackets: `READ`, `READ-FAILED`, `Intended-READ`, `HdrUPDATE`. */
export function operationName(name: string): OperationName {
  const { form, intended, base = name, status } = NAME.exec(name)?.groups ?? {};
  return {
    base,
    kind: KINDS.get(base),
    failed: status !== undefined && status !== '-OK',
    intended: intended !== undefined,
    form: form === undefined ? 'hdr' : FORMS[form as keyof typeof FORMS],
  };
}

export const isKnownOperation = ({ base, kind }: OperationName): boolean => kind !== undefined || NOT_LOAD.has(base);
