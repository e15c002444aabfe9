import type { ConnectionFacts, ServerControl, ServerState, TargetSpec } from '../../../shared/model/target.ts';
import type { Machine, Machines } from '../hosts/machine.ts';
import type { Jobs } from '../jobs/job.ts';
import type { TargetSession } from '../targets/target.ts';

/**
 * A file that holds only settings written by Kneepoint. Throws the errors of a machine, `change-not-possible` for a file that is not
 * Kneepoint's or cannot be written, and `change-refused` for a setting that it cannot hold.
 */
export interface SettingsFile {
  /** Path on the server's host. */
  readonly path: string;
  /** Its settings by name; empty if it does not exist. */
  read(): Promise<Readonly<Record<string, string>>>;
  /** Replaces the content atomically. Without settings, the file is removed. */
  write(settings: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * A server on its host. Methods are idempotent: starting a running server and stopping a stopped one do nothing. Errors:
 * `change-not-possible` for a control that cannot do it; `server-not-back` with the end of its log if it does not accept connections in
 * time; and those of a machine.
 */
export interface Server {
  readonly control: ServerControl['kind'];
  state(signal: AbortSignal): Promise<ServerState>;
  /** Resolves when it accepts connections. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when its process has ended. */
  stop(signal: AbortSignal): Promise<void>;
  /**
   * Sends SIGKILL to its main process (for a managed server: to all of its processes), once: it is not repeated after a lost link. Resolves
   * when that process has ended; systemd may have restarted the server by then. Undefined if its control cannot do it.
   */
  kill?(signal: AbortSignal): Promise<void>;
  restart(signal: AbortSignal): Promise<void>;
  /** Makes it read its configuration files again. */
  reload(signal: AbortSignal): Promise<void>;
  /** File for settings that take effect at its next start. Undefined if no such file is known. */
  readonly settingsFile: SettingsFile | undefined;
}

/** Servers of saved targets. */
export interface Servers {
  /** Throws `change-not-possible` for a target without the server's place. */
  of(target: string): Server;
}

export type IsGone = (signal: AbortSignal) => Promise<boolean>;

/** Steps of one way to start and stop a server. `createServer` repeats them, waits, and reports failures. */
export interface Control {
  readonly kind: ServerControl['kind'];
  /** Whether its process exists. Undefined if that cannot be distinguished from whether it responds. */
  present(signal: AbortSignal): Promise<boolean | undefined>;
  /** Whether a process that ends while a start is awaited means that the start failed. */
  readonly reportsEarlyExit: boolean;
  /** Milliseconds that the current start may take in addition to the limit. */
  extraMs?(): number;
  /** Begins a start; may be called while it runs. Throws `server-not-back` if it failed immediately. */
  start(signal: AbortSignal): Promise<void>;
  /** Called after a start, when the server responds. */
  started?(signal: AbortSignal): Promise<void>;
  /** Stops it; may be called when it does not run. */
  stop(signal: AbortSignal): Promise<void>;
  /**
   * Kills its process, like a crash. The returned function checks whether that process has ended, even if another one runs by then.
   * Undefined if the control cannot do it.
   */
  kill?(signal: AbortSignal): Promise<IsGone>;
  /** Default: stop and start. */
  restart?(signal: AbortSignal): Promise<void>;
  /** Undefined if the control cannot do it. */
  reload?(signal: AbortSignal): Promise<void>;
  /** The end of its log; empty if none is known. */
  logEnd(signal: AbortSignal): Promise<string>;
}

/** Dependencies of the control of servers. */
export interface ServersContext {
  readonly machines: Pick<Machines, 'get'>;
  readonly jobs: Jobs;
  readonly targets: {
    /** Throws not-found. */
    spec(name: string): TargetSpec;
    connection(name: string): Promise<ConnectionFacts>;
    open(name: string, signal?: AbortSignal): Promise<TargetSession | undefined>;
  };
  /** Returns the text with every known secret hidden. */
  redact(text: string): string;
  readonly log: { warn(sentence: string): void };
}

/** One target, its server's host, and the time limit. */
export interface Controlled {
  readonly context: ServersContext;
  readonly spec: TargetSpec;
  readonly machine: Machine;
  /** Milliseconds that a start, stop or restart may take. */
  readonly limitMs: number;
}
