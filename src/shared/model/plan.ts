import { z } from 'zod';
import { formatBytes, formatCount, formatDuration, NO_VALUE } from '../util/format.ts';
import { isObject } from '../util/object.ts';
import { Levels } from './experiment.ts';
import { Finding } from './finding.ts';
import { isRecovery } from './scenario.ts';
import { TOOK } from './step.ts';

/** One combination of levels. `index` counts from 0 in the order of the factors' levels, the last factor fastest. */
export const Cell = z.object({
  index: z.number(),
  levels: Levels,
  /** Number of the data set that it needs, from 0, if cells need different data in the same tables. Absent: all use the same. */
  data: z.number().optional(),
});
export type Cell = z.infer<typeof Cell>;

/** Fields that every step has, in addition to any others. */
export interface PlannedStep {
  readonly options: Readonly<Record<string, unknown>>;
  readonly generators: readonly string[];
  readonly warmup: number;
  readonly duration: number;
}

/** Checked by hand, without each option: a session may have 20,000 of them. */
const isPlannedStep = (value: unknown): boolean =>
  isObject(value) &&
  'options' in value &&
  Array.isArray(value.generators) &&
  value.generators.every((name) => typeof name === 'string') &&
  Number.isFinite(value.warmup) &&
  Number.isFinite(value.duration);

/**
 * Steps of a trial of the cell, in order: everything that its levels decide, and the options of the tool with their defaults (`Step` of the
 * engine). Absent in sessions of earlier versions: their cells are interpreted when they are read.
 */
export const PlannedCell = Cell.extend({
  steps: z.array(z.custom<PlannedStep>(isPlannedStep)).readonly().optional(),
});
export type PlannedCell = z.infer<typeof PlannedCell>;

/**
 * A step of every trial of a session: its tool, and the primary metric of this tool. null: the tool only watches, so there are only series
 * of hosts and servers.
 */
export const SessionStep = z.object({
  /** Absent: the document has no steps. */
  name: z.string().optional(),
  tool: z.string(),
  metric: z.string().nullable(),
  /** The tool's own primary metric, if another one is shown first: it is available while the tool runs. Absent: `metric`. */
  toolMetric: z.string().optional(),
  /** Its runs are not results: it only prepares the state of the system. Absent: it is measured. */
  measured: z.literal(false).optional(),
  /** Name of the group whose other steps run at the same time. Absent: it runs alone. */
  parallel: z.string().optional(),
});
export type SessionStep = z.infer<typeof SessionStep>;

/**
 * Place of the step shown in lists and used where none is named: the first measured one, preferably with a figure other than its duration. If the
 * document asks how loads recover, the first of those.
 */
export function headlineStep(steps: readonly SessionStep[]): number {
  const isMeasured = ({ measured }: SessionStep): boolean => measured !== false;
  const recovering = steps.findIndex(({ metric }) => metric !== null && isRecovery(metric));
  if (recovering >= 0) return recovering;
  const load = steps.findIndex((step) => isMeasured(step) && step.metric !== TOOK);
  return load >= 0 ? load : Math.max(0, steps.findIndex(isMeasured));
}

/** For display. */
export const withoutSteps = ({ steps: _, ...cell }: PlannedCell): Cell => cell;

/** One repeat of a cell, at its place in the order of execution. */
export const Trial = z.object({
  /** These three count from 0. */
  index: z.number(),
  cell: z.number(),
  repeat: z.number(),
  /**
   * Seed of the random numbers that its tool draws. Absent in sessions of earlier versions, which used the experiment's seed plus the
   * repeat.
   */
  seed: z.number().optional(),
  /** Measured to detect drift of the machines; it is not a repeat of its cell. */
  canary: z.literal(true).optional(),
});
export type Trial = z.infer<typeof Trial>;

/** Maximum number of changes to servers and hosts for the cells of a plan, including the restore at the end. */
export const Changes = z.object({ reloads: z.number(), restarts: z.number() });
export type Changes = z.infer<typeof Changes>;

/** Parts of a plan's time, and their basis. All in seconds. */
export const Estimate = z.object({
  /** Before the first trial, without its data: reading the facts of hosts and target. */
  start: z.number(),
  /** Preparing data before the first trial. Absent: data is prepared, in unknown time. */
  prepare: z.number().optional(),
  /** Preparing data again later: for cells that need other data, or before each trial. */
  again: z.number(),
  /** Warm-up and measured part of all trials. */
  load: z.number(),
  /** Number of runs of steps that end by themselves after an unknown time, which this estimate does not include. Absent: none. */
  open: z.number().optional(),
  /** All trials without their load: launching, collecting, checking data. */
  overhead: z.number(),
  pauses: z.number(),
  /** Reloads and restarts of the plan, and the seconds for them; absent: none. */
  changes: Changes.optional(),
  changing: z.number().optional(),
  /** How often data is prepared. Absent in sessions of earlier versions. */
  loads: z.number().optional(),
  /** Work before each trial, as far as it is known; absent: none, or learned as part of `overhead`. */
  before: z.number().optional(),
  /** A stop rule or a steady load can end it sooner. */
  atMost: z.literal(true).optional(),
  /** Data that must exist at the same time, bytes; absent: none, or unknown. */
  dataBytes: z.number().optional(),
  /** Earlier sessions of the same tool, target and generators that it was learned from; empty: documented defaults. */
  sessions: z.array(z.number()),
  /** Basis of `prepare`. there: all data exists already; none: there is no data. */
  preparing: z.enum(['none', 'there', 'learned', 'default', 'unknown']),
});
export type Estimate = z.infer<typeof Estimate>;

