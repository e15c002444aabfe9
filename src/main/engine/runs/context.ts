import type { ConnectionFacts, TargetSpec } from '../../../shared/model/target.ts';
import type { Machine, Machines } from '../hosts/machine.ts';
import type { Clock, Log } from '../outside.ts';
import type { Store } from '../store/store.ts';
import type { TargetSession } from '../targets/target.ts';
import type { Tool } from '../tools/tool.ts';

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

/** Needed by every room around a run. Each room above adds its own needs, and the engine builds one object that meets all. */
export interface RunsContext {
  store: Store;
  machines: Machines;
  tools: readonly Tool[];
  targets: TargetAccess;
  /** Our clock minus the host's, milliseconds, true within half of the round trip; undefined when the host does not tell its time. `bootMs`: our clock when it was started. */
  readClock(
    machine: Machine,
    signal?: AbortSignal,
  ): Promise<{ offsetMs: number; roundTripMs: number; bootMs?: number } | undefined>;
  /** Text with every known secret hidden: what tools and servers print goes into logs. */
  redact(text: string): string;
  clock: Clock;
  log: Log;
  nodePath: string;
  assetsDir: string;
}
