import { z } from 'zod';
import { CaptureContent, ComparedCounters, CounterDifference, KeptCapture } from '../model/capture.ts';
import { call } from '../rpc/define.ts';

const RunIds = z.array(z.number()).min(1).max(50);

export const captures = {
  /** Captures of all runs of a session, or of one, in the order in which they were taken. */
  list: call(z.object({ sessionId: z.number(), runId: z.number().optional() }), z.array(KeptCapture)),
  /** Text or table; neither if nothing is stored. Throws `store-corrupt` for damaged content. */
  content: call(z.object({ id: z.number() }), CaptureContent),
  /** Growth of the counters of a table in a run, for each of its captures that are differences. Omits one whose start or end is missing. */
  differences: call(z.object({ runId: z.number() }), z.array(CounterDifference)),
  /** Differences of two groups of runs per operation, for each name that both have. */
  compare: call(z.object({ one: RunIds, other: RunIds }), z.array(ComparedCounters)),
};
