import { isMetric, metricOf } from '../../../../shared/metrics/index.ts';
import { devicesIn } from '../device-gate.ts';
import { invalidOptions, shareOf } from '../option-problem.ts';
import { defineTool, type Part } from '../tool.ts';
import { CommandOptions, groupMetrics } from './options/index.ts';
import { CommandParser } from './parse/index.ts';
import { planCommand } from './plan/index.ts';
import { asksFor } from './plan/values.ts';

/** Any program that prints lines. Options define the command and the patterns to read its output. */
export const commandTool = defineTool(
  {
    id: 'command',
    title: 'Custom command',
    options: CommandOptions,
    metrics: { primary: primaryMetric },
    parser: (phase, options, events) => new CommandParser(phase, options, events),
  },
  {
    summary:
      'Any program that prints figures line by line: a command, and patterns that assign the figures of a line to metrics.',
    drives: ['host', 'mysql', 'postgres'],
    needs: ({ target }) => [target],
    plan: planCommand,
    programs: programsOf,
    devices: (options) => [...new Set([...devicesIn(options.overwrites), ...devicesIn(options['only-reads'])])],
    load: {
      workers: { unit: ['thread', 'threads'], count: (options) => options.threads },
      rate: ({ command, rate }) => (asksFor(command, 'rate') ? rate || undefined : undefined),
      divide: divideCommand,
    },
  },
);

/** The first rate of its patterns, or else the first metric: with a rate, latency is a consequence of it. */
function primaryMetric(options: CommandOptions): string {
  const known = groupMetrics(options).filter(({ metric }) => isMetric(metric));
  const rate = known.find(({ metric }) => metricOf(metric).better === 'higher');
  return (rate ?? known[0])?.metric ?? 'ops';
}

/**
 * A generator's part of the threads and the rate that the command uses; all generators run the same command. The command itself must divide
 * everything else (`partValues`).
 */
function divideCommand(options: CommandOptions, part: Part): CommandOptions {
  const { command, threads, rate, overwrites } = options;
  if (overwrites.trim() !== '')
    throw invalidOptions(
      'A command that overwrites devices can run on one generator only, because the confirmation covers the device of one host.',
      'Choose one generator.',
    );
  return {
    ...options,
    ...(asksFor(command, 'threads') && { threads: shareOf(['thread', 'threads'], threads, part) }),
    ...(rate > 0 && asksFor(command, 'rate') && { rate: rateOf(rate, part) }),
  };
}

/** Keeps whole rates whole: not every program accepts decimals. */
const rateOf = (rate: number, part: Part): number =>
  Number.isInteger(rate) ? shareOf(['event per second', 'events per second'], rate, part) : rate / part.count;

/** Variable assignments before a command, then its first word, without anything that a shell would expand. */
const FIRST_WORD = /^(?:[A-Za-z_]\w*=[^\s"'`$(){}]*\s+)*(\/?[\w.+-][\w.+/-]*)(?=\s|;|\||$)/;

/** The program that the command starts first, if it is a plain word. Programs that a script defines or selects otherwise cannot be determined. */
export function programsOf({ command }: CommandOptions): string[] {
  const line = command
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each !== '' && !each.startsWith('#'));
  const [, word] = FIRST_WORD.exec(line ?? '') ?? [];
  // The job's own folder is empty before it runs.
  return word === undefined || word.startsWith('.') ? [] : [word];
}
