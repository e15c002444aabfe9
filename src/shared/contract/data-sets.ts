import { z } from 'zod';
import { DataSet } from '../model/data-set.ts';
import { call } from '../rpc/define.ts';

export const dataSets = {
  /** Newest first: all, or those in the database that a target leads to, under whatever name they were made. */
  list: call(z.object({ targetId: z.number().optional() }), z.array(DataSet)),
  /** Counts every row of its tables on the server. `conflict` while a session uses the target: a count would be measured. */
  count: call(z.object({ id: z.number() }), DataSet),
  /** Runs the tool's clean-up step on a generator (the one that made it, if none is named), then forgets it. Returns what was removed, as gone. */
  remove: call(z.object({ id: z.number(), generator: z.string().optional() }), DataSet),
};
