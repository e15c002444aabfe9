import { z } from 'zod';
import { RunJudgement, SeriesDifference } from '../model/analysis.ts';
import { Bytes, Numbers } from '../model/binary.ts';
import { Levels, Scalar } from '../model/experiment.ts';
import { Comparison, Margin, SeriesData, StepResult, StepsTable, StretchData } from '../model/result.ts';
import { Session } from '../model/session.ts';
import { call } from '../rpc/define.ts';

/** Place of a step in the trials of a session, from 0. Absent: the first that is measured. */
const Step = z.number().int().min(0).optional();

export const results = {
  /**
   * `warmup` overrides the document's cut (seconds). `metric` absent: the one that the tool of the step shows first. `baselines`: levels that ratios refer to, by
   * factor, in place of the document's; an empty text: none.
   */
  session: call(
    z.object({
      sessionId: z.number(),
      step: Step,
      metric: z.string().optional(),
      warmup: z.number().min(0).optional(),
      baselines: Levels.optional(),
    }),
    StepResult,
  ),
  /** All measured steps of a session side by side, each by the metric that its tool shows first; `per`: by what an operation took (`StepsTable.costs`). */
  steps: call(
    z.object({ sessionId: z.number(), baselines: Levels.optional(), per: z.string().max(100).optional() }),
    StepsTable,
  ),
  /** Figures of a list for one session, for any of its steps. */
  headline: call(
    z.object({ sessionId: z.number(), step: Step }),
    Session.pick({ best: true, sparkline: true, curves: true }),
  ),
  /** Every stored second, or thinned to about `points` by minimum and maximum per bucket. */
  series: call(
    z.object({
      runIds: z.array(z.number()).max(500),
      metrics: z.array(z.string()).max(50),
      points: z.number().int().min(10).optional(),
    }),
    z.array(SeriesData),
  ),
  /**
   * Median, smallest and largest second in stretches of equal length, `points` of them at most: one answer for the runs of each group together.
   * `seconds`: length of a stretch. Of several generators it is of all together, or of each where they cannot be put together.
   */
  stretches: call(
    z.object({
      groups: z.array(z.array(z.number()).max(500)).max(500),
      metric: z.string(),
      points: z.number().int().min(10).max(2000),
    }),
    z.object({ seconds: z.number(), groups: z.array(StretchData) }),
  ),
  /**
   * The measured seconds of the runs of each group together, ascending: all of them, or their percentiles from 0 to 100 where they are more.
   * `warmup` in seconds, as in `session`.
   */
  quantiles: call(
    z.object({
      groups: z.array(z.array(z.number()).max(500)).max(500),
      metric: z.string(),
      warmup: z.number().min(0),
    }),
    z.array(Numbers),
  ),
  /**
   * The measured seconds of the runs of each group together: how many, how many of them are above `clip`, and the others ascending, of more than
   * `points` as many at even ranks. `inTime`: also the seconds of the first run of each group in their order. `warmup` in seconds, as in `session`.
   */
  seconds: call(
    z.object({
      groups: z.array(z.array(z.number()).max(500)).max(500),
      metric: z.string(),
      warmup: z.number().min(0),
      clip: z.number().optional(),
      points: z.number().int().min(10).max(10_000),
      inTime: z.literal(true).optional(),
    }),
    z.array(
      z.object({
        ...{ count: z.number(), above: z.number(), ascending: Numbers },
        inTime: z.object({ t: Numbers, v: Numbers }).optional(),
      }),
    ),
  ),
  /**
   * What bounds each run that has ended, what an operation took in it, and what changed around its stalls and dips; runs in which nothing was
   * watched are left out. `warmup` as in `session`; `runIds` absent: all.
   */
  judgements: call(
    z.object({
      sessionId: z.number(),
      runIds: z.array(z.number()).max(500).optional(),
      warmup: z.number().min(0).optional(),
    }),
    z.array(RunJudgement.extend({ runId: z.number() })),
  ),
  /**
   * What differs most between two runs, or two groups of repeats, over all series that were watched in both, the most different first.
   * `warmup` as in `session`.
   */
  seriesDifferences: call(
    z.object({
      one: z.array(z.number()).min(1).max(50),
      other: z.array(z.number()).min(1).max(50),
      warmup: z.number().min(0).optional(),
    }),
    z.array(SeriesDifference),
  ),
  /** Raw output as it came, by bytes. */
  raw: call(
    z.object({
      runId: z.number(),
      generator: z.number().int().min(0).default(0),
      stream: z.enum(['stdout', 'stderr']),
      offset: z.number().int().min(0).default(0),
      limit: z.number().int().min(0).max(4_000_000).default(262_144),
    }),
    z.object({ bytes: Bytes, total: z.number() }),
  ),
  /** `baselineMore`, `otherMore`: further sessions of the same set-up, so that a verdict on the set-ups is possible. `warmup` as in `session`, of both sides. */
  compare: call(
    z.object({
      baselineId: z.number(),
      baselineMore: z.array(z.number()).max(50).optional(),
      baselineStep: Step,
      otherId: z.number(),
      otherMore: z.array(z.number()).max(50).optional(),
      otherStep: Step,
      metric: z.string().optional(),
      warmup: z.number().min(0).optional(),
      margin: Margin.optional(),
    }),
    Comparison,
  ),
  /** Cells of one session against those with this level of a factor. `warmup` as in `session`. */
  compareLevels: call(
    z.object({
      sessionId: z.number(),
      factor: z.string(),
      level: Scalar,
      step: Step,
      metric: z.string().optional(),
      warmup: z.number().min(0).optional(),
      margin: Margin.optional(),
    }),
    Comparison,
  ),
};
