import { z } from 'zod';
import { RunJudgement, SeriesDifference } from '../model/analysis.ts';
import { Bytes, Numbers } from '../model/binary.ts';
import { Levels, Scalar } from '../model/experiment.ts';
import { Comparison, Margin, PlaceFigures, SeriesData, StepResult, StepsTable, StretchData } from '../model/result.ts';
import { Session } from '../model/session.ts';
import { call } from '../rpc/define.ts';

/** Place of a step in the trials of a session, from 0. Absent: the first measured one. */
const Step = z.number().int().min(0).optional();

export const results = {
  /**
   * `warmup` overrides the document's cut (seconds). `metric` absent: primary metric of the step's tool. `baselines`: levels that ratios
   * refer to, by factor, replacing those of the document; empty text: none.
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
  /**
   * All measured steps of a session in one table, each with the primary metric of its tool; `per`: with a cost per operation instead
   * (`StepsTable.costs`).
   */
  steps: call(
    z.object({ sessionId: z.number(), baselines: Levels.optional(), per: z.string().max(100).optional() }),
    StepsTable,
  ),
  /** Figures of each place of a load that measures several at the same time; no rows for any other load. `warmup` as in `session`. */
  places: call(z.object({ sessionId: z.number(), step: Step, warmup: z.number().min(0).optional() }), PlaceFigures),
  /** Figures of one session for a list, for any of its steps. */
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
   * Median, smallest and largest second in segments of equal length, at most `points` of them: one result for the combined runs of each
   * group. `seconds`: length of a segment. With several generators it is for all together, or for each if they cannot be combined.
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
   * The measured seconds of the combined runs of each group, ascending: all of them, or their percentiles from 0 to 100 if there are more.
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
   * The measured seconds of the combined runs of each group: their number, the number above `clip`, and the others ascending; if there are
   * more than `points`, that many at even ranks. `inTime`: also the seconds of the first run of each group in order of time. `warmup` in
   * seconds, as in `session`.
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
   * The bottleneck of each ended run, its costs per operation, and the changes around its stalls and dips. Omits runs in which nothing was
   * watched. `warmup` as in `session`; `runIds` absent: all.
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
   * The largest differences between two runs, or two groups of repeats, over all series watched in both, largest first. `warmup` as in
   * `session`.
   */
  seriesDifferences: call(
    z.object({
      one: z.array(z.number()).min(1).max(50),
      other: z.array(z.number()).min(1).max(50),
      warmup: z.number().min(0).optional(),
    }),
    z.array(SeriesDifference),
  ),
  /** Unmodified raw output, by bytes. */
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
  /**
   * `baselineMore`, `otherMore`: more sessions of the same set-up, to allow a verdict on the set-ups. `warmup` as in `session`, for both
   * sides. `baselineCell`: a cell of the baseline that all cells of the other side are compared with, instead of those with the same levels.
   */
  compare: call(
    z.object({
      baselineId: z.number(),
      baselineMore: z.array(z.number()).max(50).optional(),
      baselineStep: Step,
      baselineCell: z.number().int().min(0).optional(),
      otherId: z.number(),
      otherMore: z.array(z.number()).max(50).optional(),
      otherStep: Step,
      metric: z.string().optional(),
      warmup: z.number().min(0).optional(),
      margin: Margin.optional(),
    }),
    Comparison,
  ),
  /** Cells of one session against those with this level of a factor, or all against one cell. `warmup` as in `session`. */
  compareLevels: call(
    z.object({
      sessionId: z.number(),
      factor: z.string().optional(),
      level: Scalar.optional(),
      cell: z.number().int().min(0).optional(),
      step: Step,
      metric: z.string().optional(),
      warmup: z.number().min(0).optional(),
      margin: Margin.optional(),
    }),
    Comparison,
  ),
};
