import { z } from 'zod';

/** How a series was before and after a moment. Means are over the seconds known. */
export const SeriesBeforeAfter = z.object({
  /** Name of the host or server that has the series. */
  source: z.string(),
  sourceId: z.number(),
  id: z.string(),
  label: z.string(),
  instance: z.string().optional(),
  unit: z.string(),
  digits: z.number().optional(),
  /** It tells how much was asked of the system: where it differs, so does all else. */
  isLoad: z.literal(true).optional(),
  /** Nobody but Kneepoint asked anything of it, before or after: then it tells nothing of a load. */
  isIdle: z.literal(true).optional(),
  before: z.number(),
  after: z.number(),
  /** after ÷ before, with its interval: 95 % for all series of the moment together. Absent: nothing was there before, or too little is known. */
  ratio: z.number().optional(),
  low: z.number().optional(),
  high: z.number().optional(),
  /** same: within 3 % of each other. not-known: neither a difference nor that there is none. */
  verdict: z.enum(['more', 'less', 'same', 'not-known']),
  /** Why it is not known, a sentence. */
  why: z.string().optional(),
});
export type SeriesBeforeAfter = z.infer<typeof SeriesBeforeAfter>;

/** Seconds that went into a comparison, epoch milliseconds of our clock. */
const Span = z.object({ from: z.number(), to: z.number() });

/** What a note or event in a watched run has changed. */
export const MomentComparison = z.object({
  eventId: z.number(),
  kind: z.enum(['note', 'scenario']),
  at: z.number(),
  message: z.string(),
  runId: z.number(),
  before: Span,
  after: Span,
  /** Loads first, then by how much they differ. */
  series: z.array(SeriesBeforeAfter),
  /** What the main series says, and whether the load was the same; sentences. */
  sentences: z.array(z.string()),
});
export type MomentComparison = z.infer<typeof MomentComparison>;
