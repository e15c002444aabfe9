import { isMetric, metricOf } from '../../../../shared/metrics/index.ts';
import { defineTool } from '../tool.ts';
import { CommandOptions, groupMetrics } from './options/index.ts';
import { CommandParser } from './parse/index.ts';
import { divideCommand } from './plan/divide.ts';
import { planCommand } from './plan/index.ts';
import { programsOf } from './plan/programs.ts';
import { asksFor } from './plan/values.ts';

/** Any program that prints lines: what it runs and how its output is read are told by patterns. */
export const commandTool = defineTool({
  id: 'command',
  title: 'Own command',
  summary:
    'Any program that prints figures line by line: a command, and patterns that say which figures of a line are which metric.',
  options: CommandOptions,
  drives: ['host', 'mysql', 'postgres'],
  metrics: { primary: primaryMetric },
  needs: ({ target }) => [target],
  plan: planCommand,
  programs: programsOf,
  load: {
    workers: { unit: ['thread', 'threads'], count: (options) => options.threads },
    rate: ({ command, rate }) => (asksFor(command, 'rate') ? rate || undefined : undefined),
    divide: divideCommand,
  },
  parser: (phase, options, events) => new CommandParser(phase, options, events),
});

/** The first rate of its patterns; without one, the first metric. A latency beside a rate is what the rate costs. */
function primaryMetric(options: CommandOptions): string {
  const known = groupMetrics(options).filter(({ metric }) => isMetric(metric));
  const rate = known.find(({ metric }) => metricOf(metric).better === 'higher');
  return (rate ?? known[0])?.metric ?? 'ops';
}
