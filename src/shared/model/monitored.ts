import { z } from 'zod';
import { formatCount } from '../util/format.ts';
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

/** Names of stored counters. `*` stands for an instance: a device, a core, a process. */
const Counters = z.array(z.string().min(1)).min(1);

/**
 * How stored counters become a figure, from one sample to the next. gauge: the sum as it stands. rate: its growth by the second.
 * share: the growth of `of` (less that of `less`) as a percentage of that of `whole`. part: the same of gauges, as they stand. per: the growth of `of` for each unit by which `by` has grown (nothing where
 * that did not grow). highest: the largest of the shares of several instances, of two at least. Each times `scale`, a rate also by the newest stored value of `times` (none: its `value`). Counters that a sample lacks count as nothing; where all are missing there is no figure.
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
    /** What each `*` stands for; those that a source has. */
    instances: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal('per'), of: Counters, by: Counters, scale: z.number().optional() }),
]);
export type Reading = z.infer<typeof Reading>;

/**
 * What a series of a server tells, whatever its server calls it: analysis asks for it by this word. Waiters are sessions at one moment; times are
 * milliseconds waited in each second by all sessions together; the others are by the second unless they say otherwise.
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
  /** Percent of what the log may hold before writing has to wait. */
  'checkpoint-age',
  'io-waiters',
  /** Pages read from outside of the cache, by the second. */
  'cache-misses',
  /** Percent of page requests that the cache has answered. */
  'cache-hits',
  /** Percent of the pages of the cache. */
  'cache-dirty',
  /** Loads of what a cache had before, and dumps of what it has, that are under way. */
  'cache-transfers',
  /** Pieces of data that nobody needs any more and that the server still has to remove. */
  'to-remove',
  /** Sessions that execute something at this moment. */
  'running',
  'connections',
  /** Connections that clients made, by the second. */
  'connects',
  /** Connections that the server refused as it allows no more, by the second. */
  'refused',
  /** Requests that wait until the server begins with them: for a ticket, for a thread of its pool. */
  'admission-waiters',
  /** Tickets that no request has, at this moment. */
  'tickets-free',
  /** Clients that wait for a connection of a pool, at this moment. */
  'pool-waiters',
]);
export type Meaning = z.infer<typeof Meaning>;

