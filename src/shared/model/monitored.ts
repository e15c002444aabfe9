import { z } from 'zod';
import { formatCount, formatDuration, formatNumber } from '../util/format.ts';
import { Numbers } from './binary.ts';

/** Parts of the timeline in which series are drawn, in this order. */
export const LANES = [
  'cpu',
  'run-queue',
  'memory',
  'pressure',
  'disk',
  'network',
  'processes',
  'connections',
  'statements',
  'locks',
  'cache',
  'log',
  'own',
] as const;
export const Lane = z.enum(LANES);
export type Lane = z.infer<typeof Lane>;

/** Names of stored counters. `*` is an instance: a device, a core, a process. */
const Counters = z.array(z.string().min(1)).min(1);

/**
 * How stored counters become a figure, from one sample to the next. gauge: their current sum. rate: its growth per second. share: the
 * growth of `of` (minus that of `less`) as a percentage of that of `whole`. part: the same for gauges, with their current values. per: the
 * growth of `of` for each unit by which `by` has grown (nothing if it did not grow). highest: the largest share among at least two
 * instances. Each is multiplied by `scale`, a rate also by the newest stored value of `times` (its `value` if there is none). Counters
 * missing from a sample count as nothing; if all are missing, there is no figure.
 */
export const Reading = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('gauge'),
    of: Counters,
    less: z.array(z.string()).optional(),
    scale: z.number().optional(),
  }),
  z.object({
    kind: z.literal('rate'),
    of: Counters,
    scale: z.number().optional(),
    times: z.object({ of: z.string(), value: z.number() }).optional(),
  }),
  z.object({ kind: z.literal('share'), of: Counters, less: z.array(z.string()).optional(), whole: Counters }),
  z.object({ kind: z.literal('part'), of: Counters, whole: Counters, scale: z.number().optional() }),
  z.object({
    kind: z.literal('highest'),
    of: Counters,
    whole: Counters,
    /** Values of each `*`: the instances that a source has. */
    instances: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('per'), of: Counters, by: Counters, scale: z.number().optional() }),
]);
export type Reading = z.infer<typeof Reading>;

/**
 * Meaning of a server's series, whatever its server calls it: analysis finds series by this word. Waiters are sessions at one moment; times
 * are milliseconds waited in each second by all sessions together; the others are per second unless noted.
 */
export const Meaning = z.enum([
  'statements',
  'transactions',
  'rows-read',
  'rows-written',
  'deadlocks',
  'lock-waiters',
  'lock-waits',
  'lock-wait-time',
  'log-waiters',
  'log-waits',
  'log-wait-time',
  'log-mib',
  'log-syncs',
  /** Checkpoint age in percent of the log space at which writes have to wait. */
  'checkpoint-age',
  'io-waiters',
  /** Pages read from outside the cache, per second. */
  'cache-misses',
  /** Percentage of page requests served by the cache. */
  'cache-hits',
  /** Percentage of the pages of the cache. */
  'cache-dirty',
  /** Cache loads and dumps in progress: earlier content loaded, current content dumped. */
  'cache-transfers',
  /** Pieces of data that are no longer needed and that the server still has to remove. */
  'to-remove',
  /** Sessions executing something at this moment. */
  'running',
  'connections',
  /** Connections made by clients, per second. */
  'connects',
  /** Connections refused by the server because of its limit, per second. */
  'refused',
  /** Requests that wait for the server to begin with them: for a ticket, or for a thread of its pool. */
  'admission-waiters',
  /** Unused tickets at this moment. */
  'tickets-free',
  /** Clients waiting for a pool connection at this moment. */
  'pool-waiters',
]);
export type Meaning = z.infer<typeof Meaning>;

