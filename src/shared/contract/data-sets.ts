import { z } from 'zod';
import { DataSet, DataSetKind } from '../model/data-set.ts';
import { call } from '../rpc/define.ts';

export const dataSets = {
  /**
   * Newest first: all, those of one kind, those in the database that a target leads to, or those on a host; under whatever name of it they
   * were made.
   */
  list: call(
    z.object({ kind: DataSetKind.optional(), targetId: z.number().optional(), hostId: z.number().optional() }),
    z.array(DataSet),
  ),
  /** Counts every row of its tables, or looks at the sizes of its files. `conflict` while a session uses the place: it would be measured. */
  look: call(z.object({ kind: DataSetKind, id: z.number() }), DataSet),
  /**
   * Has the tool clean it up, then forgets it. Files: on their host. Tables: from a generator, the one that made them if none is named.
   * Returns what was removed, as gone.
   */
  remove: call(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('tables'), id: z.number(), generator: z.string().optional() }),
      z.object({ kind: z.literal('files'), id: z.number() }),
    ]),
    DataSet,
  ),
};
