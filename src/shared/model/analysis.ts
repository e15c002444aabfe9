import { z } from 'zod';
import { HostRole } from './monitored.ts';

/** The limit of a run's throughput. Verdicts about generators mean that the load was limited, not the system under test. */
const Verdict = z.enum([
  'memory',
  'volume-limit',
  'network',
  'generator-network',
  'generator-core',
  'generator-cpu',
  'locks',
  'log',
  'disk',
  'one-core',
  'cpu',
  'pool',
  'path',
  'clients',
  'not-known',
]);
export type BoundVerdict = z.infer<typeof Verdict>;

const TITLES: Readonly<Record<BoundVerdict, string>> = {
  memory: 'memory',
  'volume-limit': 'the limit of its volume',
  network: 'the network',
  'generator-network': 'the network of the load generator',
  'generator-core': 'one core of the load generator',
  'generator-cpu': 'the CPU of the load generator',
  locks: 'locks',
  log: 'writes of the log',
  disk: 'the disk',
  'one-core': 'one core',
  cpu: 'the CPU',
  pool: 'connections or a pool',
  path: 'the path between load generator and server',
  clients: 'the number of clients',
  'not-known': 'undetermined',
};

/** Title of a verdict, worded to follow “Bottleneck:”. */
export const boundTitle = (verdict: BoundVerdict): string => TITLES[verdict];

/** Verdicts under which a figure describes the load, not the system under test. */
export const LOAD_VERDICTS: readonly BoundVerdict[] = [
  'network',
  'generator-network',
  'generator-core',
  'generator-cpu',
];

/** A figure and the series it is from. */
const SeriesFigure = z.object({
  /** Name of the host or server that has the series. */
  source: z.string(),
  /** Id of the series. */
  id: z.string(),
  /** Mean over the measured seconds, in `unit`. */
  value: z.number(),
  unit: z.string(),
});
export type SeriesFigure = z.infer<typeof SeriesFigure>;

/** A resource that was at its limit. */
export const BoundCandidate = z.object({
  verdict: Verdict,
  host: z.string().optional(),
  /** Device, link, core, process. */
  instance: z.string().optional(),
  /** Share of the watched seconds at the limit, 0 … 1. */
  share: z.number(),
  /** A sentence with figures. */
  sentence: z.string(),
  evidence: z.array(SeriesFigure),
});
export type BoundCandidate = z.infer<typeof BoundCandidate>;

/** The bottleneck of a run. `share` is 0 if nothing is known. */
export const Bound = BoundCandidate.extend({
  /** Other resources at or near their limit, likeliest first. */
  runnersUp: z.array(BoundCandidate),
  /** Resources that could have been the limit and were not watched, in words. */
  notWatched: z.array(z.string()),
});
export type Bound = z.infer<typeof Bound>;

/** The bottleneck of a cell: that of most of its judged runs, in the words of the first of these. `evidence` is from that run. */
export const CellBound = Bound.pick({ verdict: true, sentence: true, evidence: true }).extend({
  runId: z.number(),
  /** Judged runs with this bottleneck, out of all judged runs. */
  runs: z.number(),
  of: z.number(),
});
export type CellBound = z.infer<typeof CellBound>;

/** The bottleneck behind a figure in a list: only what a warning needs. */
export const FigureBound = Bound.pick({ verdict: true, sentence: true });
export type FigureBound = z.infer<typeof FigureBound>;

/** Cost of one operation over the measured seconds of a run. */
export const OperationCost = z.object({
  id: z.string(),
  label: z.string(),
  /** Unit of one operation's share: µs, I/Os, B. For a ratio: ×. */
  unit: z.string(),
  value: z.number(),
  digits: z.number().int(),
  /** Host or server; absent: all of a role together. */
  source: z.string().optional(),
  formula: z.string(),
  /** Series it is calculated from. */
  from: z.array(z.object({ source: z.string(), id: z.string() })),
});
export type OperationCost = z.infer<typeof OperationCost>;

/** Costs of whole hosts and servers that steps and cells are compared by, in the order of a menu. */
export const COMPARED_COSTS: readonly string[] = [
  ...['cpu_us_server', 'cpu_us_generator', 'reads', 'writes', 'read_bytes', 'written_bytes'],
  ...['sent_bytes', 'received_bytes', 'log_bytes', 'log_syncs', 'rows_read', 'rows_written', 'context_switches'],
];

/** The cost with this id; undefined if several hosts or servers have one each. */
export function costOf(costs: readonly OperationCost[], id: string): OperationCost | undefined {
  const [first, second] = costs.filter((cost) => cost.id === id);
  return second ? undefined : first;
}

/** How a series left its usual level around a stall or a dip. */
export const BlackBoxChange = SeriesFigure.extend({
  label: z.string(),
  instance: z.string().optional(),
  direction: z.enum(['rose', 'fell']),
  /** Mean near the event, at its farthest from the usual level (`value`). */
  reached: z.number(),
  /** Change in multiples of the usual noise. */
  effect: z.number(),
  /** Seconds from the start of the event to where the series left its usual level. Negative: before the event. */
  onset: z.number(),
  /** It fell with the throughput and not before it: a result of less work, not a cause. */
  follows: z.boolean(),
});
export type BlackBoxChange = z.infer<typeof BlackBoxChange>;

