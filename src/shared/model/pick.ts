import { z } from 'zod';

/**
 * Which figure of its repeats a cell shows. `best` and `second-best` follow what is better for the metric; `all`: each repeat by itself, and no
 * figure for the cell.
 */
export const PickRule = z.enum(['mean', 'median', 'best', 'second-best', 'all']);
export type PickRule = z.infer<typeof PickRule>;
