import { z } from 'zod';
import { Changed, PutBackResult } from '../model/restore.ts';
import { call } from '../rpc/define.ts';

/** What the levels of sessions have changed on hosts and servers. */
export const changes = {
  /** Everything that has not been put back, newest first; with those of a session under way, which puts its own back. */
  list: call(z.object({}), z.array(Changed)),
  /**
   * Puts back and reads back: of this session, or of all that are not under way. `force`: also what somebody else has changed since, and what a tool may still be running under. A thing that
   * cannot be put back is a result with its reason. Throws `conflict` for a session under way, `not-found` for one that this library does not have.
   */
  putBack: call(
    z.object({
      session: z.number().optional(),
      force: z.boolean().default(false),
      /** Names of hosts and targets that a person says are the ones that were changed; without them nothing is written where that is not certain. */
      confirm: z.array(z.string()).optional(),
    }),
    z.array(PutBackResult),
  ),
  /** A person takes it as it is: it is no longer listed, and nothing is done to it. */
  leave: call(z.object({ entry: z.number() }), z.object({})),
};
