import type { OperationCost, RunJudgement } from '../../../shared/model/analysis.ts';
import type { MomentComparison } from '../../../shared/model/before-after.ts';
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
  SeriesData,
  SessionResult,
  StepsTable,
} from '../../../shared/model/result.ts';
import type { Run, SessionDetail } from '../../../shared/model/session.ts';
import type { CallContext } from '../../../shared/rpc/define.ts';

/** What was watched beside the tool. */
export interface ReportMonitors {
  sources: readonly MonitoredSource[];
  windows: readonly RunWindow[];
  /** As `results.judgements` of the contract, after the same cut as the figures. */
  judgements: readonly (RunJudgement & { runId: number })[];
  /** As `monitors.moments` of the contract. */
  moments(): MomentComparison[];
  /** As `monitors.limits` of the contract. */
  limits(): MonitoredLimits[];
  /** As `monitors.series` of the contract. */
  series(query: MonitoredChoice & { points?: number }): MonitoredValues[];
  /** What a person has chosen of them; absent: what is shown at first. */
  chosen?: MonitoredChoice;
}

/** A capture with its content. */
export type ReportCapture = KeptCapture & CaptureContent;

/** Everything a report may show of one session; plain data, so that reports know neither store nor hosts. */
export interface ReportData {
  detail: SessionDetail;
  runs: readonly Run[];
  /** Figures of the first measured step: one per metric, the one that its tool shows first before the others. */
  results: readonly SessionResult[];
  /** The same of each other step, step by step; absent: there is none. */
  ofOtherSteps?: readonly SessionResult[];
  /** All measured steps side by side; absent: there is one. */
  steps?: StepsTable;
  /** The same steps by what one of their operations took of CPU and disk; absent: nothing was monitored, or there is one. */
  stepCosts?: readonly StepsTable[];
  /** The figures per operation of a run, as it was judged. */
  costs?(runId: number): readonly OperationCost[];
  /** Stored samples that could not be read, each once: every format names them. */
  damage: readonly SampleDamage[];
  /** Whole stored series of a run, one per generator; damaged samples are left out. */
  series(runId: number, metric: string): GeneratorSeries[];
  /** The same, and of several generators first the one for all together, where there is one. */
  seriesAndWhole(runId: number, metric: string): SeriesData[];
  /** `metric` null: its tool only watches, and there is no work to pay for. */
  cost?: {
    spec: CostSpec;
    result: CostResult;
    value: (ValueScale | (Omit<ValueScale, 'metric'> & { metric: null })) & Pick<ValueForMoney, 'left'>;
  };
  /** As `results.seconds` of the contract; absent: charts of seconds are left out. */
  seconds?(query: SecondsQuery): CellSeconds[];
  /** Compared with the session that a chart is laid over, by a metric, with this one as the other side. Undefined: the two cannot be compared. */
  over?(session: number, metric: string): Comparison | undefined;
  /** With this session as the other side. */
  comparison?: Comparison;
  /** Absent: nothing was watched. */
  monitors?: ReportMonitors;
  /** Captures of a run without their contents. */
  kept?(runId: number): readonly KeptCapture[];
  /** Captures of a run; a damaged one has the problem in the place of its content. */
  captures?(runId: number): readonly ReportCapture[];
  /** As `captures.compare` of the contract. */
  profiles?(one: readonly number[], other: readonly number[]): readonly ComparedCounters[];
  /** As `captures.differences` of the contract. */
  differences?(runId: number): readonly CounterDifference[];
  /** Seconds left out of every figure at the start of each run; absent: as planned. */
  cut?: number;
  /** Epoch milliseconds. */
  madeAt: number;
  /** Folder that holds `assets/` (fonts). */
  assetsDir: string;
  /** Reports how far the file is, and lets others have their turn. Absent: nobody waits. */
  progress?: CallContext['progress'];
}

/** Figures of all steps. */
export const allResults = ({ results, ofOtherSteps = [] }: ReportData): readonly SessionResult[] => [
  ...results,
  ...ofOtherSteps,
];

/** Metrics that any step has by the second. */
export const allMetrics = (data: ReportData): string[] => [
  ...new Set(allResults(data).flatMap(({ metrics }) => metrics)),
];

/** These runs one after the other, with what they are done for in words. */
export async function* inTurn(what: string, { runs, progress }: ReportData): AsyncGenerator<Run> {
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
