import { z } from 'zod';
import { Levels } from './experiment.ts';
import { Finding } from './finding.ts';

/** One combination of levels. `index` counts from 0 in the order of the factors' levels, the last factor fastest. */
export const Cell = z.object({
  index: z.number(),
  levels: Levels,
  /** Where cells need different data in the same tables: which one it needs, counted from 0. Absent: all use the same. */
  data: z.number().optional(),
});
export type Cell = z.infer<typeof Cell>;

/** One repeat of a cell, at its place in the order of execution. */
export const Trial = z.object({
  /** These three count from 0. */
  index: z.number(),
  cell: z.number(),
  repeat: z.number(),
  /** Of the random numbers that its tool draws. Absent in sessions of earlier versions, where it was the experiment's plus the repeat. */
  seed: z.number().optional(),
});
export type Trial = z.infer<typeof Trial>;

/** What an experiment expands to. */
export const Plan = z.object({
  cells: z.array(Cell),
  trials: z.array(Trial),
  /** Estimated seconds for everything: measuring, warm-up, pauses, start and end of each trial. */
  seconds: z.number(),
  findings: z.array(Finding),
});
export type Plan = z.infer<typeof Plan>;
