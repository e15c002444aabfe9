import type { GuessCost, SecretKeeper } from './secrets/vault.ts';

/** Everything the engine takes from where it lives. It has no globals and imports no Electron. */
export interface Outside {
  /** Folder of the library (SQLite file, lock, vault); made if missing. */
  dataDir: string;
  /** Folder that holds `workloads/` and `assets/`. */
  assetsDir: string;
  /** A Node ≥ 24 executable: runs programs of ours as local jobs. */
  nodePath: string;
  version: string;
  mode: 'desktop' | 'browser' | 'cli' | 'test';
  clock: Clock;
  log: Log;
  /** Whether sessions that were under way are continued at once (default). The command line does it only when asked. */
  resumeSessions?: boolean;
  /** While another engine holds the library: read it beside that one, instead of `store-busy`. */
  shared?: boolean;
  /** The operating system's keychain, where there is one. */
  keychain?: SecretKeeper;
  /** What a guess at the vault's passphrase shall cost; for tests, which have no time for it. */
  guessCost?: GuessCost;
}

export interface Clock {
  /** Epoch milliseconds: labels only. */
  now(): number;
  /** Milliseconds that never jump: all waits and time limits. */
  monotonic(): number;
}

/** The one sink of diagnostics. Secrets are redacted behind it, not at each caller. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}
