import type { Experiment } from '../../../../shared/model/experiment.ts';
import type { HostFacts } from '../../../../shared/model/host.ts';
import type { ConnectionFacts, TargetDescription } from '../../../../shared/model/target.ts';
import type { Tool } from '../../tools/tool.ts';
import type { GrantedDevice } from '../context.ts';
import type { Generator } from '../generators.ts';

/** What the checks of one preflight learn from one another. */
export interface Knowledge {
  experiment: Experiment;
  tool: Tool;
  generators: (Generator & { facts?: HostFacts })[];
  connection?: ConnectionFacts;
  target?: TargetDescription;
  /** What a person typed to allow devices to be overwritten, and which were allowed by it. */
  destroy: readonly string[];
  granted: readonly GrantedDevice[];
}
