import { z } from 'zod';

/**
 * The main chart that the results of a document will have, as far as the document decides it. knee: over a load. fall: over another number.
 * bars: over levels that are no numbers. time: second by second, where there is one cell or trials are long.
 */
export const ExpectedChart = z.object({
  kind: z.enum(['knee', 'fall', 'bars', 'time']),
  /** Name of the factor along it; of `time` the word for it. */
  over: z.string(),
  /** Id of the metric that is drawn first; null: there is none. */
  metric: z.string().nullable(),
  lines: z.number(),
  points: z.number(),
});
export type ExpectedChart = z.infer<typeof ExpectedChart>;

/** What a document amounts to by its plan. */
export const ExperimentOutline = z.object({
  cells: z.number(),
  trials: z.number(),
  /** Planned for all trials; preparing data comes on top. */
  seconds: z.number(),
  /** The most that prepared data and files take at one time; absent: nothing is prepared, or its size is not known. */
  bytes: z.number().optional(),
  /** Titles of the kinds of target, one of which has to be chosen; empty: none has to. */
  targets: z.array(z.string()),
  chart: ExpectedChart,
});
export type ExperimentOutline = z.infer<typeof ExperimentOutline>;
