import { z } from 'zod';
import { Levels, OneLine, Scalar } from './factor.ts';

/** curve, bars: figures of cells along a factor. stairs: seconds of one run of each level after another. timeline: those of one run of each cell, over time or along what grows with it. The others draw the measured seconds of each cell: dots above the levels of a factor, density, histogram. */
const ChartKind = z.enum(['curve', 'bars', 'stairs', 'timeline', 'dots', 'density', 'histogram']);

export const MOST_CHARTS = 20;
/** Lines across a chart. */
export const MOST_MARKERS = 10;
/** As many as fit on a page. */
export const MOST_PANELS = 12;
/** Factors by which bars are in groups along the axis. */
export const MOST_GROUPINGS = 3;

/** A line across a chart. Exactly one of level and value is there. */
const ChartMarker = z.strictObject({
  name: OneLine.min(1).max(60),
  /** Place along the axis of a numeric factor: the number of CPUs. */
  level: z.number().optional(),
  /** On the axis of the metric: a limit. */
  value: z.number().optional(),
});
export type ChartMarker = z.infer<typeof ChartMarker>;

/** A chart that a document asks for in addition to those of every session. */
export const ChartChoice = z.strictObject({
  kind: ChartKind,
  title: OneLine.min(1).max(120).optional(),
  /** A measure of the document by its name, or a metric. Absent: the one that is shown. */
  metric: OneLine.min(1).optional(),
  /** Names of final figures that a histogram draws in place of seconds, with `*` for the number along its axis: `hits_in_part_*_of_20`. */
  counts: OneLine.min(1).max(200).optional(),
  /** Factor along the axis of a curve, bars, stairs or dots. Absent: that of the load curve. Of a timeline: a metric that grows through a run (`rows_inserted`). Absent: time. */
  x: z.string().optional(),
  /** Factors by whose levels bars and stairs are in groups along the axis, the outermost first. */
  groups: z.array(z.string()).min(1).max(MOST_GROUPINGS).optional(),
  /** One factor and its level: bars are ratios to the cell that has this level and is the same in all else. */
  against: Levels.optional(),
  /** Factor that has a panel for each of its levels, all with the same axes. Absent: one panel for all cells. */
  panels: z.string().optional(),
  /** Cells that are drawn: those that have one of these levels of each factor named. Absent: all. */
  only: z.record(z.string(), z.array(Scalar).min(1)).optional(),
  /** Number of another session, whose figures are laid over a curve as its baseline. */
  over: z.int().positive().optional(),
  /** The axis of the metric is of factors. */
  log: z.literal(true).optional(),
  /** The axis of the metric ends here: seconds above it are counted, not drawn. */
  clip: z.number().positive().optional(),
  markers: z.array(ChartMarker).min(1).max(MOST_MARKERS).optional(),
});
export type ChartChoice = z.infer<typeof ChartChoice>;

/** Charts of a document, and those that were added to its session after the start. */
export const chartsOf = ({
  experiment,
  charts = [],
}: {
  readonly experiment: { readonly charts?: readonly ChartChoice[] | undefined };
  readonly charts?: readonly ChartChoice[] | undefined;
}): ChartChoice[] => [...(experiment.charts ?? []), ...charts];

/** Whether a chart draws the seconds of cells. */
export const isOfSeconds = ({ kind, counts }: Pick<ChartChoice, 'kind' | 'counts'>): boolean =>
  kind !== 'curve' && kind !== 'bars' && counts === undefined;

/** Seconds of all cells that are drawn at most; of more, those at even ranks. */
export const MOST_DOTS = 8000;

/** A question for the measured seconds of cells. */
export interface SecondsQuery {
  /** Ids of runs, a group for each cell; those that are not there have no values. */
  groups: readonly (readonly number[])[];
  metric: string;
  /** Seconds left out at the start of each run. */
  warmup: number;
  /** Seconds above it are counted only. */
  clip?: number | undefined;
  /** Values of a group at most. */
  points: number;
  /** Also the seconds of one run in their order. */
  inTime?: true | undefined;
}

/** The measured seconds of a cell. */
export interface CellSeconds {
  /** How many there are, and how many of them are above the end of the axis. */
  count: number;
  above: number;
  /** All others ascending, or those at even ranks where they are many. */
  ascending: Float64Array;
  /** Seconds of the first run in their order, `t` from the warm-up cut on: of many the smallest and the largest of each stretch. */
  inTime?: { t: Float64Array; v: Float64Array } | undefined;
}