/** A series that is worked out when it is read: counters are stored as they were read. */
export const SeriesRule = z.object({
  /**
   * `disk.*.read_iops`: with one `*`, there is one for each instance that has its counters. Of rules that come to the same id the first that
   * finds its counters makes the series.
   */
  id: z.string().min(1),
  /** A `*` in it stands for the instance. */
  label: z.string().min(1),
  unit: z.string(),
  lane: Lane,
  reading: Reading,
  /** Decimals shown. */
  digits: z.number().int().min(0).max(6).optional(),
  /** Shown at first. */
  main: z.literal(true).optional(),
  /** Beginnings of instances that are not shown at first: loop devices, bridges of containers. */
  aside: z.array(z.string().min(1)).optional(),
  /** Stored value (`*`: the instance) that is above 0 where another instance counts the same. */
  elsewhere: z.string().min(1).optional(),
  means: Meaning.optional(),
  /** So many of them are Kneepoint's own for each sample that it takes: over its connection, or by a client on the host of the server. */
  own: z.object({ direct: z.number(), onHost: z.number() }).optional(),
  /** Series of a lane with the same word are parts of a whole and drawn on top of one another. */
  stack: z.string().optional(),
  /** What it cannot go beyond: a number, or a stored value (`of`, times `scale`). */
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

/** A series that a source has. */
export const MonitoredSeries = z.object({
  /** With its instance: `disk.nvme0n1.read_iops`. */
  id: z.string(),
  /** Its rule. */
  rule: z.string(),
  /** Device, core, process; absent: there is one of it. */
  instance: z.string().optional(),
  label: z.string(),
  unit: z.string(),
  lane: Lane,
  digits: z.number().optional(),
  main: z.literal(true).optional(),
  means: Meaning.optional(),
  stack: z.string().optional(),
  limit: z.object({ value: z.number(), words: z.string() }).optional(),
  /** What it counts is counted by another instance as well: by a link below or above it. */
  elsewhere: z.literal(true).optional(),
});
export type MonitoredSeries = z.infer<typeof MonitoredSeries>;

/** What a host does in a session. */
export const HostRole = z.enum(['generator', 'proxy', 'server', 'other']);
export type HostRole = z.infer<typeof HostRole>;

/** Where no sample is although samples are expected, epoch milliseconds of our clock. */
export const MonitorGap = z.object({ from: z.number(), to: z.number(), message: z.string().optional() });
export type MonitorGap = z.infer<typeof MonitorGap>;

/** What was watched beside the tool. */
export const MonitoredSource = z.object({
  id: z.number(),
  kind: z.enum(['host', 'server', 'own']),
  /** Of a host, the host; of a server, the target; of a command or statement, its name in the document. */
  name: z.string(),
  /** Of a host. */
  roles: z.array(HostRole),
  /** Host on which it was read; absent: over the app's own connection. */
  host: z.string().optional(),
  /** First and last sample, epoch milliseconds of our clock; absent: none. */
  from: z.number().optional(),
  to: z.number().optional(),
  samples: z.number(),
  /** How exactly its clock is known against ours, milliseconds to either side; absent: it is ours. */
  clockErrorMs: z.number().optional(),
  series: z.array(MonitoredSeries),
  gaps: z.array(MonitorGap),
  /** What reading it took, of one core, in percent; absent: it does not tell. */
  costPercent: z.number().optional(),
  /** Why there is nothing, or nothing any more, a sentence. */
  problem: z.string().optional(),
});
export type MonitoredSource = z.infer<typeof MonitoredSource>;

/** Values of a series. Thinned: the mean of each stretch, with its smallest and largest value. NaN: a gap. */
export const MonitoredValues = z.object({
  sourceId: z.number(),
  id: z.string(),
  /** Epoch milliseconds of our clock. */
  t: Numbers,
  v: Numbers,
  low: Numbers.optional(),
  high: Numbers.optional(),
  /** Stored samples behind it that do not match their checksum: there are no values of these seconds. Absent: none. */
  damaged: z.number().optional(),
});
export type MonitoredValues = z.infer<typeof MonitoredValues>;

/** Stored samples of a source that do not match their checksum. */
export interface DamagedSamples {
  /** The counter; absent: the times, and so all of them. */
  readonly name?: string;
  /** Places of the first and the last. */
  readonly first: number;
  readonly last: number;
}

/** What is missing of a series, in a sentence; undefined: nothing. */
export const damagedWords = (
  name: string,
  { id, damaged }: Pick<MonitoredValues, 'id' | 'damaged'>,
): string | undefined =>
  damaged === undefined
    ? undefined
    : `Stored samples of ${name} are damaged: ${id} has no value of ${formatCount(damaged, 'sample')}.`;

/** Series of sources, between two moments; epoch milliseconds of our clock, absent: all. */
export const MonitoredChoice = z.object({
  wanted: z.array(z.object({ sourceId: z.number(), ids: z.array(z.string()).max(500) })).max(200),
  from: z.number().optional(),
  to: z.number().optional(),
});
export type MonitoredChoice = z.infer<typeof MonitoredChoice>;

/** When a run was, on our clock: its second 0, its measured part, and how exactly second 0 is known. Milliseconds. */
export const RunWindow = z.object({
  runId: z.number(),
  zero: z.number(),
  /** Where the warm-up ends, and the end. */
  from: z.number(),
  to: z.number(),
  /** To either side; absent: not better than a second or two. */
  errorMs: z.number().optional(),
  /** Seconds of our clock in one of the tool's, where readings tell them apart; absent: one. */
  pace: z.number().optional(),
  /** Name of its step, where others run at the same time. */
  parallel: z.string().optional(),
});
export type RunWindow = z.infer<typeof RunWindow>;

/** What series could not go beyond in a run, by what its cell set and what its system is paid for. Limits that a source tells itself stand with its series. */
export const MonitoredLimits = z.object({
  runId: z.number(),
  limits: z.array(
    z.object({
      sourceId: z.number(),
      /** Series that it is of: each by itself, or what they add up to, as the words say. */
      ids: z.array(z.string()),
      value: z.number(),
      words: z.string(),
    }),
  ),
});
export type MonitoredLimits = z.infer<typeof MonitoredLimits>;
