import type { ServerControl, ServerState } from '../../../shared/model/target.ts';

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
