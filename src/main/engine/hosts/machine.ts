import type { Duplex } from 'node:stream';
import type { LinkState, Tunnel } from '../../../shared/model/host.ts';

export interface ExecResult {
  /** Exit code; undefined when a signal ended it. */
  code?: number;
  signal?: string;
  stdout: string;
  stderr: string;
}

/** A script that continues running while its output is read. */
export interface Spawned {
  /** Bytes of standard output as they come; ends when the far side closes; throws `host-unreachable` when the link drops. */
  readonly stdout: AsyncIterable<Uint8Array>;
  readonly stderr: () => string;
  /** Resolves at the end, link loss included. */
  readonly done: Promise<{ code?: number; signal?: string }>;
  /** Sends text to the script's standard input. Ignored once it has ended. */
  write(text: string): void;
  /** Ends standard input and closes the channel: a well-behaved script takes that as its end. */
  close(): void;
}

/**
 * A machine we can run scripts on: this computer or one behind SSH, the same behaviour for both (one test suite loops over them).
 * Scripts are POSIX sh and always travel on standard input of one constant command (`exec /bin/sh -s`), never as an argument.
 * Errors are KneepointError: host-unreachable, host-refused, host-key-unknown, host-key-changed, host-auth-failed, cancelled.
 */
export interface Machine {
  readonly name: string;
  /** Runs a script to its end. Default limit 30 s; past it: `host-unreachable`. Output beyond 4 MiB is an error. */
  exec(script: string, options?: { signal?: AbortSignal; timeoutMs?: number }): Promise<ExecResult>;
  /** Runs a script whose standard input stays open after the script text. */
  spawn(script: string, options?: { signal?: AbortSignal }): Promise<Spawned>;
  /** A byte stream to an address as seen from this machine (SSH: forwardOut, no listening port). `label` names it in the tunnels panel. */
  dial(address: string, port: number, label: string): Promise<Duplex>;
  /** A stream to a Unix socket of the machine. */
  dialSocket(path: string, label: string): Promise<Duplex>;
  /** SHA-256 fingerprint of the SSH key that the host has shown on the connection there is; undefined without one, and for this computer. */
  hostKey?(): string | undefined;
  /** The link as it is now, with the reason when it is down; this computer is always `up`. */
  link(): LinkState;
  /**
   * Resolves when the link is up (at once if it is). Reconnects with back-off for as long as the signal allows:
   * a refused login or an unknown key does not end it either, it waits (without trying) until a person has acted.
   */
  ready(signal?: AbortSignal): Promise<void>;
}

/** Hands out machines by host name; one connection per host, shared, closed when nobody needs it. */
export interface Machines {
  /** Throws `not-found` for an unknown name. Does not connect yet. */
  get(name: string): Machine;
  /** The listener gets each link that changed, as it is now: also when a channel on it opened or closed. Returns the function that ends it. */
  onLinks(listener: (link: LinkState) => void): () => void;
  /** Every link that is or was in use. */
  links(): LinkState[];
  close(): Promise<void>;
}

/** What the app itself does with its hosts, beyond running scripts on them. */
export interface HostMachines extends Machines {
  /** A person acted (test, new password, key trusted): what stopped the attempts for this host is forgotten. */
  retry(name: string): void;
  /** The host was changed or removed: hangs up. Who still needs it is connected again with what is saved now. */
  drop(name: string): void;
  /** Keeps the link up, with back-off and without end, until the returned function is called. */
  need(name: string): () => void;
  /** As `Machine.dial`, but not listed among the streams: the way of a named tunnel. */
  forward(name: string, address: string, port: number): Promise<Duplex>;
  /** The app's own streams, one row per host, address and label. */
  streams(): Tunnel[];
}
