import { z } from 'zod';
import { Levels, OneLine, Scalar } from './factor.ts';

/**
 * curve, bars: figures of cells along a factor. table: the same in rows and columns. stairs: seconds of one run of each level, one level after another. timeline: seconds of one
 * run of each cell, over time or along a metric that grows with it. The others draw the measured seconds of each cell: dots above the
 * levels of a factor, density, histogram.
 */
const ChartKind = z.enum(['curve', 'bars', 'table', 'stairs', 'timeline', 'dots', 'density', 'histogram']);

/** Spread drawn around a figure: of its repeats, of its seconds, or from the smallest to the largest second or execution. */
export const WHISKERS = ['repeats', 'seconds', 'extremes'] as const;
export type CurveSpread = (typeof WHISKERS)[number];

export const MOST_CHARTS = 20;
/** Maximum number of lines across a chart. */
export const MOST_MARKERS = 10;
/** Maximum number that fits on a page. */
export const MOST_PANELS = 12;
/** Maximum number of factors that group bars along the axis. */
export const MOST_GROUPINGS = 3;

/** A line across a chart. Exactly one of level and value is present. */
const ChartMarker = z.strictObject({
  name: OneLine.min(1).max(60),
  /** Place along the axis of a numeric factor: the number of CPUs. */
  level: z.number().optional(),
  /** Value on the axis of the metric: a limit. */
  value: z.number().optional(),
});
export type ChartMarker = z.infer<typeof ChartMarker>;

/** A chart of a document in addition to the standard ones. */
export const ChartChoice = z.strictObject({
  kind: ChartKind,
  title: OneLine.min(1).max(120).optional(),
  /** A measure of the document by its name, or a metric. Absent: the one that is selected. */
  metric: OneLine.min(1).optional(),
  /** Names of final figures that a histogram draws instead of seconds, with `*` for the number along its axis: `hits_in_part_*_of_20`. */
  counts: OneLine.min(1).max(200).optional(),
  /**
   * Factor along the axis of a curve, bars, stairs or dots. Absent: that of the load curve. For a timeline: a metric that grows through a
   * run (`rows_inserted`). Absent: time.
   */
  x: z.string().optional(),
  /** Factors whose levels group bars and stairs along the axis, or are the rows of a table, the outermost first. */
  groups: z.array(z.string()).min(1).max(MOST_GROUPINGS).optional(),
  /** One factor and its level: bars are, and places of a table have, ratios to the cell that has this level and otherwise the same ones. */
  against: Levels.optional(),
  /** Factor with a panel for each of its levels, all with the same axes. Absent: one panel for all cells. */
  panels: z.string().optional(),
  /** Cells to draw: those that have one of these levels of each named factor. Absent: all. */
  only: z.record(z.string(), z.array(Scalar).min(1)).optional(),
  /** Number of another session whose figures are drawn with a curve as its baseline. */
  over: z.int().positive().optional(),
  /** The axis of the metric is logarithmic. */
  log: z.literal(true).optional(),
  /** The axis of the metric ends here: seconds above it are counted, not drawn. */
  clip: z.number().positive().optional(),
  markers: z.array(ChartMarker).min(1).max(MOST_MARKERS).optional(),
  /** Spread around the figures of a curve or of bars. Absent: of the repeats, of the seconds without repeats. */
  whiskers: z.enum(WHISKERS).optional(),
  /** Titles of the axes, in place of the names of what they show. */
  axes: z.strictObject({ x: OneLine.min(1).max(60).optional(), y: OneLine.min(1).max(60).optional() }).optional(),
});
export type ChartChoice = z.infer<typeof ChartChoice>;

/** Charts of a document, and those added to its session after the start. */
export const chartsOf = ({
  experiment,
  charts = [],
}: {
  readonly experiment: { readonly charts?: readonly ChartChoice[] | undefined };
  readonly charts?: readonly ChartChoice[] | undefined;
}): ChartChoice[] => [...(experiment.charts ?? []), ...charts];

/** Whether a chart draws the seconds of cells. */
export const isOfSeconds = ({ kind, counts }: Pick<ChartChoice, 'kind' | 'counts'>): boolean =>
  kind !== 'curve' && kind !== 'bars' && kind !== 'table' && counts === undefined;

/** Maximum number of drawn seconds of all cells; if there are more, those at even ranks are drawn. */
export const MOST_DOTS = 8000;

/** A query for the measured seconds of cells. */
export interface SecondsQuery {
  /** Ids of runs, a group for each cell; missing runs have no values. */
  groups: readonly (readonly number[])[];
  metric: string;
  /** Seconds cut at the start of each run. */
  warmup: number;
  /** Values above it are only counted. */
  clip?: number | undefined;
  /** Maximum number of values of a group. */
  points: number;
  /** Also return the seconds of one run in order of time. */
  inTime?: true | undefined;
}

/** The measured seconds of a cell. */
export interface CellSeconds {
  /** Number of seconds, and how many of them are above the end of the axis. */
  count: number;
  above: number;
  /** The others in ascending order; if there are many, those at even ranks. */
  ascending: Float64Array;
  /** Seconds of the first run in order, `t` from the warm-up cut on; if there are many, the smallest and the largest of each segment. */
  inTime?: { t: Float64Array; v: Float64Array } | undefined;
}
