import type { z } from 'zod';
import type { CostSpec } from '../../../shared/model/cost.ts';
import type { Experiment, Scalar } from '../../../shared/model/experiment.ts';
import type { ChangeCost, Factor, FactorKindInfo } from '../../../shared/model/factor.ts';
import type { LaunchLimits, LoadKind } from '../../../shared/model/tool.ts';
import type { Tool } from '../tools/tool.ts';
import type { DesiredSetting } from './change.ts';

/** A step before the tool has filled in its options: what the levels of a cell decide, and else the document. */
export interface StepDraft {
  /** The workload as the document would say it for this cell alone. */
  readonly workload: Experiment['workload'];
  /** Name of the saved target; absent: the workload brings its own, or drives the generator itself. */
  readonly target?: string;
  /** So many addresses of the target are used, from the first on. Absent: all. */
  readonly nodes?: number;
  /** Names of the hosts that run the tool, in the order of the document. */
  readonly generators: readonly string[];
  /** Seconds. */
  readonly warmup: number;
  readonly duration: number;
  /** What has to be so on hosts and servers, each thing once, in the order of the factors. */
  readonly settings: readonly DesiredSetting[];
  /** What the tool's own process is started under. */
  readonly launch: LaunchLimits;
  /** What statements make of the data of the cell, in words; cells that differ in it are not measured in turns. Absent: nothing. */
  readonly variant?: string;
  /** Settings of the server that count only for data made after them: “innodb_default_row_format = compact”. Absent: none is varied. */
  readonly madeUnder?: string;
  /** What its levels cost, beside what all cells of the session do. */
  readonly prices?: readonly CostSpec[];
}

/** A path of the document below the factor, and what is wrong there. */
export type Complain = (path: readonly (string | number)[], message: string) => void;

/** What one factor of a document means for one tool. Pure. */
export interface FactorRules {
  /** What it varies, by the names under which no two factors can vary it. */
  readonly varies: readonly string[];
  /** The same for levels that mean the same: 1, “1” and “01” are one number of threads. */
  levelKey(level: Factor['levels'][number]): string;
  /** What stands against the factor or one of its levels. Fields and levels fit the schemas of the kind already. */
  check(complain: Complain, where: Experiment['where']): void;
  /** The step with the level of this name. Factors are applied in the order of the kinds, so a target is known before its settings. */
  apply(step: StepDraft, level: Scalar): StepDraft;
  /** What it raises, where its levels are a load. */
  readonly load?: LoadKind;
  /** What a change from one level to another takes at most, as far as it can be told without asking anybody. */
  readonly cost: ChangeCost;
  /** The same for one change, by names of levels; undefined: to or from what was found. Absent: all take the same. */
  costOfMove?(from: Scalar | undefined, to: Scalar | undefined): ChangeCost;
}

/** Durations with their unit as numbers of the unit that they are stored in; what is no duration stays as it is. */
export interface PlainDurations {
  option(name: unknown, value: unknown): unknown;
  seconds(value: unknown): unknown;
}

/**
 * A kind of factor. A new one is a folder and a line in `factors/index.ts`: form, YAML, help and documentation are made from this.
 * What kinds change on hosts and servers is carried out by changers (`change.ts`).
 */
export interface FactorKind<Fields extends z.ZodObject = z.ZodObject> {
  readonly kind: string;
  readonly title: string;
  /** One or two sentences for forms, help and documentation. */
  readonly description: string;
  readonly changes: FactorKindInfo['changes'];
  /** A sentence on what the change from one level to the next takes. */
  readonly takes: string;
  /** How a level is seen to be in effect, and what becomes of it at the end. */
  readonly undone: string;
  /** What a factor says beside name, kind and levels; each with title and description. */
  readonly fields: Fields;
  /** What a level says beside its name. Absent: a level is a plain value. */
  readonly level?: z.ZodObject;
  /** Whether a level may be a plain value too, where `level` is there. */
  readonly plainLevels?: boolean;
  /** A factor as a document writes it. */
  readonly example: string;
  /** A level of a document as it is stored: durations with their unit (`10m`) as numbers. Takes whatever was written. Absent: as it is. */
  plainLevel?(level: unknown, factor: Readonly<Record<string, unknown>>, plain: PlainDurations): unknown;
  /** `fields`: those of the factor, by the schema. */
  rules(factor: Factor, fields: z.output<Fields>, tool: Tool): FactorRules;
}

export const defineFactor = <Fields extends z.ZodObject>(kind: FactorKind<Fields>): FactorKind => kind as FactorKind;

/** A level of a factor by its name. */
export function levelNamed(factor: Factor, name: Scalar): Factor['levels'][number] | undefined {
  return factor.levels.find((level) => String(typeof level === 'object' ? level.name : level) === String(name));
}
