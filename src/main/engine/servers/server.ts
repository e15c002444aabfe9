import type { ConnectionFacts, ServerControl, ServerState, TargetSpec } from '../../../shared/model/target.ts';
import type { Machine, Machines } from '../hosts/machine.ts';
import type { Jobs } from '../jobs/job.ts';
import type { TargetSession } from '../targets/target.ts';

/** A file that holds nothing but settings that Kneepoint wrote. Errors are those of a machine, `change-not-possible` for a file
 * that is not Kneepoint's or cannot be written, and `change-refused` for a setting that cannot stand in it. */
export interface SettingsFile {
  /** On the host of the server. */
  readonly path: string;
  /** What stands in it, by name; empty when there is no file. */
  read(): Promise<Readonly<Record<string, string>>>;
  /** Replaces all that stands in it, whole or not at all; no settings: the file is taken away. */
  write(settings: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * A server on its host. Safe to call again: starting what runs and stopping what does not are done already.
 * Errors: `change-not-possible` for a control that cannot do it; `server-not-back` when it does not take connections in time, with the end
 * of its log; and those of a machine.
 */
export interface Server {
  readonly control: ServerControl['kind'];
  state(signal: AbortSignal): Promise<ServerState>;
  /** Resolves when it takes connections. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when its process is gone. */
  stop(signal: AbortSignal): Promise<void>;
  /**
   * SIGKILL to its main process (of a managed server: to all of its processes), once: it is not repeated after a lost link. Resolves when that
   * process is gone; systemd may have started the server again by itself. Absent: its control cannot.
   */
  kill?(signal: AbortSignal): Promise<void>;
  restart(signal: AbortSignal): Promise<void>;
  /** Makes it read its files again. */
  reload(signal: AbortSignal): Promise<void>;
  /** Where settings that count from its next start on are written; undefined: nowhere that is known. */
  readonly settingsFile: SettingsFile | undefined;
}

/** Servers of saved targets. */
export interface Servers {
  /** Throws `change-not-possible` for a target that does not say where its server lives. */
  of(target: string): Server;
}

export type IsGone = (signal: AbortSignal) => Promise<boolean>;

/** A way of starting and stopping a server: the steps of it. `createServer` repeats them, waits, and puts failures into words. */
export interface Control {
  readonly kind: ServerControl['kind'];
  /** Whether its process is there; undefined: that is not told apart from whether it answers. */
  present(signal: AbortSignal): Promise<boolean | undefined>;
  /** Whether a process that is not there any more while a start is waited for is a start that failed. */
  readonly tellsEarlyEnd: boolean;
  /** Milliseconds that the present start may take beyond the limit. */
  extraMs?(): number;
  /** Begins a start; may be called while it runs. Throws `server-not-back` when it failed at once. */
  start(signal: AbortSignal): Promise<void>;
  /** Called when a start has led to a server that answers. */
  started?(signal: AbortSignal): Promise<void>;
  /** Ends it; may be called when it does not run. */
  stop(signal: AbortSignal): Promise<void>;
  /** Ends its process at once, as a crash would; gives what tells whether that process is gone, though another one may run. Absent: it cannot. */
  kill?(signal: AbortSignal): Promise<IsGone>;
  /** Absent: stop and start. */
  restart?(signal: AbortSignal): Promise<void>;
  /** Absent: it cannot. */
  reload?(signal: AbortSignal): Promise<void>;
  /** The end of what it has written; empty when nothing is known. */
  logEnd(signal: AbortSignal): Promise<string>;
}

/** What the control of servers works with. */
export interface ServersContext {
  readonly machines: Pick<Machines, 'get'>;
  readonly jobs: Jobs;
  readonly targets: {
    /** Throws not-found. */
    spec(name: string): TargetSpec;
    connection(name: string): Promise<ConnectionFacts>;
    open(name: string, signal?: AbortSignal): Promise<TargetSession | undefined>;
  };
  /** Text with every known secret hidden. */
  redact(text: string): string;
  readonly log: { warn(sentence: string): void };
}

/** One target, its server's host, and how long to wait for it. */
export interface Controlled {
  readonly context: ServersContext;
  readonly spec: TargetSpec;
  readonly machine: Machine;
  /** Milliseconds that a start, stop or restart may take. */
  readonly limitMs: number;
}
