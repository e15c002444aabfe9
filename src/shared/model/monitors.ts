import { z } from 'zod';
import { OneLine } from './factor.ts';
import type { OptionWords } from './tool.ts';

const words = (title: string, description: string) =>
  ({ title, description, group: 'Watched every second', main: true }) satisfies OptionWords;

const field = (title: string, description: string) => ({ title, description });

/** A program that prints figures, which are matched by patterns like the output of the command tool. */
export const CommandMonitor = z.strictObject({
  name: OneLine.min(1).max(60).meta(field('Name', 'Name shown for this source.')),
  /** Host on which it runs. Default: that of the server, or the first generator. */
  host: z.string().optional().meta(field('Host', 'Host to run on. Default: the server host, or the first generator.')),
  /** POSIX sh. It should print a line for each interval until it is terminated. */
  command: z
    .string()
    .min(1)
    .max(10_000)
    .meta(field('Command', 'POSIX shell. It prints a line per interval until it is ended.')),
  /** Block devices that it names without changing anything on them, separated by spaces. */
  'only-reads': z
    .string()
    .max(2000)
    .optional()
    .meta(field('Read-only devices', 'Block devices that the command reads, separated by spaces.')),
  /** One pattern per line (RE2); its named groups are series. */
  pattern: z
    .string()
    .min(1)
    .max(4000)
    .meta(field('Pattern', 'One per line; each named group, (?<name>…), is a series.')),
  /** Unit by group name. */
  units: z.record(z.string(), z.string()).optional().meta(field('Units', 'Unit of each group, by name.')),
});
export type CommandMonitor = z.infer<typeof CommandMonitor>;

/** A statement that returns numbers: each numeric column of its first row is a series; with two columns, each row (name, number). */
export const StatementMonitor = z.strictObject({
  name: OneLine.min(1).max(60).meta(field('Name', 'Name shown for this source.')),
  statement: z
    .string()
    .min(1)
    .max(10_000)
    .meta(
      field(
        'Statement',
        'Run every second. Each numeric column of its first row is a series; with two columns, each row.',
      ),
    ),
  /** Columns (or names) that only grow: shown as a rate. */
  counters: z
    .array(z.string())
    .optional()
    .meta(field('Counters', 'Columns or names of counters; shown as rates per second.')),
});
export type StatementMonitor = z.infer<typeof StatementMonitor>;

/**
 * Sources watched in addition to the tool, from before the first trial to the end of the session. Absent: generators, the server and its
 * host.
 */
export const Monitors = z.strictObject({
  generators: z
    .boolean()
    .optional()
    .meta(words('Generators', 'CPU, memory, disks, network and processes of the generators. Default: on.')),
  place: z
    .boolean()
    .optional()
    .meta(words('Server host', 'CPU, memory, disks, network and processes of the server host. Default: on.')),
  server: z
    .boolean()
    .optional()
    .meta(
      words(
        'Server',
        'Server counters, read by its client on the server host if installed, otherwise over Kneepoint’s own connection. Default: on.',
      ),
    ),
  sizes: z
    .boolean()
    .optional()
    .meta(
      field(
        'Sizes on disk',
        'Bytes of data and logs, rows and compression, read before and after each trial, never while its tool runs. Default: on.',
      ),
    ),
  hosts: z.array(z.string()).max(50).optional().meta(field('Additional hosts', 'Saved hosts to watch in addition.')),
  statements: z
    .array(StatementMonitor)
    .max(20)
    .optional()
    .meta(field('Statements', 'Statements that return numbers, run on the target every second like its counters.')),
  commands: z
    .array(CommandMonitor)
    .max(20)
    .optional()
    .meta(field('Commands', 'Programs whose output is parsed with patterns.')),
});
export type Monitors = z.infer<typeof Monitors>;

/** Whether any part is turned off that is watched by default. */
export const switchesOff = ({ generators, place, server }: Monitors = {}): boolean =>
  [generators, place, server].includes(false);
