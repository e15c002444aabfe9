import type { Parser, Tool } from './tool.ts';

/** Thirty years: a counter that wrapped around gives more, no run lasts so long. */
const IMPLAUSIBLE_MS = 1e12;
const TIME = /(?:^|_)latency_\w*ms$/;

const isNone = (key: string, value: number): boolean => TIME.test(key) && Math.abs(value) >= IMPLAUSIBLE_MS;

/** Undefined: all of them are possible. */
function possible(values: Record<string, number>): Record<string, number> | undefined {
  const entries = Object.entries(values);
  const kept = entries.filter(([key, value]) => !isNone(key, value));
  return kept.length === entries.length ? undefined : Object.fromEntries(kept);
}

/** The tool, whose parser leaves out latencies that are no time, and says so once, whichever of its figures they are. */
export const withPossibleTimes = (tool: Tool): Tool => ({
  ...tool,
  parser(phase, options, events): Parser {
    let left: string | undefined;
    const checked = (values: Record<string, number>): Record<string, number> => {
      const kept = possible(values);
      if (kept) left ??= Object.keys(values).find((key) => !Object.hasOwn(kept, key));
      return kept ?? values;
    };
    const parser = tool.parser(phase, options, {
      finding: (finding, atOnce) => events.finding(finding, atOnce),
      unparsed: (line) => events.unparsed(line),
      sample(sample) {
        const metrics = checked(sample.metrics);
        if (Object.keys(metrics).length > 0) events.sample({ ...sample, metrics });
      },
    });
    return {
      line: (text, stream, cut) => parser.line(text, stream, cut),
      end(exit) {
        const outcome = parser.end(exit);
        const summary = checked(outcome.summary);
        if (left !== undefined)
          events.finding({
            code: 'values-implausible',
            severity: 'note',
            message: `A latency of the output (${left}) is no possible time (a counter that wrapped around, as when the clock is set during an operation), and was left out.`,
          });
        return { ...outcome, summary };
      },
    };
  },
});
