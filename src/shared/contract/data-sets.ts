import { z } from 'zod';
import { DataSet, DataSetKind } from '../model/data-set.ts';
import { call } from '../rpc/define.ts';

export const dataSets = {
  /**
   * Newest first: all, those of one kind, those in the database of a target, or those on a host; regardless of the name under which they
   * were prepared.
   */
  list: call(
    z.object({ kind: DataSetKind.optional(), targetId: z.number().optional(), hostId: z.number().optional() }),
    z.array(DataSet),
  ),
  /**
   * Counts every row of its tables, or checks the sizes of its files. Throws `conflict` while a session uses the place, as this would
   * disturb the measurement.
   */
  look: call(z.object({ kind: DataSetKind, id: z.number() }), DataSet),
  /**
   * Has the tool clean it up, then removes it from the library. Files: on their host. Tables: from a generator, by default the one that
   * prepared them. Returns the removed data set as gone.
   */
  remove: call(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('tables'), id: z.number(), generator: z.string().optional() }),
      z.object({ kind: z.literal('files'), id: z.number() }),
    ]),
    DataSet,
  ),
};
