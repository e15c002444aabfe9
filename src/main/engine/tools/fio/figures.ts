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
  times: Times;
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

/** One status document: everything counts since the jobs' start. `at`: epoch ms. */
export interface Report {
  at: number;
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

function times(value: unknown): Times {
  const from = record(value);
  const known = new Set(['min', 'max', 'mean', 'stddev', 'N', 'percentile', 'bins']);
  // A name that nobody knows can be one of these, damaged.
  if (Object.keys(from).some((name) => !known.has(name))) throw new Unreadable();
  return {
    count: figure(from, 'N'),
    mean: figure(from, 'mean'),
    min: figure(from, 'min'),
    max: figure(from, 'max'),
    ...(from.bins === undefined ? {} : { bins: numbers(from.bins) }),
    percentiles: from.percentile === undefined ? new Map() : numbers(from.percentile),
  };
}

function counters(value: unknown): Counters {
  const from = record(value);
  return {
    ios: figure(from, 'total_ios'),
    bytes: figure(from, 'io_bytes'),
    runtime: figure(from, 'runtime'),
    iops: figure(from, 'iops'),
    bytesPerSecond: figure(from, 'bw_bytes'),
    times: times(from.clat_ns),
  };
}

function job(value: unknown): Job {
  const from = record(value);
  const directions = new Map<Direction, Counters>();
  for (const direction of DIRECTIONS)
    if (from[direction] !== undefined) directions.set(direction, counters(from[direction]));
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
    ...(sync && { sync: { ios: figure(sync, 'total_ios'), times: times(sync.lat_ns) } }),
  };
}

/** The figures of a status document of fio 3; undefined when it is none, or a figure that must be there is missing. */
export function readReport(value: unknown): Report | undefined {
  try {
    const from = record(value);
    if (!Array.isArray(from.jobs)) return undefined;
    return { at: figure(from, 'timestamp_ms'), jobs: from.jobs.map(job) };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
