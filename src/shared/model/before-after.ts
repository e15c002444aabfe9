import { z } from 'zod';

/** A series before and after a moment. Means are over the seconds with values. */
export const SeriesBeforeAfter = z.object({
  /** Name of the host or server that has the series. */
  source: z.string(),
  sourceId: z.number(),
  id: z.string(),
  label: z.string(),
  instance: z.string().optional(),
  unit: z.string(),
  digits: z.number().optional(),
  /** It measures the demand on the system: where it differs, everything else does. */
  isLoad: z.literal(true).optional(),
  /** Only Kneepoint sent requests to it, before or after: then it does not measure a load. */
  isIdle: z.literal(true).optional(),
  before: z.number(),
  after: z.number(),
  /** after ÷ before, with its interval: 95 % for all series of the moment together. Absent: nothing to divide by, or too few values. */
  ratio: z.number().optional(),
  low: z.number().optional(),
  high: z.number().optional(),
  /** same: within 3 % of each other. not-known: inconclusive. */
  verdict: z.enum(['more', 'less', 'same', 'not-known']),
  /** Why it is inconclusive, a sentence. */
  why: z.string().optional(),
});
export type SeriesBeforeAfter = z.infer<typeof SeriesBeforeAfter>;

/** Seconds used in a comparison, epoch milliseconds of this computer's clock. */
const Span = z.object({ from: z.number(), to: z.number() });

/** Changes at a note or event of a watched run. */
export const MomentComparison = z.object({
  eventId: z.number(),
  kind: z.enum(['note', 'scenario']),
  at: z.number(),
  message: z.string(),
  runId: z.number(),
  before: Span,
  after: Span,
  /** Loads first, then by the size of the difference. */
  series: z.array(SeriesBeforeAfter),
  /** Sentences: the main series, and whether the load was the same. */
  sentences: z.array(z.string()),
});
export type MomentComparison = z.infer<typeof MomentComparison>;
