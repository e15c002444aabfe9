import { z } from 'zod';
import { HostRole } from './monitored.ts';

/** What held the throughput of a run back. Those of generators say that the load was limited, not the system under test. */
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
  'not-known': 'an unknown limit',
};

/** In words that follow “bound by”. */
export const boundTitle = (verdict: BoundVerdict): string => TITLES[verdict];

/** Verdicts by which a figure tells of the load, and not of the system under test. */
export const LOAD_VERDICTS: readonly BoundVerdict[] = [
  'network',
  'generator-network',
  'generator-core',
  'generator-cpu',
];

/** A figure and the series that it is from. */
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
  /** Of the seconds watched, those at the limit, 0 … 1. */
  share: z.number(),
  /** A sentence with figures. */
  sentence: z.string(),
  evidence: z.array(SeriesFigure),
});
export type BoundCandidate = z.infer<typeof BoundCandidate>;

/** What bounds a run. `share` is 0 where nothing is known. */
export const Bound = BoundCandidate.extend({
  /** Other resources that were at their limit, or near it, the likeliest first. */
  runnersUp: z.array(BoundCandidate),
  /** What could have been the limit and was not watched, in words. */
  notWatched: z.array(z.string()),
});
export type Bound = z.infer<typeof Bound>;

/** What bounds a cell: what most of its judged runs were bound by, as the first of these says. `evidence` is of that run. */
export const CellBound = Bound.pick({ verdict: true, sentence: true, evidence: true }).extend({
  runId: z.number(),
  /** So many of so many judged runs. */
  runs: z.number(),
  of: z.number(),
});
export type CellBound = z.infer<typeof CellBound>;

/** What bounds a figure in a list: no more than a warning needs. */
export const FigureBound = Bound.pick({ verdict: true, sentence: true });
export type FigureBound = z.infer<typeof FigureBound>;

/** What one operation took, over the measured seconds of a run. */
export const OperationCost = z.object({
  id: z.string(),
  label: z.string(),
  /** Unit of one operation's share: µs, I/Os, B. Of a ratio: ×. */
  unit: z.string(),
  value: z.number(),
  digits: z.number().int(),
  /** Host or server; absent: all of a role together. */
  source: z.string().optional(),
  formula: z.string(),
  /** Series that went into it. */
  from: z.array(z.object({ source: z.string(), id: z.string() })),
});
export type OperationCost = z.infer<typeof OperationCost>;

/** Figures per operation of hosts and servers as wholes, by which steps and cells are compared, in the order of a menu. */
export const COMPARED_COSTS: readonly string[] = [
  ...['cpu_us_server', 'cpu_us_generator', 'reads', 'writes', 'read_bytes', 'written_bytes'],
  ...['sent_bytes', 'received_bytes', 'log_bytes', 'log_syncs', 'rows_read', 'rows_written', 'context_switches'],
];

/** The figure of this id of a run; undefined where several hosts or servers have one each. */
export function costOf(costs: readonly OperationCost[], id: string): OperationCost | undefined {
  const [first, second] = costs.filter((cost) => cost.id === id);
  return second ? undefined : first;
}

/** How a series left its usual level around a stall or a dip. */
export const BlackBoxChange = SeriesFigure.extend({
  label: z.string(),
  instance: z.string().optional(),
  direction: z.enum(['rose', 'fell']),
  /** Mean near the event, where it was farthest from the usual level (`value`). */
  reached: z.number(),
  /** Times the usual noise. */
  effect: z.number(),
  /** Seconds from the start of the event to where it left its usual level; below 0: before the event. */
  onset: z.number(),
  /** It went down with the throughput and not before it: less work, and not what caused it. */
  follows: z.boolean(),
});
export type BlackBoxChange = z.infer<typeof BlackBoxChange>;

/** A stall or dip of a run, with what changed around it: what began before or with it, what began later, what follows from it; of each the strongest first. */
export const BlackBoxEvent = z.object({
  kind: z.enum(['stall', 'dip']),
  /** Seconds since the start of the run. */
  from: z.number(),
  to: z.number(),
  /** Share of the usual throughput that was lost at the bottom. */
  depth: z.number(),
  sentence: z.string(),
  changes: z.array(BlackBoxChange),
});
export type BlackBoxEvent = z.infer<typeof BlackBoxEvent>;

export const BlackBox = z.object({
  /** In order of time; the deepest where there were too many. */
  events: z.array(BlackBoxEvent),
  /** How many there were. */
  count: z.number(),
  /** What the events have in common. Absent: no event, or only one. */
  sentence: z.string().optional(),
});
export type BlackBox = z.infer<typeof BlackBox>;

/** How a series differs between two runs, or two cells. */
export const SeriesDifference = z.object({
  /** Source and series in the first and in the second; their names differ where hosts do. */
  one: z.object({ source: z.string(), id: z.string() }),
  other: z.object({ source: z.string(), id: z.string() }),
  label: z.string(),
  unit: z.string(),
  instance: z.string().optional(),
  /** Means over the measured seconds. */
  from: z.number(),
  to: z.number(),
  /** (to − from) ÷ from; absent where `from` is zero. */
  change: z.number().optional(),
  /** Difference ÷ what blocks of it vary by themselves, with its sign. */
  effect: z.number(),
  /** The difference is more than chance, for all series together. */
  sure: z.boolean(),
});
export type SeriesDifference = z.infer<typeof SeriesDifference>;

/** What a core does when it is not idle, as parts of a stack from its foot. Waiting for I/O is idle time of which the reason is known. */
export const CPU_MODES = ['user', 'system', 'irq', 'iowait', 'steal'] as const;
export type CpuMode = (typeof CPU_MODES)[number];

/** What the CPU of a host did over the measured seconds of a run: means, in cores. */
export const HostCpu = z.object({
  host: z.string(),
  /** In the cell of its run; none: it was idle there, as other cells use it, or what it does is not known. */
  roles: z.array(HostRole),
  /** As many as it has. */
  cores: z.number(),
  /** What the host does not tell is absent. */
  modes: z.partialRecord(z.enum(CPU_MODES), z.number()),
  /** Of a host that is generator and server: what the processes of each used. */
  programs: z.object({ tool: z.number(), server: z.number() }).optional(),
});
export type HostCpu = z.infer<typeof HostCpu>;

/** What was worked out of a run from all that was watched in it. `version`: of the rules by which it was. */
export const RunJudgement = z.object({
  version: z.number(),
  /** Warm-up cut that it holds for, seconds. */
  warmup: z.number(),
  bound: Bound,
  operations: z.array(OperationCost),
  /** Of each host of which it is known. */
  cpu: z.array(HostCpu).optional(),
  blackBox: BlackBox.optional(),
});
export type RunJudgement = z.infer<typeof RunJudgement>;
