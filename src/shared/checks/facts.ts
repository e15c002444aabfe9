import type { Experiment } from '../model/experiment.ts';
import type { HostFacts } from '../model/host.ts';
import type { TargetDescription } from '../model/target.ts';

/** What is known before a start. */
export interface StartFacts {
  experiment: Experiment;
  generators: readonly { name: string; facts?: HostFacts }[];
  /** Address of the target as the generators see it. */
  targetAddress?: string;
  target?: TargetDescription;
}
