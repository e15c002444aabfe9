import type { MomentComparison, OperationCost, RunJudgement } from '../../../shared/model/analysis.ts';
import type {
  CaptureContent,
  ComparedCounters,
  CounterDifference,
  KeptCapture,
} from '../../../shared/model/capture.ts';
import type { CellSeconds, SecondsQuery } from '../../../shared/model/chart.ts';
import type { CostResult, CostSpec, ValueForMoney, ValueScale } from '../../../shared/model/cost.ts';
import type { SampleDamage } from '../../../shared/model/damage.ts';
import type {
  MonitoredChoice,
  MonitoredLimits,
  MonitoredSource,
  MonitoredValues,
  RunWindow,
} from '../../../shared/model/monitored.ts';
import type {
  Comparison,
  GeneratorSeries,
  PlaceFigures,
  SeriesData,
  SessionResult,
  StepsTable,
} from '../../../shared/model/result.ts';
import type { Run, SessionDetail } from '../../../shared/model/session.ts';
import type { CallContext } from '../../../shared/rpc/define.ts';

/** Monitored hosts and servers. */
export interface ReportMonitors {
  sources: readonly MonitoredSource[];
  windows: readonly RunWindow[];
  /** Like `results.judgements` of the contract, after the same cut as the figures. */
  judgements: readonly (RunJudgement & { runId: number })[];
  /** Like `monitors.moments` of the contract. */
  moments(): MomentComparison[];
  /** Like `monitors.limits` of the contract. */
  limits(): MonitoredLimits[];
  /** Like `monitors.series` of the contract. */
  series(query: MonitoredChoice & { points?: number }): MonitoredValues[];
  /** The user's selection of series. Default: those shown at first. */
  chosen?: MonitoredChoice;
}

/** A capture with its content. */
export type ReportCapture = KeptCapture & CaptureContent;

/** Everything a report may show of one session. Plain data, so reports depend on neither store nor hosts. */
export interface ReportData {
  detail: SessionDetail;
  runs: readonly Run[];
  /** The load of each measured step, a line each: tool, pattern, data, levels of load. Absent: unknown. */
  workload?: readonly string[];
  /** Figures of the first measured step: one per metric, the tool's primary one first. */
  results: readonly SessionResult[];
  /** The same for each other step, in order. Undefined if there is none. */
  ofOtherSteps?: readonly SessionResult[];
  /** Figures of each place of the first measured step. Undefined if its load has one place. */
  places?: PlaceFigures;
  /** All measured steps side by side. Undefined if there is only one. */
  steps?: StepsTable;
  /** The same steps by CPU and disk use per operation. Undefined if nothing was monitored, or if there is only one. */
  stepCosts?: readonly StepsTable[];
  /** The figures per operation from a run's judgement. */
  costs?(runId: number): readonly OperationCost[];
  /** Unreadable stored samples, each once: every format names them. */
  damage: readonly SampleDamage[];
  /** Complete stored series of a run, one per generator, without damaged samples. */
  series(runId: number, metric: string): GeneratorSeries[];
  /** Like `series`; with several generators, the combined series comes first if there is one. */
  seriesAndWhole(runId: number, metric: string): SeriesData[];
  /** `metric` is null if the tool only monitors, so there is no work to pay for. */
  cost?: {
    spec: CostSpec;
    result: CostResult;
    value: (ValueScale | (Omit<ValueScale, 'metric'> & { metric: null })) & Pick<ValueForMoney, 'left'>;
  };
  /** Like `results.seconds` of the contract. Without it, charts of seconds are left out. */
  seconds?(query: SecondsQuery): CellSeconds[];
  /** Compares the session that a chart is overlaid with to this one, by a metric. Undefined if they cannot be compared. */
  over?(session: number, metric: string): Comparison | undefined;
  /** A comparison with this session as the other side. */
  comparison?: Comparison;
  /** Undefined if nothing was monitored. */
  monitors?: ReportMonitors;
  /** Captures of a run without their contents. */
  kept?(runId: number): readonly KeptCapture[];
  /** Captures of a run; a damaged one has the problem instead of its content. */
  captures?(runId: number): readonly ReportCapture[];
  /** Like `captures.compare` of the contract. */
  profiles?(one: readonly number[], other: readonly number[]): readonly ComparedCounters[];
  /** Like `captures.differences` of the contract. */
  differences?(runId: number): readonly CounterDifference[];
  /** Seconds left out of every figure at the start of each run. Default: as planned. */
  cut?: number;
  /** Epoch milliseconds. */
  madeAt: number;
  /** Folder that contains `assets/` (fonts). */
  assetsDir: string;
  /** Reports progress and yields to other work. Undefined if no caller is waiting. */
  progress?: CallContext['progress'];
}

/** Figures of all steps. */
export const allResults = ({ results, ofOtherSteps = [] }: ReportData): readonly SessionResult[] => [
  ...results,
  ...ofOtherSteps,
];

/** Metrics that any step has per second. */
export const allMetrics = (data: ReportData): string[] => [
  ...new Set(allResults(data).flatMap(({ metrics }) => metrics)),
];

/** Yields these runs one by one and reports progress with the words `what`. */
export async function* readEach(what: string, { runs, progress }: ReportData): AsyncGenerator<Run> {
  for (const [index, run] of runs.entries()) {
    await progress?.({ what, unit: 'run', done: index + 1, of: runs.length });
    yield run;
  }
}

export interface ReportFile {
  fileName: string;
  mediaType: string;
  bytes: Uint8Array;
}
