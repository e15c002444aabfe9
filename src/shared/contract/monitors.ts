import { z } from 'zod';
import { MomentComparison } from '../model/analysis.ts';
import { MonitoredChoice, MonitoredLimits, MonitoredSource, MonitoredValues, RunWindow } from '../model/monitored.ts';
import { call, stream } from '../rpc/define.ts';

/** Result of matching lines against the patterns of a watched command. */
export const TriedLines = z.object({
  lines: z.array(
    z.object({
      text: z.string(),
      /** Absent: no pattern matches the line. Without a value: the group's match is not a number. */
      figures: z.array(z.object({ group: z.string(), word: z.string(), value: z.number().optional() })).optional(),
    }),
  ),
  /** Number of lines at the end that were not read, as it took too long. */
  left: z.number(),
});
export type TriedLines = z.infer<typeof TriedLines>;

export const monitors = {
  /** Reads lines as those of a watched command with these patterns. Accesses no host. Throws `bad-request` for unusable patterns. */
  tryLines: call(z.object({ pattern: z.string().max(4000), text: z.string().max(100_000) }), TriedLines),
  /** Watched sources with all of their series: hosts first, then servers, then commands and statements. */
  sources: call(z.object({ sessionId: z.number() }), z.array(MonitoredSource)),
  /** Time of each run on this computer's clock. Omits runs that have not begun. */
  windows: call(z.object({ sessionId: z.number() }), z.array(RunWindow)),
  /** Limits of series in each run that differ from the limit in the series itself: the judgement of the run uses them. */
  limits: call(z.object({ sessionId: z.number() }), z.array(MonitoredLimits)),
  /**
   * Series between two moments (epoch milliseconds of this computer's clock; absent: all), unchanged or, thinned to about `points`, as the
   * mean of each segment with its smallest and largest value. Omits series that a source does not have.
   */
  series: call(
    MonitoredChoice.extend({
      sessionId: z.number(),
      points: z.number().int().min(10).max(20_000).optional(),
    }),
    z.array(MonitoredValues),
  ),
  /**
   * Differences after each note, and each event of a scenario, within a run: load of servers and resource use of hosts, between the
   * neighbouring notes or events. During a run, over the data so far.
   */
  moments: call(z.object({ sessionId: z.number() }), z.array(MomentComparison)),
  /**
   * While a session is executed: the wanted series of its sources (absent: those shown by default, of every source), first the last
   * `seconds`, then new values, at most once a second. Includes series that appear later. Ends when the session has ended.
   */
  watch: stream(
    MonitoredChoice.pick({ wanted: true })
      .partial()
      .extend({ id: z.number(), seconds: z.number().int().min(10).max(3600).default(600) }),
    z.array(MonitoredValues),
  ),
};
