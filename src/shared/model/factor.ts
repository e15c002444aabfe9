import { z } from 'zod';
import { MOST_LEVELS } from './ranges.ts';

/** Shown in terminals, file names and one-line lists. */
export const OneLine = z.string().regex(/^\P{Cc}*$/u, 'must be one line without control characters.');

export const Scalar = z.union([z.string(), z.number(), z.boolean()]);
export type Scalar = z.infer<typeof Scalar>;
export const Levels = z.record(z.string(), Scalar);
/** A combination of levels: factor name → level, or the name of a level that has one. */
export type Levels = z.infer<typeof Levels>;

const Name = OneLine.min(1)
  .max(80)
  .refine((name) => name !== '__proto__', 'this name is reserved.');

/** A level with its own name, for one that is more than a value: a set of settings. The factor's kind defines its other fields. */
const NamedLevel = z.looseObject({ name: Name });
export const Level = z.union([Scalar, NamedLevel]);
export type Level = z.infer<typeof Level>;

/** Name of a level in cells, tables and charts. */
export const levelName = (level: Level): Scalar => (typeof level === 'object' ? level.name : level);

/** The kind of a factor that specifies none. */
export const UNNAMED_KIND = 'option';

/**
 * A varied dimension. `kind` is the name of a folder in `engine/factors`; each kind checks its other fields with its own schema, as targets
 * do for their configuration.
 */
export const Factor = z.looseObject({
  name: Name,
  kind: z.string().min(1).max(40).optional().default(UNNAMED_KIND),
  levels: z.array(Level).min(1, 'A factor needs at least one level.').max(MOST_LEVELS),
  /**
   * Levels of other factors that it requires: cells without one of them have no level of it. With several levels of one factor, any of them
   * will do.
   */
  when: z.record(z.string(), z.union([Scalar, z.array(Scalar).min(1)])).optional(),
  /** A number for each level that is a name: its position on a numeric axis, such as the GB of a volume. */
  values: z.record(z.string(), z.number()).optional(),
  /** The level that the results compare the others with: every cell with the one that has it and otherwise the same levels. */
  baseline: Scalar.optional(),
  /** The factor under test: the results answer for it first. Required if several factors are no load. */
  tested: z.literal(true).optional(),
  pause: z.number().min(0).max(86_400).optional().meta({
    title: 'Pause',
    description:
      'Between two trials whose levels of this factor differ. If several factors change, the longest pause applies.',
    group: '',
    unit: 's',
    unset: 'the pause of the measurement',
  }),
});
export type Factor = z.infer<typeof Factor>;

/** The tool's option that a factor of the unnamed kind varies: `option`, or the one that has the factor's name. */
export const optionOf = ({ name, option }: Factor): string => (typeof option === 'string' ? option : name);

/** A factor with additional levels: sorted in if all levels are ascending numbers, otherwise appended. */
export function withLevels(factor: Factor, levels: readonly Level[]): Factor {
  const rises = factor.levels.every(
    (level, index, all) => typeof level === 'number' && (index === 0 || level > Number(all[index - 1])),
  );
  const all = [...factor.levels, ...levels];
  const sorted = rises && levels.every((level) => typeof level === 'number');
  return { ...factor, levels: sorted ? all.sort((a, b) => Number(a) - Number(b)) : all };
}

/** With more levels, the effect of a factor is a curve, not a sentence about one level against another. */
export const MOST_TESTED_LEVELS = 8;

/** The levels by name. */
export const levelsOf = ({ levels }: Factor): Scalar[] => levels.map(levelName);

/** A factor in results and charts: its levels by name. */
export interface NamedLevels {
  name: string;
  /** Levels with values are in ascending order of these. */
  levels: Scalar[];
  /** The value of each level, by its name. Absent: levels are their own values, or have none. */
  values?: Record<string, number>;
  /** Cells may lack a level of it: all except those that have one of these levels of each named factor. */
  sparse?: true;
  when?: Record<string, Scalar[]>;
}
const conditionsOf = (when: NonNullable<Factor['when']>): Record<string, Scalar[]> =>
  Object.fromEntries(Object.entries(when).map(([name, levels]) => [name, [levels].flat()]));
export const namedLevels = (factors: readonly Factor[]): NamedLevels[] =>
  factors.map((factor) => {
    const values = valuesOf(factor);
    return {
      name: factor.name,
      levels: values
        ? levelsOf(factor).sort((a, b) => (values[String(a)] ?? 0) - (values[String(b)] ?? 0))
        : levelsOf(factor),
      ...(values && { values }),
      ...(factor.when && { sparse: true as const, when: conditionsOf(factor.when) }),
    };
  });

/** Values of a factor's levels. Undefined if a level has none, such as one added later. */
const valuesOf = (factor: Factor): Factor['values'] =>
  levelsOf(factor).every((level) => factor.values?.[String(level)] !== undefined) ? factor.values : undefined;

/** A level as a number: its value, or else the level itself. Undefined for a name without a value. */
export const valueOfLevel = (
  { values }: { readonly values?: Readonly<Record<string, number>> | undefined },
  level: Scalar | undefined,
): number | undefined => values?.[String(level)] ?? (typeof level === 'number' ? level : undefined);

/** Cost of a change of level, from none to preparing data again. */
export const CHANGE_COSTS = ['none', 'live', 'reload', 'restart', 'load'] as const;
export const ChangeCost = z.enum(CHANGE_COSTS);
export type ChangeCost = z.infer<typeof ChangeCost>;

/** A kind of factor as forms and help show it. */
export const FactorKindInfo = z.object({
  kind: z.string(),
  title: z.string(),
  /** One or two sentences. */
  description: z.string(),
  /** Changes outside the tool's own command. */
  changes: z.enum(['nothing', 'server', 'host']),
  /** A sentence on the cost of changing from one level to the next. */
  takes: z.string(),
  /** How a level is verified, and how it is restored at the end. */
  undone: z.string(),
  /** JSON Schema of a factor's fields other than name, kind and levels; with title, description and default per property. */
  schema: z.record(z.string(), z.unknown()),
  /** JSON Schema of a level's fields other than its name; absent: a level is a plain value. */
  level: z.record(z.string(), z.unknown()).optional(),
  /** Whether a level may also be a plain value if `level` is present. */
  plainLevels: z.boolean().optional(),
  /** An example factor as written in a document. */
  example: z.string(),
});
export type FactorKindInfo = z.infer<typeof FactorKindInfo>;