/** A series that is calculated when it is read: counters are stored as they were read. */
export const SeriesRule = z.object({
  /**
   * `disk.*.read_iops`: with one `*`, there is one for each instance that has its counters. If several rules result in the same id, the
   * first one that finds its counters makes the series.
   */
  id: z.string().min(1),
  /** A `*` in it is replaced by the instance. */
  label: z.string().min(1),
  unit: z.string(),
  lane: Lane,
  reading: Reading,
  /** Decimals shown. */
  digits: z.number().int().min(0).max(6).optional(),
  /** Shown by default. */
  main: z.literal(true).optional(),
  /** Prefixes of instances that are hidden by default: loop devices, bridges of containers. */
  aside: z.array(z.string().min(1)).optional(),
  /** Stored value (`*`: the instance) that is above 0 if another instance counts the same. */
  elsewhere: z.string().min(1).optional(),
  means: Meaning.optional(),
  /** Number of them that Kneepoint itself causes with each sample: over its connection, or by a client on the server host. */
  own: z.object({ direct: z.number(), onHost: z.number() }).optional(),
  /** Series of a lane with the same word are parts of a whole and stacked. */
  stack: z.string().optional(),
  /** Its upper limit: a number, or a stored value (`of`, times `scale`). */
  limit: z
    .object({
      value: z.number().optional(),
      of: z.string().optional(),
      scale: z.number().optional(),
      words: z.string(),
    })
    .optional(),
});
export type SeriesRule = z.infer<typeof SeriesRule>;

/** A series of a source. */
export const MonitoredSeries = z.object({
  /** With its instance: `disk.nvme0n1.read_iops`. */
  id: z.string(),
  /** Its rule. */
  rule: z.string(),
  /** Device, core, process; absent if there is only one. */
  instance: z.string().optional(),
  label: z.string(),
  unit: z.string(),
  lane: Lane,
  digits: z.number().optional(),
  main: z.literal(true).optional(),
  means: Meaning.optional(),
  stack: z.string().optional(),
  limit: z.object({ value: z.number(), words: z.string() }).optional(),
  /** Another instance counts the same: a link below or above it. */
  elsewhere: z.literal(true).optional(),
});
export type MonitoredSeries = z.infer<typeof MonitoredSeries>;

/** Role of a host in a session. */
export const HostRole = z.enum(['generator', 'proxy', 'server', 'other']);
export type HostRole = z.infer<typeof HostRole>;

/** Period without samples where some are expected, epoch milliseconds of this computer's clock. */
export const MonitorGap = z.object({ from: z.number(), to: z.number(), message: z.string().optional() });
export type MonitorGap = z.infer<typeof MonitorGap>;

/** A source that was watched in addition to the tool. */
export const MonitoredSource = z.object({
  id: z.number(),
  kind: z.enum(['host', 'server', 'own']),
  /** Name of the host or target; of a command or statement, its name in the document. */
  name: z.string(),
  /** Only for a host. */
  roles: z.array(HostRole),
  /** Host that it was read on; absent: over the app's own connection. */
  host: z.string().optional(),
  /** First and last sample, epoch milliseconds of this computer's clock; absent if there are none. */
  from: z.number().optional(),
  to: z.number().optional(),
  samples: z.number(),
  /** Uncertainty of its clock against this computer's, ± milliseconds; absent: it is this computer's clock. */
  clockErrorMs: z.number().optional(),
  series: z.array(MonitoredSeries),
  gaps: z.array(MonitorGap),
  /** CPU that reading it took, in percent of one core; absent if not reported. */
  costPercent: z.number().optional(),
  /** Why there is no data, or none any more, in a sentence. */
  problem: z.string().optional(),
});
export type MonitoredSource = z.infer<typeof MonitoredSource>;

/** Values of a series. Thinned: the mean of each segment, with its smallest and largest value. NaN: a gap. */
export const MonitoredValues = z.object({
  sourceId: z.number(),
  id: z.string(),
  /** Epoch milliseconds of this computer's clock. */
  t: Numbers,
  v: Numbers,
  low: Numbers.optional(),
  high: Numbers.optional(),
  /** Stored samples behind it that do not match their checksum: these seconds have no values. Absent: none. */
  damaged: z.number().optional(),
});
export type MonitoredValues = z.infer<typeof MonitoredValues>;

/** Stored samples of a source that do not match their checksum. */
export interface DamagedSamples {
  /** The counter; absent: the times, and so all counters. */
  readonly name?: string;
  /** Places of the first and the last. */
  readonly first: number;
  readonly last: number;
}

