import { z } from 'zod';
import { FileSet } from '../model/file-set.ts';
import { call } from '../rpc/define.ts';

export const fileSets = {
  /** Newest first: all, or those of a host. */
  list: call(z.object({ hostId: z.number().optional() }), z.array(FileSet)),
  /** Looks at the sizes of its files on the host. `conflict` while a session uses the host. */
  check: call(z.object({ id: z.number() }), FileSet),
  /** Runs the tool's clean-up step on the host, then forgets it. Returns what was removed, as gone. */
  remove: call(z.object({ id: z.number() }), FileSet),
};
