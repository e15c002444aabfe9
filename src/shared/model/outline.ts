import { z } from 'zod';

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
