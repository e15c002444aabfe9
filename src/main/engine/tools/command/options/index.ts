import { z } from 'zod';
import { readPatterns } from '../../../../../shared/patterns/index.ts';
import { DEVICE_PATH, devicesIn } from '../../device-gate.ts';
import { option } from '../../tool.ts';
import { readMetricLines } from './metric-lines.ts';

const command = 'Command';
const values = 'Values';
const reading = 'Reading its output';
const around = 'Before and after';

const Script = z.string().max(20_000);
const Word = z
  .string()
  .max(2000)
  .regex(/^[^\0\n\r]*$/, 'One line.');

const Devices = Word.refine(
  (text) => devicesIn(text).every((device) => DEVICE_PATH.test(device)),
  'Absolute paths below /dev, without colons.',
);

const Patterns = z
  .string()
  .max(4000)
  .superRefine((text, context) => {
    try {
      readPatterns(text);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  });

/** Any program that prints lines. All option names are the app's own. */
export const CommandOptions = z.strictObject({
  command: option(Script.default('ioping -c {seconds} .'), {
    title: 'Command',
    main: true,
    description:
      'A command line, or a script for sh, run on the generator as written here, with the rights of the user that logs in there. In braces: {seconds} (warm-up and duration), {warmup}, {duration}, {seed}; of the target {host}, {port}, {socket}, {user}, {database}, {password-file}; and the values below. With several generators: {generator} from 1, {generators}, {share of N} and {start of N}, its part of a number (or of size) and where it begins.',
    group: command,
    multiline: true,
  }),
  target: option(z.enum(['host', 'mysql', 'postgres']).default('host'), {
    title: 'Kind of target',
    main: true,
    description:
      'Measured system: the generator itself (host), or a server whose address is inserted by the braces above and whose password is passed in a variable.',
    group: command,
  }),
  'password-variable': option(
    z
      .string()
      .regex(/^([A-Za-z_]\w{0,60}|)$/, 'The name of an environment variable.')
      .default(''),
    {
      title: 'Password variable',
      description:
        'Environment variable that passes the password to the command. Empty: MYSQL_PWD for mysql, the password file of libpq for postgres. {password-file} is a file that contains only the password.',
      group: command,
      when: { option: 'target', in: ['mysql', 'postgres'] },
    },
  ),
  'end-after': option(z.boolean().default(false), {
    title: 'Stop when the time is up',
    description:
      'For programs that run until they are stopped: after warm-up and duration they get SIGTERM (from the program timeout), which does not count as a failure.',
    group: command,
  }),
  'success-codes': option(
    z
      .string()
      .regex(/^\d{1,3}(\s*,\s*\d{1,3})*$/, 'Exit codes, separated by commas.')
      .default('0'),
    {
      title: 'Exit codes for success',
      description: 'With any other exit code, the run fails, whatever it printed.',
      group: command,
    },
  ),
  threads: option(z.int().min(1).max(100_000).default(1), {
    title: 'Threads',
    main: true,
    description:
      'Replaces {threads} in the command: connections, jobs, clients. No effect elsewhere. Divided between several generators.',
    unit: 'threads',
    group: values,
    load: 'concurrency',
  }),
  rate: option(z.number().min(0).default(0), {
    title: 'Rate',
    main: true,
    description: 'Replaces {rate} in the command. Divided between several generators.',
    group: values,
    load: 'rate',
  }),
  size: option(Word.default(''), {
    title: 'Size',
    description: 'Replaces {size} in the command, as one word.',
    group: values,
  }),
  mode: option(Word.default(''), {
    title: 'Mode',
    description: 'Replaces {mode} in the command, as one word.',
    group: values,
  }),
  arguments: option(Word.default(''), {
    title: 'More arguments',
    description: 'Replaces {arguments} unchanged, so it can be several words. As a factor, each level is a variant.',
    group: values,
  }),
  overwrites: option(Devices.default(''), {
    title: 'Overwritten devices',
    description:
      'Block devices below /dev, separated by spaces, whose content the command destroys. The command starts only if the devices are unused and empty and you have typed host and device to confirm.',
    group: command,
  }),
  'only-reads': option(Devices.default(''), {
    title: 'Read-only devices',
    description:
      'Block devices that the command names but does not change. A device in neither of the two options is refused.',
    group: command,
  }),
  pattern: option(Patterns.default('request=(?<t>\\d+) time=(?<time>[\\d.]+) (?<unit>[a-z]+)'), {
    title: 'Sample patterns',
    main: true,
    description:
      'One RE2 pattern per line, up to 1,000 characters. Each matching line of output is a sample, or part of one. The group (?<t>…) is the time in seconds or as a clock; a group with a metric id, such as (?<tps>…), is that metric; other groups are defined below.',
    group: reading,
    multiline: true,
  }),
  metrics: option(z.string().max(4000).default('time = latency_avg_ms in unit'), {
    title: 'Metrics',
    main: true,
    description:
      'Metrics of the other groups, one per line: group = metric, optionally followed by “in us”, “in KiB/s” or “in” and the group that holds the unit, and by “* 8” or “/ 60”. An unknown metric is shown by its name and is a rate if it ends in _per_s; only rates are summed over several generators. Results show the first rate first, otherwise the first metric.',
    group: reading,
    multiline: true,
  }),
  'final-pattern': option(Patterns.default(''), {
    title: 'Final figure patterns',
    description:
      'Lines of the final report of the program, one pattern each. Their groups are stored as final figures by name, in addition to per-second samples. Rates, and names ending in _total or _per_s, are summed over several generators.',
    group: reading,
    multiline: true,
  }),
  'trouble-pattern': option(Patterns.default(''), {
    title: 'Error patterns',
    description: 'A line of output that matches one of these fails the run, whatever the exit code.',
    group: reading,
    multiline: true,
  }),
  interval: option(z.number().min(0).max(3600).default(1), {
    title: 'Seconds between samples',
    description:
      'Lines without a time count as one per interval. For lines with a time, gaps are reported; 0 = no fixed interval.',
    unit: 's',
    group: reading,
  }),
  prepare: option(Script.default(''), {
    title: 'Prepare',
    main: true,
    description:
      'Command that prepares the data before the first trial. Kneepoint cannot check the result, so it runs at each start unless data is set to keep.',
    group: around,
    multiline: true,
  }),
  cleanup: option(Script.default(''), {
    title: 'Clean up',
    main: true,
    description:
      'Command that removes the prepared data; runs before prepare if data is set to recreate. It runs as written: make sure that it removes nothing else.',
    group: around,
    multiline: true,
  }),
});
export type CommandOptions = z.output<typeof CommandOptions>;

const namesOf = (text: string): Set<string> => new Set(readPatterns(text).flatMap(({ groups }) => groups));

/** The metrics of the patterns' groups. Throws RangeError with a sentence if options contradict each other. */
export const groupMetrics = (options: CommandOptions) => readMetricLines(options.metrics, namesOf(options.pattern));
