import { isObject } from '../../../../../shared/util/object.ts';

/** Kinds of I/O counted by fio. With `unified_rw_reporting`, `mixed` replaces the others. */
export const DIRECTIONS = ['read', 'write', 'trim', 'mixed'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Completion times since the job's start, in ns. Bins: counts by approximate time (`json+`). */
export interface Times {
  count: number;
  mean: number;
  min: number;
  max: number;
  bins?: ReadonlyMap<number, number>;
  /** By percentile, as printed. */
  percentiles: ReadonlyMap<number, number>;
}

/** Totals of a job in one direction since its start; `runtime` in ms. */
export interface Counters {
  ios: number;
  bytes: number;
  runtime: number;
  iops: number;
  bytesPerSecond: number;
  /** From submission of an I/O to its completion if fio reports it, otherwise completion only. */
  times: Times;
  /** The two parts of it, if fio reports them: submission, and from acceptance by the kernel to completion. */
  submission?: Times;
  completion?: Times;
}

export interface Job {
  name: string;
  /** Its options as printed by fio, to distinguish jobs with equal names. */
  options: string;
  group: number;
  /** The place that it measures alone, as a part of metric ids. */
  part?: string;
  /** errno of the first failure; 0 = none. */
  error: number;
  /** Total run time of its threads in ms. Undefined in old versions. */
  runtime?: number;
  /** Percent of that time. */
  cpuUser: number;
  cpuSystem: number;
  directions: ReadonlyMap<Direction, Counters>;
  sync?: { ios: number; times: Times };
  /** It ended early because it reached the steady state that it was waiting for. */
  steady?: true;
}

/** One status document. All values count since the jobs' start. */
export interface Report {
  /** Epoch ms by the host's clock, which can be adjusted during a run. */
  at?: number;
  /** Like `at`, but only to the second in some versions. */
  wall?: number;
  version: string;
  /** Seconds since fio's start by its own clock, rounded up. */
  elapsed?: number;
  jobs: readonly Job[];
}

/** fio's name for the sum of its clients, in every format. */
export const ALL_CLIENTS = 'All clients';

const KIB = 1024;
const MS_PER_S = 1000;

/** Only thrown and caught here: a required figure is missing, so the whole document is unreliable. */
class Unreadable extends Error {}

function record(value: unknown): Record<string, unknown> {
  if (!isObject(value)) throw new Unreadable();
  return value;
}

/** NaN if fio divided by zero: it prints `nan`, which was replaced with null on reading. */
function figure(from: Record<string, unknown>, name: string): number {
  const value = from[name];
  if (value === null) return Number.NaN;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new Unreadable();
  return value;
}

/**
 * An object with numeric names and values, such as percentiles and bins. It contains unrequested percentiles as `0.00`, and in 2.x the layout of its
 * bins.
 */
function numbers(value: unknown, ofKey: number, ofValue: number): Map<number, number> {
  const found = new Map<number, number>();
  for (const [key, entry] of Object.entries(record(value))) {
    if (key === '0.00' || key.startsWith('FIO_IO_U_PLAT_')) continue;
    if (entry === null) continue;
    if (!/^\d+(\.\d+)?$/.test(key) || typeof entry !== 'number') throw new Unreadable();
    found.set(Number(key) * ofKey, entry * ofValue);
  }
  return found;
}

/** The notation of times by version: 3.x uses ns with the unit in names, 2.x uses µs. */
interface Notation {
  suffix: '_ns' | '';
  /** ns per unit. */
  unit: number;
  /** Whether it reports the number of I/Os behind a latency: 3.18 and later. */
  counted: boolean;
}

/** `ios` replaces the count for versions that do not print it. */
function times(value: unknown, { unit, counted }: Notation, ios: number): Times {
  const from = record(value);
  const known = new Set(['min', 'max', 'mean', 'stddev', 'N', 'percentile', 'bins']);
  // An unknown name may be a damaged one of these.
  if (Object.keys(from).some((name) => !known.has(name))) throw new Unreadable();
  return {
    count: counted ? figure(from, 'N') : ios,
    mean: (figure(from, 'mean') || 0) * unit,
    min: figure(from, 'min') * unit,
    max: figure(from, 'max') * unit,
    ...(from.bins === undefined ? {} : { bins: numbers(from.bins, unit, 1) }),
    percentiles: from.percentile === undefined ? new Map() : numbers(from.percentile, 1, unit),
  };
}

const measured = (part: Times | undefined): part is Times => part !== undefined && part.count > 0 && part.mean > 0;

/** 2.x counts in KiB. */
const bytesOf = (from: Record<string, unknown>, { suffix }: Notation): number =>
  figure(from, 'io_bytes') * (suffix === '' && from.io_kbytes === undefined ? KIB : 1);

function counters(value: unknown, notation: Notation): Counters {
  const from = record(value);
  const { suffix } = notation;
  const ios = figure(from, 'total_ios');
  // Absent or empty if disabled (disable_lat, disable_slat), and for an engine without submission.
  const part = (name: string): Times | undefined =>
    from[name + suffix] === undefined ? undefined : times(from[name + suffix], notation, ios);
  const [total, submission, completion] = [part('lat'), part('slat'), times(from[`clat${suffix}`], notation, ios)];
  const runtime = figure(from, 'runtime');
  const bytes = bytesOf(from, notation);
  const perSecond = (count: number): number => (runtime > 0 ? (count * MS_PER_S) / runtime : 0);
  return {
    ios,
    bytes,
    runtime,
    iops: figure(from, 'iops') || perSecond(ios),
    // 3.1 only prints it in KiB.
    bytesPerSecond: optional(from, 'bw_bytes') || perSecond(bytes),
    times: measured(total) ? total : completion,
    ...(measured(total) && measured(completion) && { completion }),
    ...(measured(total) && measured(submission) && { submission }),
  };
}

function job(value: unknown, notation: Notation): Job {
  const from = record(value);
  const directions = new Map<Direction, Counters>();
  for (const direction of DIRECTIONS)
    if (from[direction] !== undefined) directions.set(direction, counters(from[direction], notation));
  // With `unified_rw_reporting=both` it is present in addition to those that it is the sum of.
  if (directions.size > 1) directions.delete('mixed');
  if (directions.size === 0 || (!directions.has('mixed') && directions.size < 3)) throw new Unreadable();
  const sync = from.sync === undefined ? undefined : record(from.sync);
  return {
    name: [from.hostname, from.jobname].filter((word) => typeof word === 'string').join(': '),
    options: JSON.stringify(from['job options'] ?? {}),
    group: figure(from, 'groupid'),
    error: figure(from, 'error'),
    ...(from.job_runtime === undefined ? {} : { runtime: figure(from, 'job_runtime') }),
    cpuUser: figure(from, 'usr_cpu'),
    cpuSystem: figure(from, 'sys_cpu'),
    directions,
    ...(sync && { sync: syncs(sync, notation) }),
    ...(isObject(from.steadystate) && from.steadystate.attained === 1 && { steady: true as const }),
  };
}

/** fio's total counts calls of fsync only: with fdatasync it is 0, and only the times have the count. */
function syncs(from: Record<string, unknown>, notation: Notation): NonNullable<Job['sync']> {
  const total = figure(from, 'total_ios');
  const all = times(from.lat_ns, notation, total);
  return { ios: Math.max(total, all.count), times: all };
}

function notationOf(version: unknown): Notation {
  const [, major, minor] = /^fio-(\d+)\.(\d+)/.exec(typeof version === 'string' ? version : '') ?? [];
  if (major === '2' && minor !== '99') return { suffix: '', unit: 1000, counted: false };
  return { suffix: '_ns', unit: 1, counted: major !== '2' && (major !== '3' || Number(minor) >= 18) };
}

const optional = (from: Record<string, unknown>, name: string): number | undefined =>
  from[name] === undefined ? undefined : figure(from, name);

/** fio reads its clock again for each job of a document. */
function elapsedOf(jobs: readonly unknown[]): { elapsed?: number } {
  const seconds = jobs.map((entry) => optional(record(entry), 'elapsed')).filter((value) => value !== undefined);
  return seconds.length > 0 ? { elapsed: Math.max(...seconds) } : {};
}

/** Jobs of one fio, or of several on hosts (`--client`); in that case the last entry is the sum of the others. */
function jobsOf({ jobs, client_stats: clients }: Record<string, unknown>): unknown[] | undefined {
  if (!Array.isArray(clients)) return Array.isArray(jobs) ? jobs : undefined;
  const parts = clients.filter((entry) => record(entry).jobname !== ALL_CLIENTS);
  return parts.length > 0 ? parts : clients;
}

/** The figures of a status document of fio 2 or 3. Undefined if it is not one, or if a required figure is missing. */
export function readReport(value: unknown): Report | undefined {
  try {
    const from = record(value);
    const jobs = jobsOf(from);
    if (!jobs) return undefined;
    const at = optional(from, 'timestamp_ms');
    const second = optional(from, 'timestamp');
    const wall = at ?? (second === undefined ? undefined : second * MS_PER_S);
    const version = String(from['fio version'] ?? '');
    const notation = notationOf(version);
    return {
      version,
      ...(at !== undefined && { at }),
      ...(wall !== undefined && { wall }),
      ...elapsedOf(jobs),
      jobs: jobs.map((entry) => job(entry, notation)),
    };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
