import { z } from 'zod';
import { Levels, Scalar } from './experiment.ts';

/**
 * Verdict on a cell of a comparison. Words and meaning: `docs/statistics/differences.md`.
 * better, worse (higher, lower if the metric has no better direction): the ratio is not 1. too-small: it is not 1, but by less than the
 * margin. no-difference: it is within the margin. cannot-tell: inconclusive. differ, alike: the same for figures that were measured one
 * after the other, so that time may be the cause. too-few: fewer than two complete repeats on a side. missing: no data on a side.
 */
export const Verdict = z.enum([
  ...['better', 'worse', 'higher', 'lower', 'too-small', 'no-difference'],
  ...['cannot-tell', 'differ', 'alike', 'too-few', 'missing'],
] as const);
export type Verdict = z.infer<typeof Verdict>;

/**
 * Every cell of a session against the one that has the baseline of a factor and otherwise the same levels, judged as a separate comparison.
 */
export const FactorRatios = z.object({
  factor: z.string(),
  level: Scalar,
  /** The verdict as a sentence. */
  verdict: z.string(),
  /** Cells that have a baseline, in their order; `baseline` is its index. Ratio, interval and verdict as in `ComparedCell`. */
  cells: z.array(
    z.object({
      cell: z.number(),
      baseline: z.number(),
      ratio: z.number().optional(),
      interval: z.object({ low: z.number(), high: z.number() }).optional(),
      verdict: Verdict,
      sentence: z.string(),
    }),
  ),
});
export type FactorRatios = z.infer<typeof FactorRatios>;

/** A step of a session in one row: one combination of the factors that are not columns of a table of steps. */
const StepLine = z.object({
  /** Place of the step in the trial. */
  step: z.number(),
  name: z.string(),
  /** Sum of the seconds of all steps that end by themselves; `step` is the first of them. */
  sum: z.literal(true).optional(),
  /** The earlier step that it repeats. */
  same: z.string().optional(),
  /** Its group in the document. */
  group: z.string().optional(),
  metric: z.string(),
  /** Levels of the factors that are not columns. */
  levels: Levels,
  /** In column order; absent: that cell was not measured. The baseline itself has no ratio. */
  cells: z.array(
    z
      .object({
        cell: z.number(),
        value: z.number().optional(),
        /** Its figure divided by that of the step it repeats. */
        again: z.number().optional(),
        ratio: z.number().optional(),
        interval: z.object({ low: z.number(), high: z.number() }).optional(),
        verdict: Verdict.optional(),
        sentence: z.string().optional(),
        /**
         * The load was the limit. least: of the better side alone, so the difference is at least as large. limited: otherwise, so the ratio shows the
         * load. `by`: “the load generator”.
         */
        limit: z.object({ kind: z.enum(['least', 'limited']), by: z.string() }).optional(),
      })
      .optional(),
  ),
});

/** The rows of a group of steps, combined. */
const StepGroup = z.object({
  name: z.string(),
  /** Place of its first measured step in the trial. */
  step: z.number(),
  /**
   * In column order: geometric means of the ratios of its rows, and of their ratios to the group it repeats; the sum of their seconds if all
   * of them end by themselves. Absent: there are none.
   */
  cells: z.array(z.object({ ratio: z.number().optional(), again: z.number().optional(), sum: z.number().optional() })),
  /** Names of metrics of which less is better: their ratios are inverted in means with rates. */
  inverted: z.string().optional(),
});

/** A cost per operation of a step, for hosts and servers: “CPU of the server per operation”, µs. */
export const StepCost = z.object({ id: z.string(), label: z.string(), unit: z.string() });
export type StepCost = z.infer<typeof StepCost>;

/** All measured steps of a session in one table, with their ratios to the baseline of one factor, tested together. */
export const StepsTable = z.object({
  /** The factor whose levels are the columns; absent: none is varied, and there is one column. */
  factor: z.string().optional(),
  levels: z.array(Scalar),
  /** Absent: nothing is compared. */
  baseline: Scalar.optional(),
  lines: z.array(StepLine),
  /** The cost per operation shown instead of the metrics; steps without it have no row. */
  per: StepCost.optional(),
  /** Available costs, in order; absent: none. */
  costs: z.array(StepCost).optional(),
  /** In trial order; absent: the document has none. */
  groups: z.array(StepGroup).optional(),
  /** Summary of the ratios of each level, a sentence each. */
  sentences: z.array(z.string()),
});
export type StepsTable = z.infer<typeof StepsTable>;

/** Where two levels of a factor change their order along a numeric one, for one combination of the other factors. */
export const Crossing = z.object({
  /** Name of the numeric factor. */
  along: z.string(),
  factor: z.string(),
  /** The two levels of `factor`. */
  one: Scalar,
  other: Scalar,
  /** Levels of the other factors. */
  levels: Levels,
  /** none: the same one is ahead at every place. unsure: inconclusive. */
  verdict: z.enum(['crosses', 'none', 'unsure']),
  /** Places of `along` between which the order changes: at both ends the levels differ significantly, in opposite directions. */
  between: z.array(z.object({ from: z.number(), to: z.number() })),
  /** The figures themselves change their order, significantly or not. */
  seen: z.literal(true).optional(),
  sentence: z.string(),
});
export type Crossing = z.infer<typeof Crossing>;

/** Trials of one cell throughout the session that detect drift of the machines; they are not repeats of it. */
export const CanaryResult = z.object({
  cell: z.number(),
  levels: Levels,
  /** In order. `trial` counts from 0, `at` is the start of the tool (epoch milliseconds); complete ones have a value. */
  runs: z.array(
    z.object({ runId: z.number(), trial: z.number(), at: z.number().optional(), value: z.number().optional() }),
  ),
  /** drift: it rises or falls along the session. steady: no drift larger than `most`. unknown: inconclusive. */
  verdict: z.enum(['drift', 'steady', 'unknown']),
  /** From the first canary to the last, on a line fitted through their logarithms, with its 95 % interval. */
  change: z.object({ ratio: z.number(), low: z.number(), high: z.number() }).optional(),
  /** Upper limit of a steady drift, as a share (95 %); absent if unknown. */
  most: z.number().optional(),
  sentence: z.string(),
});
export type CanaryResult = z.infer<typeof CanaryResult>;
