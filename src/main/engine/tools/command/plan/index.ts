import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { devicesIn, type Ungated, ungatedIn } from '../../device-gate.ts';
import { invalidOptions, shareOf, startOf, wholeSeconds } from '../../option-problem.ts';
import {
  inVariable,
  libpqPassword,
  loginVariables,
  NO_PASSWORD,
  type PasswordDelivery,
  secretFile,
  socketFolder,
} from '../../secret.ts';
import type { Command, Part, PlanInput, ToolPlan } from '../../tool.ts';
import { type CommandOptions, groupMetrics } from '../options/index.ts';
import { fillScript, SHARE_OF } from './values.ts';

type Input = PlanInput<CommandOptions>;

/** Seconds for a program to end after SIGTERM. */
const GRACE = 10;

const text = (value: string | number | undefined): string | undefined =>
  value === undefined || value === '' ? undefined : String(value);

/** Values of the placeholders in a command. Undefined: a known placeholder that this target has no value for. */
function valuesOf(input: Input): Record<string, string | undefined> {
  const { options, connection } = input;
  const { host, port, socket, user, database, password } = connection;
  const folder = connection.kind === 'postgres' && socket ? socketFolder(socket) : undefined;
  return {
    seconds: String(wholeSeconds(input)),
    warmup: String(input.warmup),
    duration: String(input.duration),
    seed: String(input.seed),
    threads: String(options.threads),
    rate: String(options.rate),
    size: options.size,
    mode: options.mode,
    host: text(folder ?? host),
    port: text(port),
    socket: text(socket),
    user: text(user),
    database: text(database),
    'password-file': password ? PASSWORD_FILE : undefined,
  };
}

const PASSWORD_FILE = '@password-alone@';

function deliverPassword(options: CommandOptions, { kind, password }: ConnectionFacts): PasswordDelivery {
  if (!password) return NO_PASSWORD;
  const variable = options['password-variable'];
  if (variable === '' && kind === 'postgres') return libpqPassword(password);
  return inVariable(variable === '' ? 'MYSQL_PWD' : variable, password);
}

function commandOf(input: Input, script: string, limit: number): Command {
  const { options, connection } = input;
  const known = valuesOf(input);
  const values = { ...known, ...partValues(script, { size: options.size, mode: options.mode }, input.part) };
  const { text: filled, variables } = fillScript(script, values, { arguments: options.arguments });
  const password = options.target === 'host' ? NO_PASSWORD : deliverPassword(options, connection);
  const alone = filled.includes(PASSWORD_FILE) && connection.password;
  const named = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return {
    argv: [
      ...password.before,
      ...(named.length > 0 ? ['env', ...named] : []),
      ...(limit > 0 ? ['timeout', '-k', String(GRACE), String(limit)] : []),
      'sh',
      '-c',
      filled,
    ],
    // Programs' output is read by patterns, so it must not depend on the host's language.
    env: { LC_ALL: 'C', ...(connection.kind === 'postgres' ? loginVariables(connection) : {}) },
    files: [...password.files, ...(alone ? [secretFile('password-alone', `${connection.password}\n`)] : [])],
    plannedSeconds: 0,
  };
}

/** Commands of the tool. Throws `experiment-invalid` if options contradict each other, or if the target lacks something the command needs. */
export function planCommand(input: Input): ToolPlan {
  const { options } = input;
  checkReading(options);
  const planned = wholeSeconds(input);
  const devices = overwrittenBy(options);
  const guarded = (one: Command): Command => (devices.length > 0 ? { ...one, overwrites: devices } : one);
  return {
    ...(options.prepare.trim() === '' ? {} : { prepare: guarded(commandOf(input, options.prepare, 0)) }),
    run: guarded({ ...commandOf(input, options.command, options['end-after'] ? planned : 0), plannedSeconds: planned }),
    ...(options.cleanup.trim() === '' ? {} : { cleanup: guarded(commandOf(input, options.cleanup, 0)) }),
  };
}

