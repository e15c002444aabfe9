import type { PriceCatalogue } from '../../../shared/costs/index.ts';
import type { RunJudgement } from '../../../shared/model/analysis.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { CommandMonitor } from '../../../shared/model/monitors.ts';
import type { ConnectionFacts, TargetSpec } from '../../../shared/model/target.ts';
import type { Changer } from '../factors/change.ts';
import type { Machine, Machines } from '../hosts/machine.ts';
import type { Jobs } from '../jobs/job.ts';
import type { MonitorProgram } from '../monitors/monitor.ts';
import type { Clock, Log } from '../outside.ts';
import type { Servers } from '../servers/server.ts';
import type { RunRow, Store } from '../store/store.ts';
import type { TargetSession } from '../targets/target.ts';
import type { Command, Tool } from '../tools/tool.ts';
import type { Lags } from './lags.ts';
import type { OneByOne } from './one-by-one.ts';

/** How runs reach a saved target. Secrets are read when needed and live no longer than the call. */
export interface TargetAccess {
  /** Throws not-found. */
  spec(name: string): TargetSpec;
  /** What a tool needs to connect, without the secret; undefined when there is no such target. */
  shown(name: string): ConnectionFacts | undefined;
  /** What a tool on a generator needs to connect. */
  connection(name: string): Promise<ConnectionFacts>;
  /** The same for a program of ours on this computer: through the app where the app goes through a host. */
  connectionThroughApp(name: string): Promise<ConnectionFacts>;
  /** The app's own connection; undefined for kinds without a server. */
  open(name: string, signal?: AbortSignal): Promise<TargetSession | undefined>;
}

/** Programs that watch hosts; a kind that is absent is not watched. */
export interface MonitorPrograms {
  host?(options: {
    processes: readonly string[];
    ports?: readonly number[];
    serverPorts?: readonly number[];
    ofJobs?: readonly string[];
  }): MonitorProgram;
  command?(spec: CommandMonitor): MonitorProgram;
  /** Whether servers are asked for their counters. */
  servers?: boolean;
  /** How long the first trial waits for the first samples, milliseconds from the start of the monitors; absent: it does not wait. */
  firstSampleMs?: number;
}

/** What is made of all that was watched in a run; without a judgement there is nothing to say of it. */
export interface JudgedRun {
  /** Of the rules by which it was judged. */
  readonly version: number;
  readonly findings: readonly Finding[];
  readonly judgement?: RunJudgement;
  /** Whether nothing by which it was judged has changed since. */
  isStill(): boolean;
}

/** Doors and state that the rooms around a run share. */
export interface RunsContext {
  store: Store;
  machines: Machines;
  jobs: Jobs;
  tools: readonly Tool[];
  targets: TargetAccess;
  servers: Servers;
  monitors: MonitorPrograms;
  /** What carries out changes on hosts and servers. */
  changers: readonly Changer[];
  /** Who and where this library is, for people who meet what it has changed: “root@laptop, /home/…”. */
  library: string;
  /** Facts and tool inventory of a host, read afresh. */
  readFacts(machine: Machine, signal?: AbortSignal): Promise<HostFacts>;
  /** Our clock minus the host's, milliseconds, true within half of the round trip; undefined when the host does not tell its time. `bootMs`: our clock when it was started. */
  readClock(
    machine: Machine,
    signal?: AbortSignal,
  ): Promise<{ offsetMs: number; roundTripMs: number; bootMs?: number } | undefined>;
  /** Works out what bounds a run from all that was watched in it: in turns, as that takes seconds for a long run. */
  judge(run: RunRow, signal?: AbortSignal): Promise<JudgedRun>;
  /** Runs that are being judged, by their ids. */
  judgings: OneByOne<number>;
  /** The samples of a run that has ended are sealed. */
  sealed?(run: RunRow): void;
  /** All that was watched in a session beside its tool is sealed. */
  sealedWatched?(sessionId: number): void;
  /** What a complete run has measured of a metric, as results show it; undefined: nothing. */
  figureOf(run: RunRow, metric: string): number | undefined;
  prices(): PriceCatalogue;
  /** A step as a person would type it, without secrets. */
  shownCommand(command: Command): string;
  /** Text with every known secret hidden: what tools and servers print goes into logs. */
  redact(text: string): string;
  /** Places whose data is being looked at or removed by a person: words on that. */
  dataWork: Map<string, string>;
  /** Names of jobs that this engine leads through a step: from before their launch until their end was seen. */
  jobsAtWork: Set<string>;
  lags: Lags;
  /** Something about data sets was stored. */
  dataChanged(): void;
  /** What is known of a host has changed. */
  hostsChanged(): void;
  clock: Clock;
  log: Log;
  nodePath: string;
  assetsDir: string;
  version: string;
}
