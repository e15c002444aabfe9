import type { HostFacts } from '../../../shared/model/host.ts';
import type { SessionDetail } from '../../../shared/model/session.ts';
import type { ConnectionFacts, TargetSpec } from '../../../shared/model/target.ts';
import type { Machine, Machines } from '../hosts/machine.ts';
import type { Jobs } from '../jobs/job.ts';
import type { Clock, Log } from '../outside.ts';
import type { SessionRow, Store } from '../store/store.ts';
import type { TargetSession } from '../targets/target.ts';
import type { Step, Tool } from '../tools/tool.ts';

/** How runs reach a saved target. Secrets are read when needed and live no longer than the call. */
export interface TargetAccess {
  /** Throws not-found. */
  spec(name: string): TargetSpec;
  /** What a tool on a generator needs to connect. */
  connection(name: string): Promise<ConnectionFacts>;
  /** The same for a program of ours on this computer: through the app where the app goes through a host. */
  connectionThroughApp(name: string): Promise<ConnectionFacts>;
  /** The app's own connection; undefined for kinds without a server. */
  open(name: string, signal?: AbortSignal): Promise<TargetSession | undefined>;
}

/** Everything the runs room works with. */
export interface RunsContext {
  store: Store;
  machines: Machines;
  jobs: Jobs;
  tools: readonly Tool[];
  targets: TargetAccess;
  /** Facts and tool inventory of a host, read afresh. */
  readFacts(machine: Machine, signal?: AbortSignal): Promise<HostFacts>;
  /** Our clock minus the host's, milliseconds, true within half of the round trip; undefined when the host does not tell its time. */
  readClock(machine: Machine, signal?: AbortSignal): Promise<{ offsetMs: number; roundTripMs: number } | undefined>;
  /** A step as a person would type it, without secrets. */
  shownCommand(step: Step): string;
  /** Text with every known secret hidden: what tools and servers print goes into logs. */
  redact(text: string): string;
  /** Databases whose data is being counted or removed by a person, by `databaseKey`: words on that. */
  dataWork: Map<string, string>;
  /** Something about data sets was stored. */
  dataChanged(): void;
  clock: Clock;
  log: Log;
  nodePath: string;
  assetsDir: string;
  version: string;
}

/** A device that may be overwritten, as a step names it, and what tells it from one that has its name later. */
export interface GrantedDevice {
  host: string;
  device: string;
  identity: string;
}

/** What a session row keeps in its `context` column. */
export interface SessionContext
  extends Pick<SessionDetail, 'experiment' | 'plan' | 'hosts' | 'findings' | 'appVersion'> {
  target?: NonNullable<SessionDetail['target']>;
  toolVersion?: string;
  primaryMetric: string;
  /**
   * Data that is there and was counted, for the cells of one group: what was made so far, and whether that is all of it. `run`: before
   * which run, for data that each trial uses up.
   */
  data?: { group: number; keys: readonly string[]; sets: readonly number[]; complete: boolean; run?: number };
  /** Devices that a person allowed to be overwritten. */
  granted?: readonly GrantedDevice[];
  /** A prepare step under way: kept so that a restart follows it instead of starting a second one. */
  prepareJob?: { host: string; jobId: string; step: 'cleanup' | 'prepare'; key: string };
}

export const contextOf = (row: SessionRow): SessionContext => row.context as unknown as SessionContext;
