import { z } from 'zod';
import { Levels, Scalar } from './experiment.ts';

/**
 * What a comparison may say of a cell. Words and meaning: `docs/statistics/differences.md`.
 * better, worse (higher, lower where neither is good): the ratio is not 1. too-small: it is not, but by less than the margin.
 * no-difference: it lies within the margin. cannot-tell: the repeats allow neither. differ, alike: the same of figures that were measured
 * one after the other, so that time may be the cause. too-few: fewer than two complete repeats on a side. missing: nothing on a side.
 */
export const Verdict = z.enum([
  ...['better', 'worse', 'higher', 'lower', 'too-small', 'no-difference'],
  ...['cannot-tell', 'differ', 'alike', 'too-few', 'missing'],
] as const);
export type Verdict = z.infer<typeof Verdict>;

/** Every cell of a session against the one that has the baseline of a factor and else the same levels, judged as a comparison of its own. */
export const FactorRatios = z.object({
  factor: z.string(),
  level: Scalar,
  /** In a sentence. */
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

/** A step of a session at one place: one combination of the factors beside the columns of a table of steps. */
const StepLine = z.object({
  /** Place of the step in the trial. */
  step: z.number(),
  name: z.string(),
  /** It adds up the seconds of all steps that end by themselves; `step` is the first of them. */
  sum: z.literal(true).optional(),
  /** The earlier step that it repeats. */
  same: z.string().optional(),
  /** The group of the document that it is in. */
  group: z.string().optional(),
  metric: z.string(),
  /** Levels of the factors that are no column. */
  levels: Levels,
  /** In the order of the columns; absent: that cell was not measured. The baseline itself has no ratio. */
  cells: z.array(
    z
      .object({
        cell: z.number(),
        value: z.number().optional(),
        /** Its figure divided by that of the step that it repeats. */
        again: z.number().optional(),
        ratio: z.number().optional(),
        interval: z.object({ low: z.number(), high: z.number() }).optional(),
        verdict: Verdict.optional(),
        sentence: z.string().optional(),
      })
      .optional(),
  ),
});

/** The lines of a group of steps as one. */
const StepGroup = z.object({
  name: z.string(),
  /** Place in the trial of its first measured step. */
  step: z.number(),
  /** In the order of the columns: geometric means of the ratios of its lines, and of those to the group that it repeats; absent: there are none. */
  cells: z.array(z.object({ ratio: z.number().optional(), again: z.number().optional() })),
  /** Metrics of which less is better, as words: next to rates, their ratios are inverted in the means. */
  inverted: z.string().optional(),
});

/** A figure per operation of a step, of hosts and servers: “CPU of the server per operation”, µs. */
export const StepCost = z.object({ id: z.string(), label: z.string(), unit: z.string() });
export type StepCost = z.infer<typeof StepCost>;

/** All measured steps of a session side by side, with their ratios to the baseline of one factor, judged together. */
export const StepsTable = z.object({
  /** The factor whose levels are the columns; absent: none is varied, and there is one column. */
  factor: z.string().optional(),
  levels: z.array(Scalar),
  /** Absent: nothing is compared. */
  baseline: Scalar.optional(),
  lines: z.array(StepLine),
  /** The figure per operation that is shown in place of the metrics; steps without it have no line. */
  per: StepCost.optional(),
  /** Those that could be shown, in order; absent: there is none. */
  costs: z.array(StepCost).optional(),
  /** In their order in the trial; absent: the document has none. */
  groups: z.array(StepGroup).optional(),
  /** A summary of the ratios of each level, a sentence each. */
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
  /** none: the same one is ahead at every place. unsure: the repeats do not tell. */
  verdict: z.enum(['crosses', 'none', 'unsure']),
  /** Places of `along` between which the order changes: at both the levels are sure to differ, each the other way round. */
  between: z.array(z.object({ from: z.number(), to: z.number() })),
  /** The figures themselves change their order, sure or not. */
  seen: z.literal(true).optional(),
  sentence: z.string(),
});
export type Crossing = z.infer<typeof Crossing>;

/** The trials of one cell that were measured along the session to see whether the machines drift; they are no repeats of it. */
export const CanaryResult = z.object({
  cell: z.number(),
  levels: Levels,
  /** In their order. `trial` counts from 0, `at` is when the tool started (epoch milliseconds); complete ones have a value. */
  runs: z.array(
    z.object({ runId: z.number(), trial: z.number(), at: z.number().optional(), value: z.number().optional() }),
  ),
  /** drift: it rises or falls along the session. steady: no drift larger than `most`. unknown: the canaries do not tell. */
  verdict: z.enum(['drift', 'steady', 'unknown']),
  /** From the first canary to the last, on a straight line through their logarithms, with its 95 % interval. */
  change: z.object({ ratio: z.number(), low: z.number(), high: z.number() }).optional(),
  /** Share that a steady drift does not exceed (95 %); absent: it is not known. */
  most: z.number().optional(),
  sentence: z.string(),
});
export type CanaryResult = z.infer<typeof CanaryResult>;
