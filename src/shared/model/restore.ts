import { z } from 'zod';

/** A setting of a host or server that a session has changed and that has not been restored. */
export const Changed = z.object({
  /** Id in the journal. */
  entry: z.number(),
  /** Absent if its session was removed. */
  session: z.number().optional(),
  place: z.object({ kind: z.enum(['host', 'server']), name: z.string() }),
  what: z.string(),
  /** Value to restore; null: unset. */
  first: z.string().nullable(),
  wanted: z.string().nullable(),
  /** Epoch milliseconds of the first change. */
  since: z.number(),
  /** Why an attempt to restore it failed. */
  message: z.string().optional(),
  /** The session is being executed and will restore it itself. */
  active: z.boolean(),
});
export type Changed = z.infer<typeof Changed>;

/** Outcome for one setting. left: it was changed by others since, or a tool may still be running under it. */
export const PutBackResult = z.object({
  entry: z.number(),
  session: z.number().optional(),
  place: Changed.shape.place,
  what: z.string(),
  first: z.string().nullable(),
  outcome: z.enum(['restored', 'left', 'failed']),
  /** The machine or server may not be the one that was changed: the user can confirm it by this name. */
  confirm: z.string().optional(),
  message: z.string().optional(),
});
export type PutBackResult = z.infer<typeof PutBackResult>;

/**
 * Details of the problem when something cannot be removed or redirected because settings there have to be restored: typing the name gives
 * up the restore.
 */
export const GiveUp = z.object({ giveUp: z.string() });
export type GiveUp = z.infer<typeof GiveUp>;
