import { z } from 'zod';
import { isObject } from '../util/object.ts';
import { Levels } from './experiment.ts';
import { Finding } from './finding.ts';
import { TOOK } from './step.ts';

/** One combination of levels. `index` counts from 0 in the order of the factors' levels, the last factor fastest. */
export const Cell = z.object({
  index: z.number(),
  levels: Levels,
  /** Where cells need different data in the same tables: which one it needs, counted from 0. Absent: all use the same. */
  data: z.number().optional(),
});
export type Cell = z.infer<typeof Cell>;

/** What every step has, whatever else it says. */
export interface PlannedStep {
  readonly options: Readonly<Record<string, unknown>>;
  readonly generators: readonly string[];
  readonly warmup: number;
  readonly duration: number;
}

/** By hand, and without a look at each option: a session may have 20,000 of them. */
const isPlannedStep = (value: unknown): boolean =>
  isObject(value) &&
  'options' in value &&
  Array.isArray(value.generators) &&
  value.generators.every((name) => typeof name === 'string') &&
  Number.isFinite(value.warmup) &&
  Number.isFinite(value.duration);

/**
 * What a trial of the cell does, in order: all that its levels decide, and the options of the tool with their defaults (`Step` of the engine). Absent in
 * sessions of earlier versions: their cells are interpreted when they are read.
 */
export const PlannedCell = Cell.extend({
  steps: z.array(z.custom<PlannedStep>(isPlannedStep)).readonly().optional(),
});
export type PlannedCell = z.infer<typeof PlannedCell>;

/**
 * A step as it is in every trial of a session: the tool that it runs, and the metric that this tool shows first. null: the tool only watches, so
 * there are the series of hosts and servers.
 */
export const SessionStep = z.object({
  /** Absent: a trial of the document has no steps. */
  name: z.string().optional(),
  tool: z.string(),
  metric: z.string().nullable(),
  /** The tool's own first metric, where another one is shown first: it is there while the tool runs. Absent: `metric`. */
  toolMetric: z.string().optional(),
  /** Its runs are no results: it only brings the system into a state. Absent: it is measured. */
  measured: z.literal(false).optional(),
  /** Name of the group whose other steps run at the same time. Absent: it runs alone. */
  parallel: z.string().optional(),
});
export type SessionStep = z.infer<typeof SessionStep>;

/**
 * The place of the step that lists show and that is meant where none is named: the first one that is measured, and has another figure than its
 * time if one has.
 */
export function headlineStep(steps: readonly SessionStep[]): number {
  const isMeasured = ({ measured }: SessionStep): boolean => measured !== false;
  const load = steps.findIndex((step) => isMeasured(step) && step.metric !== TOOK);
  return load >= 0 ? load : Math.max(0, steps.findIndex(isMeasured));
}

/** As it is shown. */
export const withoutSteps = ({ steps: _, ...cell }: PlannedCell): Cell => cell;

/** One repeat of a cell, at its place in the order of execution. */
export const Trial = z.object({
  /** These three count from 0. */
  index: z.number(),
  cell: z.number(),
  repeat: z.number(),
  /** Of the random numbers that its tool draws. Absent in sessions of earlier versions, where it was the experiment's plus the repeat. */
  seed: z.number().optional(),
  /** Measured to see whether the machines drift; it does not count as a repeat of its cell. */
  canary: z.literal(true).optional(),
});
export type Trial = z.infer<typeof Trial>;

/** How often servers and hosts are changed for the cells of a plan, at most, the way back at the end included. */
export const Changes = z.object({ reloads: z.number(), restarts: z.number() });
export type Changes = z.infer<typeof Changes>;

/** What a plan's time is made of, and what that rests on. All in seconds. */
export const Estimate = z.object({
  /** Before the first trial, beside its data: hosts and target are asked for their facts. */
  start: z.number(),
  /** Making the data before the first trial. Absent: it is made, and how long that takes is not known. */
  prepare: z.number().optional(),
  /** Making data again later: for cells that need other data, or before each trial. */
  again: z.number(),
  /** Warm-up and measured part of all trials. */
  load: z.number(),
  /** Runs of steps that end by themselves, and of which it is not known how long they take: no time of this estimate. Absent: none. */
  open: z.number().optional(),
  /** All trials beside their load: launching, collecting, looking at data. */
  overhead: z.number(),
  pauses: z.number(),
  /** Reloads and restarts that the plan takes, and the seconds for them; absent: none. */
  changes: Changes.optional(),
  changing: z.number().optional(),
  /** How often data is made. Absent in sessions of earlier versions. */
  loads: z.number().optional(),
  /** What is done before each trial, as far as that can be told; absent: nothing, or learned as part of `overhead`. */
  before: z.number().optional(),
  /** A stop rule, or a load that is steady, can end it sooner. */
  atMost: z.literal(true).optional(),
  /** What has to be there at the same time; absent: none, or its size is not known. */
  dataBytes: z.number().optional(),
  /** Earlier sessions of the same tool, target and generators that it was learned from; none: stated defaults. */
  sessions: z.array(z.number()),
  /** What `prepare` rests on. there: nothing has to be made; none: there is no data. */
  preparing: z.enum(['none', 'there', 'learned', 'default', 'unknown']),
});
export type Estimate = z.infer<typeof Estimate>;

/** What an experiment expands to. */
export const Plan = z.object({
  cells: z.array(Cell),
  trials: z.array(Trial),
  /** Estimated seconds for everything that `estimate` names; in sessions of earlier versions without start and data. */
  seconds: z.number(),
  estimate: Estimate.optional(),
  /** Drawn when its session was started: the seeds of all trials are made from it. Absent before the start and in sessions of earlier versions. */
  seed: z.number().optional(),
  findings: z.array(Finding),
});
export type Plan = z.infer<typeof Plan>;
