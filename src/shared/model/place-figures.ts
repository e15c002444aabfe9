import { z } from 'zod';
import { Levels } from './experiment.ts';

/** Figures of each place of a load that measures several at the same time, and of all together, by cell. */
export const PlaceFigures = z.object({
  /** Ids of the metrics of all places together, in column order. */
  metrics: z.array(z.string()),
  rows: z.array(
    z.object({
      cell: z.number(),
      levels: Levels,
      /** Path of the folder or device; absent: all together. */
      place: z.string().optional(),
      /** In the order of `metrics`; null: not measured. */
      values: z.array(z.number().nullable()),
    }),
  ),
});
export type PlaceFigures = z.infer<typeof PlaceFigures>;
