import type { HostRole, MonitoredSeries, MonitorGap, RunWindow } from '../model/monitored.ts';
import { secondOf } from '../monitoring/index.ts';
import type { Points } from '../stats/index.ts';

/** Seconds since second 0 of a run: after `from`, up to `to`. A value belongs to the interval that ends at its time. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** A series of a host or server in seconds of the run: fractions of seconds are usual, NaN is a gap, times before 0 are before the run. */
export type WatchedSeries = Points &
  Pick<MonitoredSeries, 'id' | 'rule' | 'label' | 'unit' | 'instance' | 'means' | 'limit' | 'elsewhere'>;

/**
 * Facts of a block device in addition to its series. Limits are the purchased or configured ones: absent if there are none, or none known.
 */
export interface DeviceFacts {
  /** As in the ids of its series; absent: the host has one that matters. */
  readonly name?: string;
  readonly rotational?: boolean;
  readonly iops?: number;
  readonly mibS?: number;
  /** Limits that apply for a while, as long as it has credits. */
  readonly burst?: { readonly iops?: number; readonly mibS?: number };
  /** Source of these limits: “gp2, 3,400 GiB”. */
  readonly words?: string;
  /** Milliseconds of an I/O on the idle device. */
  readonly baseAwaitMs?: number;
}

/** A limit of a network link other than its speed: a configured rate, or the allowance of an instance. */
export interface LinkFacts {
  readonly name?: string;
  readonly mibS: number;
  readonly words: string;
}

export interface WatchedHost {
  readonly name: string;
  /** Both generator and server if they share it. */
  readonly roles: readonly HostRole[];
  readonly series: readonly WatchedSeries[];
  /** Default: the number of cores with a series. */
  readonly cores?: number;
  readonly memoryMib?: number;
  readonly devices?: readonly DeviceFacts[];
  readonly links?: readonly LinkFacts[];
  /** Folders in which synced writes were tested, with the most per second, one after the other. */
  readonly syncs?: readonly { readonly path: string; readonly most: number }[];
  /** Names of processes, as in `proc.*`; absent: the role of the host shows whose they are. */
  readonly programs?: { readonly tool: readonly string[]; readonly server: readonly string[] };
  readonly gaps?: readonly MonitorGap[];
  /** Series with damaged stored samples: they have no values there. */
  readonly damaged?: readonly string[];
  /** Its operating system, if that cannot be watched. */
  readonly system?: string;
  /** Why nothing or only part of it was recorded. */
  readonly problem?: string;
}

/** A server under test, or a pool in front of it: its series are found by their meaning. */
export interface WatchedServer {
  readonly name: string;
  /** Host it runs on, if known. */
  readonly host?: string;
  readonly series: readonly WatchedSeries[];
  /** Size of the data that the workload uses, and of the server's cache. */
  readonly dataMib?: number;
  readonly cacheMib?: number;
  readonly gaps?: readonly MonitorGap[];
  /** Series with damaged stored samples: they have no values there. */
  readonly damaged?: readonly string[];
  readonly problem?: string;
}

/** A host that generates load, with the simultaneous figures of its tool. */
export interface LoadPart {
  readonly host: string;
  /** Threads of the tool's own process. */
  readonly threads?: number;
  /** Clients: the maximum that can wait for the server at one moment. */
  readonly connections?: number;
  /** Its share of the throughput. */
  readonly rate?: Points;
}

/** The server under load, whether it was watched or not. */
export interface MetServer {
  readonly name: string;
  /** Hosts it runs on; empty if unknown. */
  readonly places: readonly string[];
}

/** Everything known about one run. All fields except `window` may be missing; missing values are never taken for zero. */
export interface RunEvidence {
  /** Measured part, after the warm-up cut. */
  readonly window: Window;
  /** Epoch milliseconds of second 0 on this computer's clock. */
  readonly zero?: number;
  /** Uncertainty between the clocks of hosts and tool, ± milliseconds. */
  readonly clockErrorMs?: number;
  /** Throughput of all generators per second. `metric`: its id. */
  readonly rate?: Points & { readonly metric: string };
  /** Mean latency per second, milliseconds. */
  readonly latency?: Points;
  /** The same for the whole run, if a tool reports it only at its end. */
  readonly meanLatencyMs?: number;
  /** Requested operations per second of all generators; absent: as fast as possible. */
  readonly wanted?: number;
  /** I/Os that the tool itself keeps in flight on the disks that it measures. */
  readonly queueDepth?: number;
  /** The tool submits I/Os without waiting for each: its latencies include the time in that queue. */
  readonly asynchronous?: true;
  /** The tool pauses between statements of an operation, and includes that in its latency. */
  readonly pauses?: true;
  readonly load: readonly LoadPart[];
  /** Absent: the load used none that can be watched. */
  readonly met?: MetServer;
  /** There is no server: the tool measures the hosts that it runs on, whose role is `server`. */
  readonly onItsOwnHost?: true;
  /** Hosts that should be watched, including those without data. */
  readonly hosts: readonly WatchedHost[];
  readonly servers: readonly WatchedServer[];
}

/** A stored series in a run. `points`: in its seconds; all series of a source share the same times. */
export function watchedSeries(series: MonitoredSeries, { t, v }: Points): WatchedSeries {
  const { id, rule, label, unit, instance, means, limit, elsewhere } = series;
  return {
    id,
    rule,
    label,
    unit,
    ...(instance !== undefined && { instance }),
    ...(means && { means }),
    ...(limit && { limit }),
    ...(elsewhere && { elsewhere }),
    t,
    v,
  };
}

/** The measured part of a run on its own clock. */
export const windowOf = (window: RunWindow): Window => ({
  from: secondOf(window, window.from),
  to: secondOf(window, window.to),
});
