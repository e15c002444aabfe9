import { KneepointError } from '../../../../../shared/model/problem.ts';
import { type Ungated, ungatedIn } from '../../device-gate.ts';
import { devicesIn } from '../../device-path.ts';
import type { CommandOptions } from '../options/index.ts';

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

/** Devices that the command overwrites, to be checked and allowed before it starts. Throws `experiment-invalid` (`ungatedIn`). */
export function overwrittenBy(options: CommandOptions): string[] {
  const overwrites = devicesIn(options.overwrites);
  const reads = devicesIn(options['only-reads']);
  const both = overwrites.find((device) => reads.includes(device));
  if (both !== undefined)
    throw refused(`${both} is named as overwritten and as only read.`, 'Remove it from one of them.');
  const ungated = ungatedIn(scriptsOf(options), { overwrites, reads });
  if (ungated) throw refused(...wordsOf(ungated));
  return overwrites;
}

function wordsOf(ungated: Ungated): [message: string, next: string] {
  switch (ungated.kind) {
    case 'untold':
      return [
        `The command names the device ${ungated.device}, and does not say whether it writes to it.`,
        'Name it in the option overwrites, or in only-reads if nothing on it is changed.',
      ];
    case 'written':
      return [
        `${ungated.device} is named as only read, and the command writes to it (${ungated.by}).`,
        'Name it in the option overwrites: then it is checked, and you are asked, before anything is written.',
      ];
    case 'unseen':
      return [
        `The command runs ${ungated.by}, which destroys what a device holds, on “${ungated.at}”: which device that is cannot be seen.`,
        'Name the device in the option overwrites, or write a path in its place.',
      ];
    case 'hidden':
      return [
        `The command names something in /dev (“${ungated.at}”), and which device that is cannot be seen.`,
        'Name the devices in the option overwrites, or in only-reads if nothing on them is changed.',
      ];
  }
}
