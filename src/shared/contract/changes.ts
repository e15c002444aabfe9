import { z } from 'zod';
import { Changed, PutBackResult } from '../model/restore.ts';
import { call } from '../rpc/define.ts';

/** Settings that the levels of sessions have changed on hosts and servers. */
export const changes = {
  /** Everything that has not been restored, newest first; including changes of active sessions, which restore their own. */
  list: call(z.object({}), z.array(Changed)),
  /**
   * Restores settings and verifies them: of this session, or of all that are not active. `force`: also those that others have changed
   * since, and those that a tool may still be running under. A setting that cannot be restored is a result with its reason. Throws
   * `conflict` for an active session, `not-found` for an unknown one.
   */
  putBack: call(
    z.object({
      session: z.number().optional(),
      force: z.boolean().default(false),
      /** Names of hosts and targets that the user confirms as the changed ones; if that is uncertain, nothing is written without it. */
      confirm: z.array(z.string()).optional(),
    }),
    z.array(PutBackResult),
  ),
  /** The user accepts the current value: it is no longer listed, and not changed. */
  leave: call(z.object({ entry: z.number() }), z.object({})),
};
