import { z } from 'zod';
import { CaptureContent, ComparedCounters, CounterDifference, KeptCapture } from '../model/capture.ts';
import { call } from '../rpc/define.ts';

const RunIds = z.array(z.number()).min(1).max(50);

export const captures = {
  /** Captures of all runs of a session, or of one, in the order in which they were taken. */
  list: call(z.object({ sessionId: z.number(), runId: z.number().optional() }), z.array(KeptCapture)),
  /** Text or table; neither where nothing is kept. Throws `store-corrupt` for what is damaged. */
  content: call(z.object({ id: z.number() }), CaptureContent),
  /** How much the counters of a table grew in a run, for each of its captures that are differences. Left out: one whose start or end is missing. */
  differences: call(z.object({ runId: z.number() }), z.array(CounterDifference)),
  /** These of two groups of runs per operation, for each name that both have. */
  compare: call(z.object({ one: RunIds, other: RunIds }), z.array(ComparedCounters)),
};
