import { KneepointError } from '../../../../shared/model/problem.ts';
import { devicesIn } from '../device-path.ts';
import type { CommandOptions } from './options.ts';

/** Of all below /dev, these are no disks. */
const HARMLESS =
  /^\/dev\/(null|zero|full|u?random|stdin|stdout|stderr|fd|tty\w*|ptmx|pts|shm|mqueue|hugepages|net|kvm|fuse|log|cpu)(\/|$)/;
const NAMED = /(?<![\w.])\/dev\/[\w./@%+-]*\w/g;

const refused = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'experiment-invalid', message, safe: 'Nothing was started.', next });

/**
 * Devices that the command overwrites. A text that names a device must say what it does to it: a slip of the pen in a command has
 * destroyed more disks than any benchmark. What a variable of the shell holds, nobody can see here. Throws `experiment-invalid`.
 */
export function overwrittenBy(options: CommandOptions): string[] {
  const overwrites = devicesIn(options.overwrites);
  const told = new Set([...overwrites, ...devicesIn(options['only-reads'])]);
  const texts = [options.command, options.prepare, options.cleanup, options.arguments, options.size, options.mode];
  for (const [name] of texts.join('\n').matchAll(NAMED)) {
    if (!told.has(name) && !HARMLESS.test(name))
      throw refused(
        `The command names the device ${name}, and does not say whether it writes to it.`,
        'Name it in the option overwrites, or in only-reads if nothing on it is changed.',
      );
  }
  const both = overwrites.find((device) => devicesIn(options['only-reads']).includes(device));
  if (both !== undefined)
    throw refused(`${both} is named as overwritten and as only read.`, 'Take it out of one of them.');
  return overwrites;
}