/** A sentence about the missing part of a series; undefined if nothing is missing. */
export const damagedWords = (
  name: string,
  { id, damaged }: Pick<MonitoredValues, 'id' | 'damaged'>,
): string | undefined =>
  damaged === undefined
    ? undefined
    : `Stored samples of ${name} are damaged: ${id} has no values for ${formatCount(damaged, 'sample')}.`;

/** Series of sources between two moments; epoch milliseconds of this computer's clock, absent: all. */
export const MonitoredChoice = z.object({
  wanted: z.array(z.object({ sourceId: z.number(), ids: z.array(z.string()).max(500) })).max(200),
  from: z.number().optional(),
  to: z.number().optional(),
});
export type MonitoredChoice = z.infer<typeof MonitoredChoice>;

/** Time of a run on this computer's clock: its second 0, its measured part, and the uncertainty of second 0. Milliseconds. */
export const RunWindow = z.object({
  runId: z.number(),
  zero: z.number(),
  /** End of the warm-up, and end of the run. */
  from: z.number(),
  to: z.number(),
  /** To either side; absent: no better than a second or two. */
  errorMs: z.number().optional(),
  /** Seconds of this computer's clock in one of the tool's, if readings can distinguish them. Default: 1. */
  pace: z.number().optional(),
  /** Name of its step, if others run at the same time. */
  parallel: z.string().optional(),
});
export type RunWindow = z.infer<typeof RunWindow>;

/**
 * Limits of series in a run, from the settings of its cell and from what its system is paid for. Limits that a source reports itself are
 * with its series.
 */
export const MonitoredLimits = z.object({
  runId: z.number(),
  limits: z.array(
    z.object({
      sourceId: z.number(),
      /** Series that it limits: each by itself, or their sum, as the words specify. */
      ids: z.array(z.string()),
      value: z.number(),
      words: z.string(),
    }),
  ),
});
export type MonitoredLimits = z.infer<typeof MonitoredLimits>;

const ROLES: Readonly<Record<HostRole, string>> = {
  generator: 'generator',
  proxy: 'proxy',
  server: 'server',
  other: 'watched',
};

/** “host: generator, server”, “server”, “command on db1”. */
export function sourceRole({ kind, roles, host }: MonitoredSource): string {
  if (kind === 'host') return `host: ${roles.map((role) => ROLES[role]).join(', ') || ROLES.other}`;
  return host === undefined ? kind : `${kind} on ${host}`;
}

/** “host “db1”, server “shop-db””: the sources with samples, in one line. */
export const seenWords = (sources: readonly MonitoredSource[]): string =>
  sources
    .filter(({ samples }) => samples > 0)
    .map(({ kind, name }) => `${kind} “${name}”`)
    .join(', ');

/** Replaces the answer of a session that ran no load. */
export function watchedSentence(sources: readonly MonitoredSource[]): string {
  const seen = seenWords(sources);
  return seen === '' ? 'No load, and no samples from hosts or servers.' : `No load. Watched: ${seen}.`;
}

/** “2 gaps, 34 s”, “none”. */
export function gapWords({ gaps, samples }: Pick<MonitoredSource, 'gaps' | 'samples'>): string {
  if (samples === 0) return '–';
  if (gaps.length === 0) return 'none';
  const seconds = gaps.reduce((sum, { from, to }) => sum + (to - from), 0) / 1000;
  return `${formatCount(gaps.length, 'gap')}, ${formatDuration(Math.round(seconds))}`;
}

/** Uncertainty of its times: “±1.5 ms”; “ours” if they are taken on this computer. */
export const clockWords = ({ clockErrorMs, samples }: Pick<MonitoredSource, 'clockErrorMs' | 'samples'>): string =>
  samples === 0 ? '–' : clockErrorMs === undefined ? 'ours' : `±${formatNumber(clockErrorMs, 1)} ms`;

/** “0.12 % of one core”; “–”: not reported. */
export const costWords = ({ costPercent }: Pick<MonitoredSource, 'costPercent'>): string =>
  costPercent === undefined ? '–' : `${formatNumber(costPercent, 2)} % of one core`;
