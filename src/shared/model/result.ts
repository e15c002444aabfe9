import { z } from 'zod';
import { CellBound } from './analysis.ts';
import { Answer } from './answer.ts';
import { Numbers } from './binary.ts';
import { SampleDamage } from './damage.ts';
import { Levels, Scalar } from './experiment.ts';
import { Figure, StallFigures } from './figure.ts';
import { Finding } from './finding.ts';
import { ChosenPick } from './pick.ts';
import { CanaryResult, Crossing, FactorRatios, Verdict } from './result-varied.ts';
import { RunFact, RunState } from './session.ts';
import { LoadKind } from './tool.ts';

export { CanaryResult, Crossing, FactorRatios, StepCost, StepsTable, Verdict } from './result-varied.ts';

/** Of the per-second values inside the measured window of one or more runs. `cv` = standard deviation / mean. */
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

/** A run that is in no figure, as a person has excluded it; its own figure is told beside. */
const ExcludedRun = RunResult.extend({
  trial: z.number(),
  reason: z.string(),
  /** Trial that was measured in its place. */
  replacedBy: z.number().optional(),
});
export type ExcludedRun = z.infer<typeof ExcludedRun>;

/**
 * One cell: all its repeats together. `means` are the figures of its complete runs, one per repeat. Its figure: of a rate or a mean the mean
 * over time or events, of a percentile the percentile of all events where they are known, of a maximum the largest of all. Never a mean of
 * percentiles or maxima. Where the document picks one of the repeats, the figure of that one.
 */
export const CellResult = Figure.extend({
  cell: z.number(),
  levels: Levels,
  /** Without those that a person has excluded. */
  runs: z.array(RunResult),
  /** Absent: none. */
  excluded: z.array(ExcludedRun).optional(),
  /** Absent where no rate tells of it. */
  stalls: StallFigures.optional(),
  /** Clients ÷ throughput, ms: what a client waits on average, stalls included (Little's law). Absent where clients wait for a rate. */
  littleLatency: z.number().optional(),
  /** Over the pooled per-second values of its complete runs (of partial ones when there is no other: then `partial`). */
  spread: Spread.optional(),
  means: z.array(z.number()),
  /** Place of each of these runs in the order of trials: whether cells were measured in turns. */
  trials: z.array(z.number()).optional(),
  /** Smallest step between its seconds: how finely the tool tells this metric. */
  resolution: z.number().optional(),
  /**
   * Where several generators measured: each one's own values, pooled likewise. What they cannot state together (percentiles, means of
   * latencies) has only these and no `spread`.
   */
  generators: z.array(z.object({ host: z.string(), value: z.number().optional(), spread: Spread })).optional(),
  errors: z.number(),
  /** Errors of each complete run, and its seconds with the warm-up, as the tool totals them over all of it; absent where the tool counts none. */
  failures: z.array(z.object({ events: z.number(), seconds: z.number() })).optional(),
  partial: z.boolean(),
  /** Absent: none of its runs was judged, or they differ. */
  bound: CellBound.optional(),
  /**
   * What was found of hosts and servers before its complete runs (of partial ones when there is no other), each value once; null: not set.
   * Absent: its levels asked for nothing there.
   */
  facts: z
    .array(RunFact.pick({ place: true, what: true }).extend({ found: z.array(z.string().nullable()) }))
    .optional(),
});
export type CellResult = z.infer<typeof CellResult>;

/** A figure with its 95 % interval. */
const Estimate = z.object({ value: z.number(), low: z.number(), high: z.number() });

/**
 * What throughput does along a factor that is a load, or whose levels have values, for one combination of the other factors. All of it is worked out from the
 * means of complete runs: `docs/statistics/knee.md` defines it.
 */
export const LoadLine = z.object({
  /** Name of that factor. */
  factor: z.string(),
  /** Levels of the other factors. */
  levels: Levels,
  knee: z.object({
    /** none: throughput still rises where the range ends. unsure: it cannot be told, the sentence says why. */
    verdict: z.enum(['found', 'none', 'unsure']),
    /** A load, or the value of a level. */
    load: z.number().optional(),
    /** Share of the highest throughput within which levels count as equal. */
    within: z.number().optional(),
  }),
  /** What is to be said of knee and fit, a sentence each. */
  sentences: z.array(z.string()),
  /** Gunther's Universal Scalability Law through the runs; absent where it does not describe them, or for a rate. */
  usl: z
    .object({
      /** Throughput of a load of 1. */
      lambda: z.number(),
      /** Contention, 0 … 1. */
      sigma: Estimate,
      /** Crosstalk. */
      kappa: Estimate,
      /** Load of the highest throughput. `value` absent: the fit rises forever; `high` absent: the interval has no upper end. */
      peak: z.object({
        value: z.number().optional(),
        rate: z.number().optional(),
        low: z.number(),
        high: z.number().optional(),
      }),
      /** The curve with its 95 % interval, from the smallest level measured to the largest. */
      curve: z.array(Estimate.extend({ load: z.number() })),
    })
    .optional(),
});
export type LoadLine = z.infer<typeof LoadLine>;

