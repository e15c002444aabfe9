/** Kinds of I/O that fio counts; `mixed` takes the place of all with `unified_rw_reporting`. */
export const DIRECTIONS = ['read', 'write', 'trim', 'mixed'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Completion times since the job's start, in ns. Bins: how many took about so long (`json+`). */
export interface Times {
  count: number;
  mean: number;
  min: number;
  max: number;
  bins?: ReadonlyMap<number, number>;
  /** By percentile, as printed. */
  percentiles: ReadonlyMap<number, number>;
}

/** What a job has done in one direction since its start; `runtime` in ms. */
export interface Counters {
  ios: number;
  bytes: number;
  runtime: number;
  iops: number;
  bytesPerSecond: number;
  /** From handing an I/O to the engine to its end, where fio tells it; else completion alone. */
  times: Times;
  /** From the kernel’s taking an I/O to its end, where fio tells the spread of that alone. */
  completion?: Times;
}

export interface Job {
  name: string;
  group: number;
  /** errno of the first failure; 0 = none. */
  error: number;
  /** Time its threads ran, together, in ms; absent in old versions. */
  runtime?: number;
  /** Percent of that time. */
  cpuUser: number;
  cpuSystem: number;
  directions: ReadonlyMap<Direction, Counters>;
  sync?: { ios: number; times: Times };
}

/** One status document: everything counts since the jobs' start. */
export interface Report {
  /** Epoch ms by the host's clock, which can be set in the middle of a run. */
  at?: number;
  /** Seconds since fio's start by its own clock, rounded up. */
  elapsed?: number;
  jobs: readonly Job[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Thrown and caught here alone: a figure that must be there is not, so nothing of the document can be trusted. */
class Unreadable extends Error {}

function record(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Unreadable();
  return value;
}

function figure(from: Record<string, unknown>, name: string): number {
  const value = from[name];
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new Unreadable();
  return value;
}

/** An object with numbers as names and values, as percentiles and bins are. */
function numbers(value: unknown): Map<number, number> {
  const found = new Map<number, number>();
  for (const [key, entry] of Object.entries(record(value))) {
    if (!/^\d+(\.\d+)?$/.test(key) || typeof entry !== 'number') throw new Unreadable();
    found.set(Number(key), entry);
  }
  return found;
}

/** `ios` stands for the count that versions before 3.18 do not print. */
function times(value: unknown, ios?: number): Times {
  const from = record(value);
  const known = new Set(['min', 'max', 'mean', 'stddev', 'N', 'percentile', 'bins']);
  // A name that nobody knows can be one of these, damaged.
  if (Object.keys(from).some((name) => !known.has(name))) throw new Unreadable();
  return {
    count: ios !== undefined && from.N === undefined ? ios : figure(from, 'N'),
    mean: figure(from, 'mean'),
    min: figure(from, 'min'),
    max: figure(from, 'max'),
    ...(from.bins === undefined ? {} : { bins: numbers(from.bins) }),
    percentiles: from.percentile === undefined ? new Map() : numbers(from.percentile),
  };
}

const hasSpread = ({ bins, percentiles }: Times): boolean => percentiles.size > 0 || (bins?.size ?? 0) > 0;

function counters(value: unknown, counted: boolean): Counters {
  const from = record(value);
  const ios = figure(from, 'total_ios');
  const completion = times(from.clat_ns, counted ? undefined : ios);
  // Absent or empty where it was switched off (disable_lat).
  const total = from.lat_ns === undefined ? undefined : times(from.lat_ns, counted ? undefined : ios);
  const isTotal = total !== undefined && total.count > 0 && total.mean > 0;
  return {
    ios,
    bytes: figure(from, 'io_bytes'),
    runtime: figure(from, 'runtime'),
    iops: figure(from, 'iops'),
    bytesPerSecond: figure(from, 'bw_bytes'),
    times: isTotal ? total : completion,
    ...(isTotal && !hasSpread(total) && hasSpread(completion) && { completion }),
  };
}

function job(value: unknown, counted: boolean): Job {
  const from = record(value);
  const directions = new Map<Direction, Counters>();
  for (const direction of DIRECTIONS)
    if (from[direction] !== undefined) directions.set(direction, counters(from[direction], counted));
  if (directions.size === 0 || (!directions.has('mixed') && directions.size < 3)) throw new Unreadable();
  const sync = from.sync === undefined ? undefined : record(from.sync);
  return {
    name: typeof from.jobname === 'string' ? from.jobname : '',
    group: figure(from, 'groupid'),
    error: figure(from, 'error'),
    ...(from.job_runtime === undefined ? {} : { runtime: figure(from, 'job_runtime') }),
    cpuUser: figure(from, 'usr_cpu'),
    cpuSystem: figure(from, 'sys_cpu'),
    directions,
    ...(sync && { sync: syncs(sync, counted) }),
  };
}

function syncs(from: Record<string, unknown>, counted: boolean): NonNullable<Job['sync']> {
  const ios = figure(from, 'total_ios');
  return { ios, times: times(from.lat_ns, counted ? undefined : ios) };
}

/** Versions before 3.18 do not print how many I/Os a latency is the mean of. */
const isCounted = (version: unknown): boolean =>
  Number(/^fio-3\.(\d+)/.exec(typeof version === 'string' ? version : '')?.[1] ?? 18) >= 18;

const optional = (from: Record<string, unknown>, name: string): number | undefined =>
  from[name] === undefined ? undefined : figure(from, name);

/** fio asks its clock anew for each job of a document. */
function elapsedOf(jobs: readonly unknown[]): { elapsed?: number } {
  const seconds = jobs.map((entry) => optional(record(entry), 'elapsed')).filter((value) => value !== undefined);
  return seconds.length > 0 ? { elapsed: Math.max(...seconds) } : {};
}

/** The figures of a status document of fio 3; undefined when it is none, or a figure that must be there is missing. */
export function readReport(value: unknown): Report | undefined {
  try {
    const from = record(value);
    if (!Array.isArray(from.jobs)) return undefined;
    const at = optional(from, 'timestamp_ms');
    const counted = isCounted(from['fio version']);
    return {
      ...(at !== undefined && { at }),
      ...elapsedOf(from.jobs),
      jobs: from.jobs.map((entry) => job(entry, counted)),
    };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
