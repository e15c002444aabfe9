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
  /** Connection facts for a tool, without the secret. Undefined if there is no such target. */
  shown(name: string): ConnectionFacts | undefined;
  /** Names of the saved targets at its additional addresses, in their order: nodes of its cluster, or further proxies. */
  nodes(name: string): string[];
  /** Connection facts for a tool on a generator. */
  connection(name: string): Promise<ConnectionFacts>;
  /** Connection facts for a program of Kneepoint on this computer: through the app if the app connects via a host. */
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
  /**
   * Our clock minus the host's, in milliseconds, accurate to half of the round trip. Undefined if the host does not report its time. `bootMs`: our
   * clock when the host was started.
   */
  readClock(
    machine: Machine,
    signal?: AbortSignal,
  ): Promise<{ offsetMs: number; roundTripMs: number; bootMs?: number } | undefined>;
  /** Hides every known secret in a text: output of tools and servers goes into logs. */
  redact(text: string): string;
  clock: Clock;
  log: Log;
  nodePath: string;
  assetsDir: string;
}
