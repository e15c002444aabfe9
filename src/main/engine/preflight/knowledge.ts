import type { Experiment } from '../../../shared/model/experiment.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { GrantedDevice, TargetFacts } from '../../../shared/model/session-snapshot.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { Seen } from '../data/index.ts';
import type { ResolvedCell, Step } from '../plans/index.ts';
import type { Generator } from '../runs/index.ts';
import type { Tool } from '../tools/tool.ts';

/** A saved target, and what is known of it once it has answered. */
export interface KnownTarget {
  readonly name: string;
  connection?: ConnectionFacts;
  facts?: TargetFacts;
}

/** What the checks of one preflight learn from one another. */
export interface Knowledge {
  experiment: Experiment;
  tool: Tool;
  readonly cells: readonly ResolvedCell[];
  /** Every step of every cell. */
  readonly steps: readonly Step[];
  generators: (Generator & { facts?: HostFacts })[];
  /** Those that cells meet. */
  targets: KnownTarget[];
  /** What was seen of data, by the key of its preparation. */
  seen: Map<string, Seen>;
  /** What a person typed to allow devices to be overwritten, and which were allowed by it. */
  destroy: readonly string[];
  granted: readonly GrantedDevice[];
  /** What else a person may type to go ahead, of that what was typed. */
  confirmable: Set<string>;
  confirmed: Set<string>;
}
