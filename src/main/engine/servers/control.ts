import type { ServerControl } from '../../../shared/model/target.ts';

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
