import type { Duplex } from 'node:stream';
import type { LinkState, Tunnel } from '../../../shared/model/host.ts';

export interface ExecResult {
  /** Exit code; undefined if a signal ended it. */
  code?: number;
  signal?: string;
  stdout: string;
  stderr: string;
}

/** A script that continues running while its output is read. */
export interface Spawned {
  /** Bytes of standard output as they arrive. Ends when the far side closes; throws `host-unreachable` if the link drops. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: () => string;
  /** Resolves at the end, including link loss. */
  readonly done: Promise<{ code?: number; signal?: string }>;
  /** Sends text to the script's standard input. Ignored once it has ended. */
  write(text: string): void;
  /** Ends standard input and closes the channel: a well-behaved script takes that as its end. */
  close(): void;
}

/**
 * A machine that runs scripts: this computer or one behind SSH, with the same behaviour (one test suite covers both). Scripts are POSIX sh
 * and always sent on standard input of one constant command (`exec /bin/sh -s`), never as an argument. Throws `KneepointError` with:
 * host-unreachable, host-refused, host-key-unknown, host-key-changed, host-auth-failed, cancelled.
 */
export interface Machine {
  readonly name: string;
  /** Runs a script to its end. Throws `host-unreachable` after the time limit, 30 s by default. Output beyond 4 MiB is an error. */
  exec(script: string, options?: { signal?: AbortSignal; timeoutMs?: number }): Promise<ExecResult>;
  /** Runs a script whose standard input stays open after the script text. */
  spawn(script: string, options?: { signal?: AbortSignal }): Promise<Spawned>;
  /** A byte stream to an address as seen from this machine (SSH: forwardOut, no listening port). `label` names it in the tunnels panel. */
  dial(address: string, port: number, label: string): Promise<Duplex>;
  /** A stream to a Unix socket of the machine. */
  dialSocket(path: string, label: string): Promise<Duplex>;
  /** SHA-256 fingerprint of the SSH key that the host presented on the current connection. Undefined without one, and for this computer. */
  hostKey?(): string | undefined;
  /** Current state of the link, with the reason if it is down; this computer is always `up`. */
  link(): LinkState;
  /**
   * Resolves when the link is up (immediately if it is). Reconnects with back-off until the signal fires: a refused login or an unknown key
   * does not end it either; it then waits, without trying, until the user has acted.
   */
  ready(signal?: AbortSignal): Promise<void>;
}

/** Machines by host name. One connection per host, shared, and closed when it is no longer needed. */
export interface Machines {
  /** Throws `not-found` for an unknown name. Does not connect yet. */
  get(name: string): Machine;
  /**
   * Calls the listener with the new state of each changed link, including channels that open or close. Returns a function that
   * unsubscribes.
   */
  onLinks(listener: (link: LinkState) => void): () => void;
  /** Every link that is or was in use. */
  links(): LinkState[];
  close(): Promise<void>;
}

/** Additional methods for Kneepoint itself, beyond running scripts. */
export interface HostMachines extends Machines {
  /** Clears what stopped the attempts for this host, because the user has acted (test, new password, trusted key). */
  retry(name: string): void;
  /** Disconnects, because the host was changed or removed. If it is still needed, it is connected again with its new settings. */
  drop(name: string): void;
  /** Keeps the link up, with back-off and without a limit, until the returned function is called. */
  need(name: string): () => void;
  /** Like `Machine.dial`, but not listed among the streams, for named tunnels. */
  forward(name: string, address: string, port: number): Promise<Duplex>;
  /** Kneepoint's own streams, one row per host, address and label. */
  streams(): Tunnel[];
}
