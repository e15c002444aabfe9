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

/** A saved target, and what is known of it once it has answered. */
export interface KnownTarget {
  readonly name: string;
  readonly connection?: ConnectionFacts;
  readonly facts?: TargetFacts;
}

/** Facts that checks learn, for the checks after them and for the start. */
export interface Learnt {
  readonly generators: readonly KnownGenerator[];
  /** Those that cells meet. */
  readonly targets: readonly KnownTarget[];
  /** Data as it was seen, by the key of its preparation. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** Devices that may be overwritten. */
  readonly granted: readonly GrantedDevice[];
}

/** Everything known at a moment of the preflight. A check reads it and returns what it adds. */
export interface PreflightState extends Learnt {
  readonly experiment: Experiment;
  readonly tool: Tool;
  readonly cells: readonly ResolvedCell[];
  /** Every step of every cell that runs the workload, or prepares or removes its data with its tool. */
  readonly steps: readonly Step[];
  /** Phrases that a person typed to go ahead: devices as `HOST:DEVICE`, and what findings ask for. */
  readonly typed: readonly string[];
  /** Those of them that findings have asked for. */
  readonly askedFor: ReadonlySet<string>;
}

/** The same state with more known of one target. */
export const withTarget = ({ targets }: Pick<Learnt, 'targets'>, known: KnownTarget): Pick<Learnt, 'targets'> => ({
  targets: targets.map((target) => (target.name === known.name ? { ...target, ...known } : target)),
});

/** What a preflight learnt is taken as it is for this long: a start follows it at once. */
const FRESH_MS = 10_000;

/** What a preflight found out and a start needs not ask again. */
export interface StartKnowledge extends Pick<Learnt, 'granted' | 'seen'> {
  /** Warnings that did not keep it from starting. */
  readonly findings: readonly Finding[];
  /** Phrases typed to go ahead with what cannot be undone, or is used by others too. */
  readonly confirmed: readonly string[];
  /** Absent when not all of it could be read. */
  readonly facts?: FactsSnapshot;
  /** When the preflight had ended, on the clock of waits. */
  readonly at: number;
}

export const isFresh = ({ at }: StartKnowledge, clock: Clock): boolean => clock.monotonic() - at <= FRESH_MS;
