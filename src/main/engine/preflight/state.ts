import type { PriceCatalogue } from '../../../shared/costs/index.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { HostFacts } from '../../../shared/model/host.ts';
import type { FactsSnapshot, GrantedDevice, TargetFacts } from '../../../shared/model/session-snapshot.ts';
import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { DataContext, Seen } from '../data/index.ts';
import type { Clock } from '../outside.ts';
import type { ResolvedCell, Step } from '../plans/index.ts';
import type { Generator } from '../runs/index.ts';
import type { Tool } from '../tools/tool.ts';

/** Adds prices, for the cost of a plan. */
export interface PreflightContext extends DataContext {
  prices(): PriceCatalogue;
}

export interface KnownGenerator extends Generator {
  readonly facts?: HostFacts;
}

/** A saved target, with its facts once it has responded. */
export interface KnownTarget {
  readonly name: string;
  readonly connection?: ConnectionFacts;
  readonly facts?: TargetFacts;
}

/** Facts found by checks, for later checks and for the start. */
export interface PreflightFacts {
  readonly generators: readonly KnownGenerator[];
  /** Targets of the cells. */
  readonly targets: readonly KnownTarget[];
  /** Results of data checks, by the key of the preparation. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** Devices that may be overwritten. */
  readonly granted: readonly GrantedDevice[];
}

/** Everything known at one point of the preflight. A check reads it and returns its additions. */
export interface PreflightState extends PreflightFacts {
  readonly experiment: Experiment;
  readonly tool: Tool;
  readonly cells: readonly ResolvedCell[];
  /** Every step of every cell that runs the workload, or prepares or removes its data with its tool. */
  readonly steps: readonly Step[];
  /** Phrases typed by the user to continue: devices as `HOST:DEVICE`, and those that findings ask for. */
  readonly typed: readonly string[];
  /** The phrases that findings have asked for. */
  readonly askedFor: ReadonlySet<string>;
}

/** The same state with additional facts of one target. */
export const withTarget = (
  { targets }: Pick<PreflightFacts, 'targets'>,
  known: KnownTarget,
): Pick<PreflightFacts, 'targets'> => ({
  targets: targets.map((target) => (target.name === known.name ? { ...target, ...known } : target)),
});

/** Results of a preflight are used for this long, because a start follows it immediately. */
const FRESH_MS = 10_000;

/** Results of a preflight that a start does not need to check again. */
export interface CheckedStart extends Pick<PreflightFacts, 'granted' | 'seen'> {
  /** Warnings that did not prevent the start. */
  readonly findings: readonly Finding[];
  /** Phrases typed to continue with something that cannot be undone, or that others use too. */
  readonly confirmed: readonly string[];
  /** Undefined if some could not be read. */
  readonly facts?: FactsSnapshot;
  /** End of the preflight, on the monotonic clock. */
  readonly at: number;
}

export const isFresh = ({ at }: CheckedStart, clock: Clock): boolean => clock.monotonic() - at <= FRESH_MS;
