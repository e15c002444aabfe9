import { KneepointError } from '../../../shared/model/problem.ts';
import type { SettingsFormat } from './target.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;
/** A line break would begin a setting of its own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const CONTROL = /[\x00-\x1f\x7f]/;

/** A file of `name = value` lines. `quote` returns undefined for a value that the file cannot hold; `unquote` reverses it. */
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
    message: `The setting ${JSON.stringify(name)} with the value ${JSON.stringify(value)} cannot be written to a settings file.`,
    safe: 'The file is unchanged.',
    next: 'Correct the name, or choose a value on one line without quotes of both kinds.',
  });

/** Limit for socket paths: sockaddr_un has 108 bytes. */
const SOCKET_PATH_LIMIT = 100;

/** Whether a socket can be created at this path. */
export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) <= SOCKET_PATH_LIMIT;

/** Checks that a text for a configuration or a statement is on one line. Throws `bad-request`. */
export function oneLine(what: string, text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!/[\x00-\x1f\x7f]/.test(text)) return text;
  throw badManaged(`${what} of a managed server cannot hold control characters.`, 'Change it in the target.');
}

export const badManaged = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'bad-request', message, safe: 'Nothing was started.', next });

/** Settings of a managed server whose kind has no file format of its own. */
export const plainSettings: SettingsFormat = lineFormat(
  (value) => value,
  (text) => text,
);
