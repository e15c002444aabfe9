import { z } from 'zod';
import { CellBound } from './analysis.ts';
import { Answer } from './answer.ts';
import { Numbers } from './binary.ts';
import { SampleDamage } from './damage.ts';
import { Levels, Scalar } from './experiment.ts';
import { Figure, StallFigures } from './figure.ts';
import { Finding } from './finding.ts';
import { ChosenPick } from './measure.ts';
import { CanaryResult, Crossing, FactorRatios, Verdict } from './result-varied.ts';
import { RunFact, RunState } from './session.ts';
import { LoadKind } from './tool.ts';

export { CanaryResult, Crossing, FactorRatios, StepCost, StepsTable, Verdict } from './result-varied.ts';

/** Spread of the per-second values inside the measured window of one or more runs. `cv` = standard deviation / mean. */
export const Spread = z.object({
  n: z.number(),
  mean: z.number(),
  median: z.number(),
  p5: z.number(),
  p25: z.number(),
  p75: z.number(),
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
  /** The figure of this run alone. */
  value: z.number().optional(),
  spread: Spread.optional(),
  errors: z.number(),
  stalls: StallFigures.optional(),
});

/** A run that a user has excluded from all figures; its own figure is shown separately. */
const ExcludedRun = RunResult.extend({
  trial: z.number(),
  reason: z.string(),
  /** Trial that replaced it. */
  replacedBy: z.number().optional(),
});
export type ExcludedRun = z.infer<typeof ExcludedRun>;

/**
 * One cell: all its repeats together. `means` are the figures of its complete runs, one per repeat. Its figure is, for a rate or mean, the
 * mean over time or events; for a percentile, the percentile of all events if they are known; for a maximum, the largest of all. It is
 * never a mean of percentiles or maxima. If the document picks one of the repeats, it is the figure of that one.
 */
export const CellResult = Figure.extend({
  cell: z.number(),
  levels: Levels,
  /** Without runs that a user has excluded. */
  runs: z.array(RunResult),
  /** Absent: none were excluded. */
  excluded: z.array(ExcludedRun).optional(),
  /** Absent if no rate shows stalls. */
  stalls: StallFigures.optional(),
  /** Clients ÷ throughput, ms: the mean wait of a client, stalls included (Little's law). Absent if clients wait for a rate. */
  littleLatency: z.number().optional(),
  /** Over the pooled per-second values of its complete runs (of partial ones if there are no others: then `partial`). */
  spread: Spread.optional(),
  means: z.array(z.number()),
  /** Place of each of these runs in the order of trials: shows whether cells were interleaved. */
  trials: z.array(z.number()).optional(),
  /** Smallest step between its seconds: the resolution at which the tool reports this metric. */
  resolution: z.number().optional(),
  /**
   * With several generators: the values of each, pooled likewise. Metrics that they cannot report together (percentiles, means of
   * latencies) have only these and no `spread`.
   */
  generators: z.array(z.object({ host: z.string(), value: z.number().optional(), spread: Spread })).optional(),
  errors: z.number(),
  /**
   * Errors of each complete run, and its seconds with the warm-up, as the tool totals them over the whole run; absent if the tool counts
   * none.
   */
  failures: z.array(z.object({ events: z.number(), seconds: z.number() })).optional(),
  partial: z.boolean(),
  /** Absent: none of its runs were judged, or they differ. */
  bound: CellBound.optional(),
  /**
   * Values found on hosts and servers before its complete runs (partial ones if there are no others), each value once; null: not set.
   * Absent: its levels set nothing there.
   */
  facts: z
    .array(RunFact.pick({ place: true, what: true }).extend({ found: z.array(z.string().nullable()) }))
    .optional(),
});
export type CellResult = z.infer<typeof CellResult>;

/** A figure with its 95 % interval. */
const Estimate = z.object({ value: z.number(), low: z.number(), high: z.number() });

/**
 * Throughput along a factor that is a load, or whose levels have values, for one combination of the other factors. All of it is calculated
 * from the means of complete runs; `docs/statistics/knee.md` defines it.
 */
