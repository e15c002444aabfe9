import { z } from 'zod';
import { Numbers } from './binary.ts';
import { SampleDamage } from './damage.ts';
import { Levels, Scalar } from './experiment.ts';
import { Finding } from './finding.ts';
import { RunState } from './session.ts';

/** Of the per-second values inside the measured window of one or more runs. `cv` = standard deviation / mean. */
export const Spread = z.object({
  n: z.number(),
  mean: z.number(),
  median: z.number(),
  p5: z.number(),
  p95: z.number(),
  min: z.number(),
  max: z.number(),
  cv: z.number(),
});
export type Spread = z.infer<typeof Spread>;

const RunResult = z.object({
  runId: z.number(),
  repeat: z.number(),
  state: RunState,
  partial: z.boolean(),
  spread: Spread.optional(),
  errors: z.number(),
});

/** One cell: all its repeats together. `means` are the means of its complete runs, one per repeat. */
export const CellResult = z.object({
  cell: z.number(),
  levels: Levels,
  runs: z.array(RunResult),
  /** Over the pooled per-second values of its complete runs (of partial ones when there is no other: then `partial`). */
  spread: Spread.optional(),
  means: z.array(z.number()),
  /**
   * Where several generators measured: each one's own values, pooled likewise. What they cannot state together (percentiles, means of
   * latencies) has only these and no `spread`.
   */
  generators: z.array(z.object({ host: z.string(), spread: Spread })).optional(),
  /** 95 % interval of the mean over repeats (Student's t); absent with fewer than two. */
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  errors: z.number(),
  partial: z.boolean(),
});
export type CellResult = z.infer<typeof CellResult>;

export const SessionResult = z.object({
  sessionId: z.number(),
  metric: z.string(),
  /** Metrics that this session has samples of, the tool's primary one first. */
  metrics: z.array(z.string()),
  factors: z.array(z.object({ name: z.string(), levels: z.array(Scalar) })),
  /** Seconds left out at the start of each run. */
  warmup: z.number(),
  cells: z.array(CellResult),
  best: z.object({ cell: z.number(), value: z.number() }).optional(),
  /** What of this metric cannot be read: runs that it belongs to are in no figure. */
  damage: z.array(SampleDamage).optional(),
});
export type SessionResult = z.infer<typeof SessionResult>;

/** In place of a generator's number: all of them together. */
export const ALL_GENERATORS = -1;

export const SeriesData = z.object({
  runId: z.number(),
  /** Counts from 0 in the order of the document; or `ALL_GENERATORS`. */
  generator: z.number(),
  metric: z.string(),
  t: Numbers,
  v: Numbers,
});
export type SeriesData = z.infer<typeof SeriesData>;

/**
 * better, worse: the interval of the ratio excludes 1. no-difference: it holds 1 and is narrow enough to say so. too-noisy: it is so wide
 * that it says nothing. too-few: fewer than two complete repeats on a side.
 */
const Verdict = z.enum(['better', 'worse', 'no-difference', 'too-noisy', 'too-few', 'missing']);

export const ComparedCell = z.object({
  levels: Levels,
  baseline: CellResult.optional(),
  other: CellResult.optional(),
  /** other / baseline, with its 95 % interval. */
  ratio: z.number().optional(),
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  verdict: Verdict,
  sentence: z.string(),
});
export type ComparedCell = z.infer<typeof ComparedCell>;

export const Comparison = z.object({
  metric: z.string(),
  metrics: z.array(z.string()),
  baseline: z.object({ id: z.number(), name: z.string() }),
  other: z.object({ id: z.number(), name: z.string() }),
  verdict: z.string(),
  cells: z.array(ComparedCell),
  /** Only what differs: options, hosts, versions. */
  differences: z.array(z.object({ what: z.string(), baseline: z.string(), other: z.string() })),
  /**
   * Settings of the two targets that differ, values in words. matters: moves results; other: any other; start: differs from server to
   * server by its nature (ports, paths, ids). In this order.
   */
  settings: z.array(
    z.object({
      name: z.string(),
      baseline: z.string(),
      other: z.string(),
      rank: z.enum(['matters', 'other', 'start']),
      why: z.string().optional(),
    }),
  ),
  findings: z.array(Finding),
});
export type Comparison = z.infer<typeof Comparison>;