/** Whether the seconds of a cell's complete runs after the cut stay at one level. Method: `docs/statistics/steady.md`. */
export const CellSteadiness = z.object({
  cell: z.number(),
  /** trend: rises or falls all through. step: one level, then another. uneven: a stretch or several dips lie apart. unknown: cannot be told. */
  verdict: z.enum(['settled', 'trend', 'step', 'uneven', 'unknown']),
  /** Cut that MSER-5 proposes, seconds; absent where it finds none in the first half. */
  cut: z.number().optional(),
  /** Of a trend, step or uneven stretch, as a share of the mean. */
  change: z.number().optional(),
  /** Second of the step, or where the uneven stretch begins and ends. */
  at: z.number().optional(),
  until: z.number().optional(),
  /** Of an exponential approach: seconds of its time constant, how far the mean is from where it leads (a share), and a warm-up that is enough. */
  approach: z.object({ tau: z.number(), bias: z.number(), warmup: z.number() }).optional(),
  /** Dips at regular intervals: seconds from one to the next, share lost, seconds of each, starts in the first run. */
  dips: z
    .object({ period: z.number(), depth: z.number(), length: z.number(), count: z.number(), at: z.array(z.number()) })
    .optional(),
});
export type CellSteadiness = z.infer<typeof CellSteadiness>;

export const SessionResult = z.object({
  sessionId: z.number(),
  /** Place of the step in the trial that it is of. Absent: 0. */
  step: z.number().optional(),
  /** Absent: a trial of the document has no steps. */
  stepName: z.string().optional(),
  /** Measured steps of a trial, whose comparisons are judged together. Absent: 1. */
  steps: z.number().optional(),
  metric: z.string(),
  /** Metric whose seconds are shown for a figure of whole runs. Absent: `metric` has seconds of its own. */
  overTime: z.string().optional(),
  /** Metrics that this step has samples of, the one that its tool shows first before the others. */
  metrics: z.array(z.string()),
  /** Further figures of whole runs, which have no seconds: of the tool's final report, and how long runs stalled. */
  runFigures: z.array(z.string()).optional(),
  /**
   * `values`: numbers of levels that are names. `load`: of those that raise the load, what they raise. `sparse`: there can be cells without a level of it; `when`: those
   * that have one have one of these levels of each factor named.
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
  /** Which of its repeats stands for a cell, as the document says; absent: all of them together. */
  pick: ChosenPick.optional(),
  /** Seconds left out at the start of each run. */
  warmup: z.number(),
  cells: z.array(CellResult),
  /** Nothing is concluded from these figures: they show that the experiment runs. */
  mechanics: z.literal('only').optional(),
  /** Size of the data against the server's own cache, in words for every title; absent: not known. */
  memory: z.string().optional(),
  best: z.object({ cell: z.number(), value: z.number() }).optional(),
  answer: Answer.optional(),
  /** Change of the figures over the order of trials, as a ratio of the last trial to the first with its 99 % interval; absent where it may be chance. */
  trend: z.object({ ratio: z.number(), low: z.number(), high: z.number() }).optional(),
  /** Ratios to the baseline of each factor that has one; absent: none has. */
  ratios: z.array(FactorRatios).optional(),
  /** Where two levels of a factor change their order along a numeric one; absent: there are no two factors for it. */
  crossings: z.array(Crossing).optional(),
  /** How the machines drifted; absent: no canary was measured. */
  canary: CanaryResult.optional(),
  /** Where throughput stops rising with the load, a line each; only for rates, and where a factor is a load. */
  scaling: z.array(LoadLine).optional(),
  /** Whether each cell had settled after the cut; only for rates. */
  steadiness: z.array(CellSteadiness).optional(),
  /** Of the first seconds of each run, how many to cut so that every cell's mean is of settled ones; absent where none is known. */
  proposedCut: z.number().optional(),
  /** What figures of this metric and cut have to be read with. */
  findings: z.array(Finding).optional(),
  /** What of this metric cannot be read: runs that it belongs to are in no figure. */
  damage: z.array(SampleDamage).optional(),
});
export type SessionResult = z.infer<typeof SessionResult>;

/** Results where the tool only watches: the runs, and what was found in them. */
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

/** What runs did in stretches of time of equal length, all of their seconds together: `t` is the start of each, seconds. */
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
  /** More repeats of each side that would settle it; absent where it is settled, where it would take too many, or where nobody knows. */
  more: z.number().optional(),
});
export type ComparedCell = z.infer<typeof ComparedCell>;

/** What is set against each other: cells of one session, a session a side, or several sessions a side. */
export const ComparisonBasis = z.enum(['levels', 'single-sessions', 'sessions']);
export type ComparisonBasis = z.infer<typeof ComparisonBasis>;

/**
 * The cells of a comparison in one figure: the geometric mean of their ratios with its 95 % interval, of these cells and by itself. Without a
 * ratio where it would not be fair: the sentence says why.
 */
export const OverallRatio = z.object({
  ratio: z.number().optional(),
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  /** How many cells have gone into it. */
  cells: z.number().optional(),
  sentence: z.string(),
});
export type OverallRatio = z.infer<typeof OverallRatio>;

/** Share below which a difference does not matter. */
export const Margin = z.number().positive().max(1);

/** A fact that runs of both sides have kept. */
export const ComparedFact = z.object({
  /** Capture, and name of the fact in it. */
  what: z.string(),
  /** Values of the runs of a side, each once, in words. */
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
  /** Seconds left out at the start of each run. */
  warmup: z.object({ baseline: z.number(), other: z.number() }),
  verdict: z.string(),
  /** Absent where a single cell is compared, or none. */
  overall: OverallRatio.optional(),
  cells: z.array(ComparedCell),
  /** Only what differs: options, hosts, versions. */
  differences: z.array(z.object({ what: z.string(), baseline: z.string(), other: z.string() })),
  /** Captures that are kept as facts, of both sides, equal ones too; absent: neither side has one. */
  facts: z.array(ComparedFact).optional(),
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