/**
 * A stall or dip of a run, with its changes: first those that began before or with it, then later ones, then those that follow from it; the
 * strongest of each first.
 */
export const BlackBoxEvent = z.object({
  kind: z.enum(['stall', 'dip']),
  /** Seconds since the start of the run. */
  from: z.number(),
  to: z.number(),
  /** Share of the usual throughput lost at the bottom. */
  depth: z.number(),
  sentence: z.string(),
  changes: z.array(BlackBoxChange),
});
export type BlackBoxEvent = z.infer<typeof BlackBoxEvent>;

export const BlackBox = z.object({
  /** In order of time; only the deepest if there were too many. */
  events: z.array(BlackBoxEvent),
  /** Number of all events. */
  count: z.number(),
  /** Words for what the events have in common. Absent with fewer than two events. */
  sentence: z.string().optional(),
});
export type BlackBox = z.infer<typeof BlackBox>;

/** How a series differs between two runs, or two cells. */
export const SeriesDifference = z.object({
  /** Source and series in the first and in the second; their names differ if hosts do. */
  one: z.object({ source: z.string(), id: z.string() }),
  other: z.object({ source: z.string(), id: z.string() }),
  label: z.string(),
  unit: z.string(),
  instance: z.string().optional(),
  /** Means over the measured seconds. */
  from: z.number(),
  to: z.number(),
  /** (to − from) ÷ from; absent if `from` is zero. */
  change: z.number().optional(),
  /** Difference ÷ the variation among its own blocks, signed. */
  effect: z.number(),
  /** The difference is significant, with all series tested together. */
  sure: z.boolean(),
});
export type SeriesDifference = z.infer<typeof SeriesDifference>;

/** Activities of a core that is not idle, in stacking order from the bottom. Waiting for I/O is idle time with a known reason. */
export const CPU_MODES = ['user', 'system', 'irq', 'iowait', 'steal'] as const;
export type CpuMode = (typeof CPU_MODES)[number];

/** CPU use of a host over the measured seconds of a run: means, in cores. */
export const HostCpu = z.object({
  host: z.string(),
  /** Roles in the cell of its run. Empty: idle there, as other cells use it, or unknown. */
  roles: z.array(HostRole),
  /** Number of cores. */
  cores: z.number(),
  /** Modes that the host does not report are absent. */
  modes: z.partialRecord(z.enum(CPU_MODES), z.number()),
  /** For a host that is generator and server: use by the processes of each. */
  programs: z.object({ tool: z.number(), server: z.number() }).optional(),
});
export type HostCpu = z.infer<typeof HostCpu>;

/** Judgement of a run from everything watched in it. `version`: of the rules that it follows. */
export const RunJudgement = z.object({
  version: z.number(),
  /** Warm-up cut that it holds for, seconds. */
  warmup: z.number(),
  bound: Bound,
  operations: z.array(OperationCost),
  /** Hosts whose CPU use is known. */
  cpu: z.array(HostCpu).optional(),
  blackBox: BlackBox.optional(),
});
export type RunJudgement = z.infer<typeof RunJudgement>;

/** A series before and after a moment. Means are over the seconds with values. */
export const SeriesBeforeAfter = z.object({
  /** Name of the host or server that has the series. */
  source: z.string(),
  sourceId: z.number(),
  id: z.string(),
  label: z.string(),
  instance: z.string().optional(),
  unit: z.string(),
  digits: z.number().optional(),
  /** It measures the demand on the system: where it differs, everything else does. */
  isLoad: z.literal(true).optional(),
  /** Only Kneepoint sent requests to it, before or after: then it does not measure a load. */
  isIdle: z.literal(true).optional(),
  before: z.number(),
  after: z.number(),
  /** after ÷ before, with its interval: 95 % for all series of the moment together. Absent: nothing to divide by, or too few values. */
  ratio: z.number().optional(),
  low: z.number().optional(),
  high: z.number().optional(),
  /** same: within 3 % of each other. not-known: inconclusive. */
  verdict: z.enum(['more', 'less', 'same', 'not-known']),
  /** Why it is inconclusive, a sentence. */
  why: z.string().optional(),
});
export type SeriesBeforeAfter = z.infer<typeof SeriesBeforeAfter>;

/** Seconds used in a comparison, epoch milliseconds of this computer's clock. */
const Span = z.object({ from: z.number(), to: z.number() });

/** Changes at a note or event of a watched run. */
export const MomentComparison = z.object({
  eventId: z.number(),
  kind: z.enum(['note', 'scenario']),
  at: z.number(),
  message: z.string(),
  runId: z.number(),
  before: Span,
  after: Span,
  /** Loads first, then by the size of the difference. */
  series: z.array(SeriesBeforeAfter),
  /** Sentences: the main series, and whether the load was the same. */
  sentences: z.array(z.string()),
});
export type MomentComparison = z.infer<typeof MomentComparison>;
