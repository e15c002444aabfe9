import { z } from 'zod';

/**
 * making: a prepare step is under way. ready: counted, and nothing has written to it since. dirty: a trial that writes has run on it.
 * partial: rows are missing or too many, or its making broke off. gone: none of its tables was found.
 */
export const DataSetState = z.enum(['making', 'ready', 'dirty', 'partial', 'gone']);
export type DataSetState = z.infer<typeof DataSetState>;

/**
 * Rows expected, and rows found when it was counted last: null = no such table, absent = never counted. `runs`: what trials do to the
 * number of rows; add = they leave more, change = more or fewer, absent = they keep it.
 */
export const DataTable = z.object({
  name: z.string(),
  rows: z.number(),
  runs: z.enum(['add', 'change']).optional(),
  found: z.number().nullable().optional(),
});
export type DataTable = z.infer<typeof DataTable>;
/** A table as a workload needs it. */
export type WantedTable = Omit<DataTable, 'found'>;

/** Whether a count is what trials can have left of the rows that were made. */
export function rowsFit({ rows, runs }: WantedTable, found: number | null): boolean {
  if (found === null) return false;
  return found === rows || runs === 'change' || (runs === 'add' && found > rows);
}

/** Tables that a workload needs in a target, made once and used by many cells. Times in epoch milliseconds. */
export const DataSet = z.object({
  id: z.number(),
  targetId: z.number(),
  target: z.string(),
  tool: z.string(),
  /** "4 tables × 10,000 rows, about 10 MiB". */
  title: z.string(),
  tables: z.array(DataTable),
  /** Estimated. */
  bytes: z.number().optional(),
  /** How the rows are stored: engine, indexes, fill factor, field lengths. */
  shape: z.string(),
  state: DataSetState,
  /** Absent for data that was there before Kneepoint saw it. */
  madeAt: z.number().optional(),
  /** The session that made it; absent when it is deleted, and for data that was there before. */
  madeBy: z.number().optional(),
  countedAt: z.number().optional(),
  /** When a trial that writes last began on it, and in which session. */
  writtenAt: z.number().optional(),
  writtenBy: z.number().optional(),
});
export type DataSet = z.infer<typeof DataSet>;
