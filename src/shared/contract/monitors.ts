import { z } from 'zod';
import { MomentComparison } from '../model/before-after.ts';
import { MonitoredChoice, MonitoredLimits, MonitoredSource, MonitoredValues, RunWindow } from '../model/monitored.ts';
import { call, stream } from '../rpc/define.ts';

/** What the patterns of a watched command read of its lines. */
export const TriedLines = z.object({
  lines: z.array(
    z.object({
      text: z.string(),
      /** Absent: no pattern matches the line. Without a value: what the group matched is not a number. */
      figures: z.array(z.object({ group: z.string(), word: z.string(), value: z.number().optional() })).optional(),
    }),
  ),
  /** Lines at the end that were not read, as it took too long. */
  left: z.number(),
});
export type TriedLines = z.infer<typeof TriedLines>;

export const monitors = {
  /** Reads lines as a watched command with these patterns would be read. Touches no host. Throws `bad-request` for patterns that cannot be used. */
  tryLines: call(z.object({ pattern: z.string().max(4000), text: z.string().max(100_000) }), TriedLines),
  /** What was watched beside the tool, and every series of it: hosts first, then servers, then commands and statements. */
  sources: call(z.object({ sessionId: z.number() }), z.array(MonitoredSource)),
  /** When each run was, on our clock. Those that have not begun are left out. */
  windows: call(z.object({ sessionId: z.number() }), z.array(RunWindow)),
  /** What series could not go beyond in each run, where that is another limit than the one that stands with the series: what the judgement of the run goes by. */
  limits: call(z.object({ sessionId: z.number() }), z.array(MonitoredLimits)),
  /**
   * Series between two moments (epoch milliseconds of our clock; absent: all), as they are or, thinned to about `points`, as the mean of each
   * stretch with its smallest and largest value. Series that a source does not have are left out.
   */
  series: call(
    MonitoredChoice.extend({
      sessionId: z.number(),
      points: z.number().int().min(10).max(20_000).optional(),
    }),
    z.array(MonitoredValues),
  ),
  /**
   * What was different after each note, and each event of a scenario, within a run: the load of servers and what it took of hosts, up to the
   * note or event before and the one behind it. While a run goes on, of what has come.
   */
  moments: call(z.object({ sessionId: z.number() }), z.array(MomentComparison)),
  /**
   * While a session is executed: the wanted series of its sources (absent: those that are shown at first, of every source), of the last
   * `seconds`, then what is new of them, at most once a second. Series that appear later are told from then on. Ends when the session has ended.
   */
  watch: stream(
    MonitoredChoice.pick({ wanted: true })
      .partial()
      .extend({ id: z.number(), seconds: z.number().int().min(10).max(3600).default(600) }),
    z.array(MonitoredValues),
  ),
};
