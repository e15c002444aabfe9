import type { z } from 'zod';
import type { CostSpec } from '../../../shared/model/cost.ts';
import type { Experiment, Scalar } from '../../../shared/model/experiment.ts';
import type { ChangeCost, Factor, FactorKindInfo } from '../../../shared/model/factor.ts';
import type { LaunchLimits, LoadKind } from '../../../shared/model/tool.ts';
import type { Tool } from '../tools/tool.ts';
import type { DesiredSetting } from './change.ts';

/** A step before the tool has filled in its options: the cell's levels where they decide, else the document. */
export interface StepDraft {
  /** The workload as the document would have it for this cell alone. */
  readonly workload: Experiment['workload'];
  /** Name of the saved target. Undefined if the workload brings its own or drives the generator itself. */
  readonly target?: string;
  /** Number of the target's addresses to use, from the first on. Default: all. */
  readonly nodes?: number;
  /** Names of the hosts that run the tool, in document order. */
  readonly generators: readonly string[];
  /** Seconds. */
  readonly warmup: number;
  readonly duration: number;
  /** Desired settings of hosts and servers, each once, in the order of the factors. */
  readonly settings: readonly DesiredSetting[];
  /** Limits that the tool's process is started under. */
  readonly launch: LaunchLimits;
  /** The cell's data variant in words. Cells with different variants are not interleaved. Undefined if statements change nothing. */
  readonly variant?: string;
  /**
   * Settings of the server that apply only to data created after them: “innodb_default_row_format = compact”. Undefined if none is varied.
   */
  readonly madeUnder?: string;
  /** Costs of the levels, in addition to those of all cells of the session. */
  readonly prices?: readonly CostSpec[];
}

/** Reports a problem at a path of the document below the factor. */
export type Complain = (path: readonly (string | number)[], message: string) => void;

/** Meaning of one factor of a document for one tool. Pure. */
export interface FactorRules {
  /** Names of everything it varies. No two factors may vary the same name. */
  readonly varies: readonly string[];
  /** Equal for levels that mean the same: 1, “1” and “01” are one number of threads. */
  levelKey(level: Factor['levels'][number]): string;
  /** Reports problems of the factor and its levels. Fields and levels have passed the schemas of the kind. */
  check(complain: Complain, where: Experiment['where']): void;
  /**
   * Returns the step with the level of this name. Factors are applied in the order of the kinds, so a target is known before its settings.
   */
  apply(step: StepDraft, level: Scalar): StepDraft;
  /** The kind of load that its levels raise, if they do. */
  readonly load?: LoadKind;
  /** Upper limit for the cost of a change between levels, as far as it is known without asking a host or server. */
  readonly cost: ChangeCost;
  /** Cost of one change, by names of levels; undefined is the original state. Without it, all changes cost the same. */
  costOfMove?(from: Scalar | undefined, to: Scalar | undefined): ChangeCost;
}

/** Converts durations with a unit to numbers of the unit that they are stored in; leaves everything else as it is. */
export interface PlainDurations {
  option(name: unknown, value: unknown): unknown;
  seconds(value: unknown): unknown;
}

/**
 * A kind of factor. A new one is a folder and a line in `factors/index.ts`: form, YAML, help and documentation are made from this. Changes
 * on hosts and servers are carried out by changers (`change.ts`).
 */
export interface FactorKind<Fields extends z.ZodObject = z.ZodObject> {
  readonly kind: string;
  readonly title: string;
  /** One or two sentences for forms, help and documentation. */
  readonly description: string;
  readonly changes: FactorKindInfo['changes'];
  /** A sentence on the cost of a change from one level to the next. */
  readonly takes: string;
  /** How a level is verified to be in effect, and what happens to it at the end. */
  readonly undone: string;
  /** Fields of a factor besides name, kind and levels, each with title and description. */
  readonly fields: Fields;
  /** Fields of a level besides its name. Without it, a level is a plain value. */
  readonly level?: z.ZodObject;
  /** With `level`: whether a level may be a plain value too. */
  readonly plainLevels?: boolean;
  /** Example of a factor as it is written in a document. */
  readonly example: string;
  /**
   * Converts a level of a document to its stored form: durations with a unit (`10m`) become numbers. Accepts any input. Without it, levels
   * are stored as written.
   */
  plainLevel?(level: unknown, factor: Readonly<Record<string, unknown>>, plain: PlainDurations): unknown;
  /** `fields` are those of the factor, parsed by the schema. */
  rules(factor: Factor, fields: z.output<Fields>, tool: Tool): FactorRules;
}

export const defineFactor = <Fields extends z.ZodObject>(kind: FactorKind<Fields>): FactorKind => kind as FactorKind;

/** Returns a level of a factor by its name. */
export function levelNamed(factor: Factor, name: Scalar): Factor['levels'][number] | undefined {
  return factor.levels.find((level) => String(typeof level === 'object' ? level.name : level) === String(name));
}