export const LoadLine = z.object({
  /** Name of that factor. */
  factor: z.string(),
  /** Levels of the other factors. */
  levels: Levels,
  knee: z.object({
    /** none: throughput still rises where the range ends. unsure: inconclusive; the sentence gives the reason. */
    verdict: z.enum(['found', 'none', 'unsure']),
    /** A load, or the value of a level. */
    load: z.number().optional(),
    /** Share of the highest throughput within which levels count as equal. */
    within: z.number().optional(),
  }),
  /** Sentences about knee and fit. */
  sentences: z.array(z.string()),
  /** Gunther's Universal Scalability Law through the runs; absent if it does not describe them, or for a rate. */
  usl: z
    .object({
      /** Throughput at a load of 1. */
      lambda: z.number(),
      /** Contention, 0 … 1. */
      sigma: Estimate,
      /** Coherency: cost of coordination between workers, ≥ 0. */
      kappa: Estimate,
      /** Load of the highest throughput. Without `value`, the fit rises forever; without `high`, the interval has no upper end. */
      peak: z.object({
        value: z.number().optional(),
        rate: z.number().optional(),
        low: z.number(),
        high: z.number().optional(),
      }),
      /** The curve with its 95 % interval, from the smallest measured level to the largest. */
      curve: z.array(Estimate.extend({ load: z.number() })),
    })
    .optional(),
});
export type LoadLine = z.infer<typeof LoadLine>;

/** Whether the seconds of a cell's complete runs after the cut stay at one level. Method: `docs/statistics/steady.md`. */
export const CellSteadiness = z.object({
  cell: z.number(),
  /** trend: rises or falls throughout. step: one level, then another. uneven: a segment or several dips differ. unknown: inconclusive. */
  verdict: z.enum(['settled', 'trend', 'step', 'uneven', 'unknown']),
  /** Cut that MSER-5 proposes, seconds; absent if it finds none in the first half. */
  cut: z.number().optional(),
  /** Size of a trend, step or uneven segment, as a share of the mean. */
  change: z.number().optional(),
  /** Second of the step, or the start and end of the uneven segment. */
  at: z.number().optional(),
  until: z.number().optional(),
  /**
   * An exponential approach: time constant in seconds, distance of the mean from the final level (a share), and a warm-up that is long
   * enough.
   */
  approach: z.object({ tau: z.number(), bias: z.number(), warmup: z.number() }).optional(),
  /** Dips at regular intervals: seconds between them, share lost, seconds of each, starts in the first run. */
  dips: z
    .object({ period: z.number(), depth: z.number(), length: z.number(), count: z.number(), at: z.array(z.number()) })
    .optional(),
});
export type CellSteadiness = z.infer<typeof CellSteadiness>;

export const SessionResult = z.object({
  sessionId: z.number(),
  /** Place of its step in the trial. Default: 0. */
  step: z.number().optional(),
  /** Absent: the document has no steps. */
  stepName: z.string().optional(),
  /** Number of measured steps of a trial; their comparisons are judged together. Default: 1. */
  steps: z.number().optional(),
  metric: z.string(),
  /** Metric whose seconds are shown for a figure of whole runs. Absent: `metric` has its own seconds. */
  overTime: z.string().optional(),
  /** Metrics that this step has samples of, the primary metric of its tool first. */
  metrics: z.array(z.string()),
  /** Additional figures of whole runs, which have no seconds: from the tool's final report, and stall times. */
  runFigures: z.array(z.string()).optional(),
  /**
   * `values`: numbers of levels that are names. `load`: what the levels raise, if they raise the load. `sparse`: cells may lack a level of
   * it; `when`: cells that have a level of it have one of these levels of each named factor.
   */
  factors: z.array(
    z.object({
      name: z.string(),
      levels: z.array(Scalar),
      values: z.record(z.string(), z.number()).optional(),
      load: LoadKind.optional(),
      sparse: z.literal(true).optional(),
      when: z.record(z.string(), z.array(Scalar)).optional(),
    }),
  ),
  /** Repeat that represents a cell, as chosen in the document; absent: all of them together. */
  pick: ChosenPick.optional(),
  /** Seconds cut at the start of each run. */
  warmup: z.number(),
  cells: z.array(CellResult),
  /** These figures only show that the experiment runs. No conclusion is drawn from them. */
  mechanics: z.literal('only').optional(),
  /** Size of the data against the server's own cache, in words for every title; absent if unknown. */
  memory: z.string().optional(),
  /** Writes of some cell end before the sync that makes them durable. */
  syncs: z.literal(true).optional(),
  best: z.object({ cell: z.number(), value: z.number() }).optional(),
  answer: Answer.optional(),
  /**
   * Change of the figures over the order of trials, as a ratio of the last trial to the first with its 99 % interval; absent if it may be
   * chance.
   */
  trend: z.object({ ratio: z.number(), low: z.number(), high: z.number() }).optional(),
  /** Ratios to the baseline of each factor that has one; absent if none has. */
  ratios: z.array(FactorRatios).optional(),
  /** Where two levels of a factor change their order along a numeric one; absent without two such factors. */
  crossings: z.array(Crossing).optional(),
  /** Drift of the machines; absent if no canary was measured. */
  canary: CanaryResult.optional(),
  /** Where throughput stops rising with the load, one entry per line; only for rates with a factor that is a load. */
  scaling: z.array(LoadLine).optional(),
  /** Whether each cell had settled after the cut; only for rates. */
  steadiness: z.array(CellSteadiness).optional(),
  /** Seconds to cut at the start of each run so that every cell's mean covers settled seconds only; absent if unknown. */
  proposedCut: z.number().optional(),
  /** Findings about figures of this metric and cut. */
  findings: z.array(Finding).optional(),
  /** Unreadable data of this metric: runs that it belongs to are in no figure. */
  damage: z.array(SampleDamage).optional(),
});
export type SessionResult = z.infer<typeof SessionResult>;

