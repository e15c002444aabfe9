import type { ConnectionFacts, TargetSpec } from '../../../shared/model/target.ts';
import type { Machine, Machines } from '../hosts/machine.ts';
import type { Jobs } from '../jobs/job.ts';
import type { TargetSession } from '../targets/target.ts';

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