function checkReading(options: CommandOptions): void {
  const refuse = (message: string, next: string): never => {
    throw new KneepointError({ code: 'experiment-invalid', message, safe: 'Nothing was started.', next });
  };
  if (options.command.trim() === '') refuse('The command is missing.', 'Enter it in the option “command”.');
  try {
    if (groupMetrics(options).length === 0)
      refuse(
        'No group of the patterns is a metric, so nothing would be measured.',
        'Name a group after a metric, such as (?<tps>…), or assign it to one under “Metrics”.',
      );
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuse(error.message, 'Correct the options “pattern” and “metrics”.');
  }
}

const ALONE: Part = { index: 0, count: 1 };

/**
 * A generator's values for a script: its number from 1, the number of generators, its share of a number and the start of that share. Throws
 * `experiment-invalid` if the number is invalid, or too small for each to get a share.
 */
function partValues(
  script: string,
  values: Readonly<Record<string, string | undefined>>,
  part: Part = ALONE,
): Record<string, string> {
  const shares = [...script.matchAll(SHARE_OF)].map(([, what = '', of = '']) => {
    const total = wholeNumber(Object.hasOwn(values, of) ? values[of] : of);
    if (total === undefined)
      throw invalidOptions(
        `{${what} of ${of}} needs a whole number, and ${of} is ${Object.hasOwn(values, of) ? `“${values[of] ?? ''}”` : 'not a number'}.`,
        'Write a number there, or use size or mode if its value is a whole number. {threads} and {rate} are already divided.',
      );
    const own = what === 'share' ? shareOf(['unit', 'units'], total, part) : startOf(['unit', 'units'], total, part);
    return [`${what} of ${of}`, String(own)] as const;
  });
  return { generator: String(part.index + 1), generators: String(part.count), ...Object.fromEntries(shares) };
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** All scripts with substituted values, since a device name may be composed of both. */
function scriptsOf(options: CommandOptions): string {
  const { size, mode } = options;
  const values: Record<string, string> = { size, mode, arguments: options.arguments };
  const texts = [options.command, options.prepare, options.cleanup];
  const filled = texts.map((text) =>
    text.replaceAll(/\{(size|mode|arguments)\}/g, (_, name: string) => values[name] ?? ''),
  );
  return [...filled, ...Object.values(values)].join('\n');
}

/** Devices that the command overwrites, to be checked and confirmed before it starts. Throws `experiment-invalid` (`ungatedIn`). */
export function overwrittenBy(options: CommandOptions): string[] {
  const overwrites = devicesIn(options.overwrites);
  const reads = devicesIn(options['only-reads']);
  const both = overwrites.find((device) => reads.includes(device));
  if (both !== undefined)
    throw invalidOptions(`${both} is declared both overwritten and read-only.`, 'Remove it from one of the options.');
  const ungated = ungatedIn(scriptsOf(options), { overwrites, reads });
  if (ungated) throw invalidOptions(...ungatedWords(ungated));
  return overwrites;
}

/** Why a command cannot run unchanged, and how to fix it. */
export function ungatedWords(ungated: Ungated): [message: string, next: string] {
  switch (ungated.kind) {
    case 'untold':
      return [
        `The command names the device ${ungated.device} without declaring whether it writes to it.`,
        'Enter it in the option “overwrites”, or in “only-reads” if the command does not change it.',
      ];
    case 'written':
      return [
        `${ungated.device} is declared read-only, but the command writes to it (${ungated.by}).`,
        'Enter it in the option “overwrites”: Kneepoint then checks it and asks for confirmation before anything is written.',
      ];
    case 'unseen':
      return [
        `The command runs ${ungated.by}, which destroys the content of a device, on “${ungated.at}”, a device that cannot be identified.`,
        'Enter the device in the option “overwrites”, or write a path instead.',
      ];
    case 'hidden':
      return [
        `The command names something in /dev (“${ungated.at}”), but the device cannot be identified.`,
        'Enter the devices in the option “overwrites”, or in “only-reads” if the command does not change them.',
      ];
  }
}