/** Results if the tool only watches: the runs and their findings. */
const WatchedResult = SessionResult.extend({ metric: z.null() });
export type WatchedResult = z.infer<typeof WatchedResult>;
export const StepResult = z.union([SessionResult, WatchedResult]);
export type StepResult = z.infer<typeof StepResult>;

export const SeriesData = z.object({
  runId: z.number(),
  /** Counts from 0 in the order of the document; null: all of them together. */
  generator: z.number().nullable(),
  metric: z.string(),
  t: Numbers,
  v: Numbers,
});
export type SeriesData = z.infer<typeof SeriesData>;

/** The seconds of one generator, as measured. */
export type GeneratorSeries = SeriesData & { generator: number };

/** Values of runs over segments of equal length, with all of their seconds together: `t` is the start of each, seconds. */
export const StretchData = z.object({ t: Numbers, median: Numbers, low: Numbers, high: Numbers });
export type StretchData = z.infer<typeof StretchData>;

export const ComparedCell = z.object({
  levels: Levels,
  baseline: CellResult.optional(),
  other: CellResult.optional(),
  /** other / baseline, with an interval that holds the true ratio, those of all cells at the same time with 95 %. */
  ratio: z.number().optional(),
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  verdict: Verdict,
  sentence: z.string(),
  /** Additional repeats of each side that would resolve it; absent if it is resolved, would take too many, or is unknown. */
  more: z.number().optional(),
});
export type ComparedCell = z.infer<typeof ComparedCell>;

/** Sides of a comparison: cells of one session, one session each, or several sessions each. */
export const ComparisonBasis = z.enum(['levels', 'single-sessions', 'sessions']);
export type ComparisonBasis = z.infer<typeof ComparisonBasis>;

/**
 * The cells of a comparison in one figure: the geometric mean of their ratios with its 95 % interval, for these cells and by itself.
 * Without a ratio if it would not be fair: the sentence gives the reason.
 */
export const OverallRatio = z.object({
  ratio: z.number().optional(),
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  /** Number of cells in it. */
  cells: z.number().optional(),
  sentence: z.string(),
});
export type OverallRatio = z.infer<typeof OverallRatio>;

/** Share below which a difference does not matter. */
export const Margin = z.number().positive().max(1);

/** A fact stored by runs of both sides. */
export const ComparedFact = z.object({
  /** Capture, and name of the fact in it. */
  what: z.string(),
  /** Distinct values of the runs of a side, in words. */
  baseline: z.string(),
  other: z.string(),
  isEqual: z.boolean(),
});
export type ComparedFact = z.infer<typeof ComparedFact>;

export const Comparison = z.object({
  basis: ComparisonBasis,
  margin: Margin,
  metric: z.string(),
  metrics: z.array(z.string()),
  /** Figures of whole runs that both sides have. */
  runFigures: z.array(z.string()).optional(),
  baseline: z.object({ id: z.number(), name: z.string() }),
  other: z.object({ id: z.number(), name: z.string() }),
  /** Seconds cut at the start of each run. */
  warmup: z.object({ baseline: z.number(), other: z.number() }),
  verdict: z.string(),
  /** Absent with fewer than two cells. */
  overall: OverallRatio.optional(),
  cells: z.array(ComparedCell),
  /** Only what differs: options, hosts, versions. */
  differences: z.array(z.object({ what: z.string(), baseline: z.string(), other: z.string() })),
  /** Captures of both sides that are stored as facts, equal ones too; absent if neither side has one. */
  facts: z.array(ComparedFact).optional(),
  /**
   * Settings of the two targets that differ, values in words, in this order. matters: affects results; other: any other; start: differs
   * between servers by nature (ports, paths, ids).
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

/** Figures of each place of a load that measures several at the same time, and of all together, by cell. */
export const PlaceFigures = z.object({
  /** Ids of the metrics of all places together, in column order. */
  metrics: z.array(z.string()),
  rows: z.array(
    z.object({
      cell: z.number(),
      levels: Levels,
      /** Path of the folder or device; absent: all together. */
      place: z.string().optional(),
      /** In the order of `metrics`; null: not measured. */
      values: z.array(z.number().nullable()),
    }),
  ),
});
export type PlaceFigures = z.infer<typeof PlaceFigures>;
