import { isMetric } from '../../../../shared/metrics/index.ts';
import { defineTool } from '../tool.ts';
import { CommandOptions, groupMetrics } from './options.ts';
import { CommandParser } from './parse.ts';
import { planCommand } from './plan.ts';

/** Any program that prints lines: what it runs and how its output is read are told by patterns. */
export const commandTool = defineTool({
  id: 'command',
  title: 'Own command',
  summary:
    'Any program that prints figures line by line: a command, and patterns that say which figures of a line are which metric.',
  options: CommandOptions,
  drives: ['host', 'mysql', 'postgres'],
  primaryMetric: (options) => groupMetrics(options).find(({ metric }) => isMetric(metric))?.metric ?? 'ops',
  needs: ({ target }) => [target],
  plan: planCommand,
  parser: (step, options, events) => new CommandParser(step, options, events),
});
