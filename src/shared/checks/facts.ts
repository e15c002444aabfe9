import type { Experiment } from '../model/experiment.ts';
import type { HostFacts } from '../model/host.ts';
import type { TargetDescription } from '../model/target.ts';

/** What is known before a start. */
export interface StartFacts {
  experiment: Experiment;
  /** Nothing is loaded or measured: what makes a result fair means nothing. */
  watchesOnly?: true;
  /** Trials that change data, files or a device; absent: none that is known. */
  writingTrials?: number;
  generators: readonly {
    name: string;
    facts?: HostFacts;
    /** The most that its tool does at the same time in any cell, and what the tool calls that. */
    workers?: { most: number; unit: readonly [one: string, many: string] };
    /** Its tool encrypts what it sends to the target, in some cell. */
    encrypts?: boolean;
  }[];
  /** Address of the target as the generators see it. */
  targetAddress?: string;
  target?: TargetDescription;
  /** The smallest round trip from each generator to it, milliseconds. */
  roundTrips?: readonly { from: string; ms: number }[];
}
