import { z } from 'zod';

/** Distribution of accesses over rows, records or blocks, whichever of them these are. */
export const AccessShares = z.object({
  /** The distribution and its parameters in force: “special: 75 % of accesses to 1 % of the rows”. */
  words: z.string(),
  /** Accessed objects: rows of a table, records, blocks of files or of a device. */
  of: z.enum(['rows', 'records', 'blocks']),
  /** The smallest share of rows that together get this share of the accesses, both 0 to 1: for half, 90 % and 99 %. */
  shares: z.array(z.object({ accesses: z.number(), rows: z.number() })),
  /** Points of the whole curve from (0, 0) to (1, 1). */
  curve: z.array(z.object({ rows: z.number(), accesses: z.number() })),
});
export type AccessShares = z.infer<typeof AccessShares>;
