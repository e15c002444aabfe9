import type { Experiment } from '../model/experiment.ts';
import type { HostFacts } from '../model/host.ts';
import type { TargetDescription } from '../model/target.ts';

/** What is known before a start. */
export interface StartFacts {
  experiment: Experiment;
  generator: { name: string; facts?: HostFacts };
  /** Address of the target as the generator sees it. */
  targetAddress?: string;
  target?: TargetDescription;
}