/**
 * Mean seconds of a trial with its pause and the changes before it, without what happens only before the first one: reading facts and preparing
 * data. Undefined without trials.
 */
export function secondsOfTrial({
  trials,
  seconds,
  estimate,
}: Pick<Plan, 'trials' | 'seconds' | 'estimate'>): number | undefined {
  if (trials.length === 0) return undefined;
  if (!estimate) return seconds / trials.length;
  const { again, load, overhead, pauses, changing = 0, before = 0 } = estimate;
  return (again + load + overhead + pauses + changing + before) / trials.length;
}

/** The trials that an experiment expands to. */
export const Plan = z.object({
  cells: z.array(Cell),
  trials: z.array(Trial),
  /** Estimated seconds for everything in `estimate`; in sessions of earlier versions without start and data. */
  seconds: z.number(),
  estimate: Estimate.optional(),
  /**
   * Drawn when its session was started: the seeds of all trials derive from it. Absent before the start and in sessions of earlier
   * versions.
   */
  seed: z.number().optional(),
  findings: z.array(Finding),
});
export type Plan = z.infer<typeof Plan>;

/** Parts of a plan's time, each with its words; parts that take no time are omitted. */
export function estimateRows(estimate: Estimate): { title: string; words: string }[] {
  const { start, prepare, again, load, overhead, pauses, before = 0, dataBytes, preparing, open = 0 } = estimate;
  const rows = [
    {
      title: 'Load',
      words:
        open > 0 ? `${formatDuration(load)}, and ${formatCount(open, 'step')} of unknown length` : formatDuration(load),
    },
    ...(pauses > 0 ? [{ title: 'Pauses', words: formatDuration(pauses) }] : []),
    ...changeRows(estimate),
    ...(before > 0 ? [{ title: 'Before each trial', words: formatDuration(Math.round(before)) }] : []),
    { title: 'Launching, collecting', words: formatDuration(Math.round(overhead)) },
    { title: 'Reading facts', words: formatDuration(Math.round(start)) },
  ];
  if (preparing === 'there' && again === 0) rows.push({ title: 'Preparing data', words: 'prepared' });
  else if (prepare === undefined) rows.push({ title: 'Preparing data', words: 'unknown' });
  else if (preparing !== 'none') rows.push({ title: 'Preparing data', words: formatDuration(Math.round(prepare)) });
  if (again > 0) rows.push({ title: 'Preparing again', words: formatDuration(Math.round(again)) });
  if (preparing !== 'none')
    rows.push({ title: 'Data size', words: dataBytes === undefined ? NO_VALUE : `about ${formatBytes(dataBytes)}` });
  return rows;
}

/** How often servers and hosts are changed, and how often data is prepared. */
function changeRows({ changes, changing = 0, loads = 0, again }: Estimate): { title: string; words: string }[] {
  const { restarts = 0, reloads = 0 } = changes ?? {};
  const counted = [
    ...(restarts > 0 ? [formatCount(restarts, 'restart')] : []),
    ...(reloads > 0 ? [formatCount(reloads, 'reload')] : []),
  ];
  return [
    ...(counted.length > 0
      ? [{ title: 'Changing servers', words: `${formatDuration(changing)}: at most ${counted.join(', ')}` }]
      : []),
    ...(again > 0 && loads > 0 ? [{ title: 'Data loads', words: formatCount(loads, 'load') }] : []),
  ];
}

/** Basis of an estimate, a sentence. */
export function estimateBasis({ sessions, preparing }: Estimate, generators: readonly string[]): string {
  if (sessions.length === 0)
    return preparing === 'unknown'
      ? 'Estimated from defaults (no earlier session), without preparing data.'
      : 'Estimated from defaults (no earlier session).';
  const learned = `Estimated from ${formatCount(sessions.length, 'session')} on ${generators.join(', ')}`;
  if (preparing === 'default') return `${learned}; default rate for preparing data.`;
  if (preparing === 'unknown') return `${learned}, without preparing data.`;
  return `${learned}.`;
}

/**
 * The main chart of a document's results, as far as the document determines it. knee: over a load. fall: over another number. bars: over
 * levels that are not numbers. time: second by second, for a single cell or long trials.
 */
export const ExpectedChart = z.object({
  kind: z.enum(['knee', 'fall', 'bars', 'time']),
  /** Name of the factor along it; for `time`, the word for time. */
  over: z.string(),
  /** Id of the metric that is drawn first; null if there is none. */
  metric: z.string().nullable(),
  lines: z.number(),
  points: z.number(),
});
export type ExpectedChart = z.infer<typeof ExpectedChart>;

/** Summary of a document from its plan. */
export const ExperimentOutline = z.object({
  cells: z.number(),
  trials: z.number(),
  /** Planned for all trials; preparing data is additional. */
  seconds: z.number(),
  /** Peak size of prepared data and files; absent: nothing is prepared, or the size is unknown. */
  bytes: z.number().optional(),
  /** Titles of the kinds of target, one of which has to be chosen; empty if none has to be. */
  targets: z.array(z.string()),
  chart: ExpectedChart,
});
export type ExperimentOutline = z.infer<typeof ExperimentOutline>;
