import type { HostRole, MonitoredSeries, MonitorGap, RunWindow } from '../model/monitored.ts';
import { secondOf } from '../monitoring/index.ts';
import type { Points } from '../stats/index.ts';

/** Seconds since second 0 of a run: those after `from`, up to `to`. A value belongs to the interval that ends at its time. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** A series of a host or server on the seconds of a run: fractions of seconds are usual, NaN is a gap, times before 0 are before the run. */
export type WatchedSeries = Points &
  Pick<MonitoredSeries, 'id' | 'rule' | 'label' | 'unit' | 'instance' | 'means' | 'limit' | 'elsewhere'>;

/** What is known of a block device besides its series. Limits are those of what was bought or set: absent where there is none, or none known. */
export interface DeviceFacts {
  /** As in the ids of its series; absent: the host has one that matters. */
  readonly name?: string;
  readonly rotational?: boolean;
  readonly iops?: number;
  readonly mibS?: number;
  /** What it may do beyond these for a while, as long as it has credits. */
  readonly burst?: { readonly iops?: number; readonly mibS?: number };
  /** What has these limits: “gp2, 3,400 GiB”. */
  readonly words?: string;
  /** Milliseconds an I/O takes on the idle device. */
  readonly baseAwaitMs?: number;
}

/** A limit of a network link that its speed does not tell: a rate that was set, what an instance is allowed. */
export interface LinkFacts {
  readonly name?: string;
  readonly mibS: number;
  readonly words: string;
}

export interface WatchedHost {
  readonly name: string;
  /** Both of generator and server: they share it. */
  readonly roles: readonly HostRole[];
  readonly series: readonly WatchedSeries[];
  /** Absent: as many as have a series. */
  readonly cores?: number;
  readonly memoryMib?: number;
  readonly devices?: readonly DeviceFacts[];
  readonly links?: readonly LinkFacts[];
  /** Folders in which synced writes were tested, with the most that were done in a second, one after the other. */
  readonly syncs?: readonly { readonly path: string; readonly most: number }[];
  /** Names of processes, as in `proc.*`; absent: the host tells by its role whose they are. */
  readonly programs?: { readonly tool: readonly string[]; readonly server: readonly string[] };
  readonly gaps?: readonly MonitorGap[];
  /** Series of which stored samples are damaged: they have no values there. */
  readonly damaged?: readonly string[];
  /** Its operating system, where that is one that cannot be watched. */
  readonly system?: string;
  /** Why nothing of it was recorded, or not all. */
  readonly problem?: string;
}

/** A server under test, or a pool in front of it: its series are asked for by what they mean. */
export interface WatchedServer {
  readonly name: string;
  /** Host it lives on, where that is known. */
  readonly host?: string;
  readonly series: readonly WatchedSeries[];
  /** Of what the workload uses, and of the server's cache. */
  readonly dataMib?: number;
  readonly cacheMib?: number;
  readonly gaps?: readonly MonitorGap[];
  /** Series of which stored samples are damaged: they have no values there. */
  readonly damaged?: readonly string[];
  readonly problem?: string;
}

/** A host that makes load, with what its tool does at the same time. */
export interface LoadPart {
  readonly host: string;
  /** Threads of the tool's own process. */
  readonly threads?: number;
  /** Clients: what can be waiting for the server at one moment. */
  readonly connections?: number;
  /** Its part of the throughput. */
  readonly rate?: Points;
}

/** The server that the load met, whether it was watched or not. */
export interface MetServer {
  readonly name: string;
  /** Hosts it lives on; empty: not known. */
  readonly places: readonly string[];
}

/** All that is known of one run. Everything but `window` may be missing: what is missing is never taken for zero. */
export interface RunEvidence {
  /** Measured part, behind the warm-up cut. */
  readonly window: Window;
  /** Epoch milliseconds of second 0 on our clock. */
  readonly zero?: number;
  /** How exactly hosts and tool are on one clock, milliseconds to either side. */
  readonly clockErrorMs?: number;
  /** Throughput of all generators by the second. `metric`: its id. */
  readonly rate?: Points & { readonly metric: string };
  /** Mean latency by the second, milliseconds. */
  readonly latency?: Points;
  /** The same of the whole run, where a tool tells it only at its end. */
  readonly meanLatencyMs?: number;
  /** Operations a second that the workload holds, of all generators; absent: as fast as it can. */
  readonly wanted?: number;
  /** I/Os that the tool itself keeps under way on the disks that it measures. */
  readonly queueDepth?: number;
  /** The tool hands I/Os over and does not wait for each: its latencies count the time in that queue. */
  readonly asynchronous?: true;
  /** The tool waits between statements of an operation, and counts that as its latency. */
  readonly pauses?: true;
  readonly load: readonly LoadPart[];
  /** Absent: the load met none that can be watched. */
  readonly met?: MetServer;
  /** Those that were to be watched, also where nothing came. */
  readonly hosts: readonly WatchedHost[];
  readonly servers: readonly WatchedServer[];
}

/** A stored series in a run. `points`: on its seconds; all series of a source have the same times, and share them. */
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
