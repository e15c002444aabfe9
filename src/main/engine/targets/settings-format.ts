import { KneepointError } from '../../../shared/model/problem.ts';
import type { SettingsFormat } from './target.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
/** A line break would begin a setting of its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\x00-\x1f\x7f]/;

/** A file of `name = value` lines. `quote` and `unquote` say how a value that is not plain stands there; undefined: it cannot. */
export function lineFormat(quote: (value: string) => string | undefined, unquote: (text: string) => string, head = '') {
  const line = ([name, value]: [string, string]): string => {
    const written = CONTROL.test(value) ? undefined : quote(value);
    if (!NAME.test(name) || written === undefined) throw notWritable(name, value);
    return `${name} = ${written}\n`;
  };
  return {
    write: (settings) => head + Object.entries(settings).map(line).join(''),
    read: (text) =>
      Object.fromEntries(
        text.split('\n').flatMap((written): [string, string][] => {
          const [, name, value] = /^\s*([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/.exec(written) ?? [];
          return name === undefined || value === undefined ? [] : [[name, unquote(value)]];
        }),
      ),
  } satisfies SettingsFormat;
}

const notWritable = (name: string, value: string): KneepointError =>
  new KneepointError({
    code: 'change-refused',
    message: `The setting ${JSON.stringify(name)} with the value ${JSON.stringify(value)} cannot be written into a file of settings.`,
    safe: 'The file is as it was.',
    next: 'Correct the name, or choose a value on one line without quotes of both kinds.',
  });
