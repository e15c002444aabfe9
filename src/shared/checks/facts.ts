import type { Experiment } from '../model/experiment.ts';
import type { HostFacts } from '../model/host.ts';
import type { TargetDescription } from '../model/target.ts';

/** Facts known before a start. */
export interface StartFacts {
  experiment: Experiment;
  /** Nothing is loaded or measured: fairness rules do not apply. */
  watchesOnly?: true;
  /** Number of trials that change data, files or a device; absent: none known. */
  writingTrials?: number;
  generators: readonly {
    name: string;
    facts?: HostFacts;
    /** Maximum simultaneous work of its tool in any cell, with the tool's word for it. */
    workers?: { most: number; unit: readonly [one: string, many: string] };
    /** Its tool encrypts its connection to the target, in some cell. */
    encrypts?: boolean;
  }[];
  /** Address of the target as seen by the generators. */
  targetAddress?: string;
  target?: TargetDescription;
  /** The smallest round trip from each generator to it, milliseconds. */
  roundTrips?: readonly { from: string; ms: number }[];
}
