import { KneepointError } from '../../../../../shared/model/problem.ts';
import { devicesIn, devicesNamedIn } from '../../device-path.ts';
import type { CommandOptions } from '../options/index.ts';
import { destroyingParts, unquoted } from './destroying.ts';

/** The folder itself, or a name in it that only the shell knows. */
const HIDDEN = /(?<![\w./])\/dev(?:\/+(?![\w.])[^\s;|&)]*|(?![\w/.-]))/;

const refused = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'experiment-invalid', message, safe: 'Nothing was started.', next });

/** Everything that is run, with the values that are put in: a device may be put together from both. */
function scriptsOf(options: CommandOptions): string {
  const { size, mode } = options;
  const values: Record<string, string> = { size, mode, arguments: options.arguments };
  const texts = [options.command, options.prepare, options.cleanup];
  const filled = texts.map((text) =>
    text.replaceAll(/\{(size|mode|arguments)\}/g, (_, name: string) => values[name] ?? ''),
  );
  return [...filled, ...Object.values(values)].join('\n');
}

/**
 * Devices that the command overwrites, to be checked and allowed before it starts. A text that names a device must say what it does to
 * it, and what plainly destroys one cannot be called reading: a slip of the pen in a command has destroyed more disks than any
 * benchmark. What a variable of the shell holds, nobody can see here: then the devices must be named. Throws `experiment-invalid`.
 */
export function overwrittenBy(options: CommandOptions): string[] {
  const overwrites = devicesIn(options.overwrites);
  const reads = devicesIn(options['only-reads']);
  const script = unquoted(scriptsOf(options));
  const untold = devicesNamedIn(script).find((name) => !overwrites.includes(name) && !reads.includes(name));
  if (untold !== undefined)
    throw refused(
      `The command names the device ${untold}, and does not say whether it writes to it.`,
      'Name it in the option overwrites, or in only-reads if nothing on it is changed.',
    );
  const both = overwrites.find((device) => reads.includes(device));
  if (both !== undefined)
    throw refused(`${both} is named as overwritten and as only read.`, 'Remove it from one of them.');
  for (const { by, at } of destroyingParts(script)) {
    if (reads.includes(at))
      throw refused(
        `${at} is named as only read, and the command writes to it (${by}).`,
        'Name it in the option overwrites: then it is checked, and you are asked, before anything is written.',
      );
    if (!at.startsWith('/dev/') && by !== 'a redirection' && overwrites.length === 0 && !FILE_TOOLS.has(by))
      throw refused(
        `The command runs ${by}, which destroys what a device holds, on “${at}”: which device that is cannot be seen.`,
        'Name the device in the option overwrites, or write a path in its place.',
      );
  }
  const hidden = HIDDEN.exec(script)?.[0];
  if (hidden !== undefined && overwrites.length === 0 && reads.length === 0)
    throw refused(
      `The command names something in /dev (“${hidden}”), and which device that is cannot be seen.`,
      'Name the devices in the option overwrites, or in only-reads if nothing on them is changed.',
    );
  return overwrites;
}

/** These write to files far more often than to devices; what they name in /dev is seen all the same. */
const FILE_TOOLS = new Set(['dd', 'tee', 'cp', 'mv', 'install', 'pv', 'shred', 'fio']);
