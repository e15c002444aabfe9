import { z } from 'zod';

/** Something that the levels of a session have changed on a host or server, and that has not been put back. */
export const Changed = z.object({
  /** Of the journal. */
  entry: z.number(),
  /** Absent: its session was removed. */
  session: z.number().optional(),
  place: z.object({ kind: z.enum(['host', 'server']), name: z.string() }),
  what: z.string(),
  /** Value to restore; null: unset. */
  first: z.string().nullable(),
  wanted: z.string().nullable(),
  /** Epoch milliseconds of the first change. */
  since: z.number(),
  /** Why it could not be put back, where that was tried. */
  message: z.string().optional(),
  /** The session is being executed and puts it back itself. */
  active: z.boolean(),
});
export type Changed = z.infer<typeof Changed>;

/** What became of one thing. left: somebody else has changed it since, or a tool may still be running under it. */
export const PutBackResult = z.object({
  entry: z.number(),
  session: z.number().optional(),
  place: Changed.shape.place,
  what: z.string(),
  first: z.string().nullable(),
  outcome: z.enum(['restored', 'left', 'failed']),
  /** It cannot be told whether this is the machine or server that was changed: a person who knows can confirm it by this name. */
  confirm: z.string().optional(),
  message: z.string().optional(),
});
export type PutBackResult = z.infer<typeof PutBackResult>;

/** Details of the problem of what cannot go, or lead elsewhere, while something there has to be put back: whoever types the name gives that up. */
export const GiveUp = z.object({ giveUp: z.string() });
export type GiveUp = z.infer<typeof GiveUp>;
