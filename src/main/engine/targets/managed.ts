import { KneepointError } from '../../../shared/model/problem.ts';
import { lineFormat } from './settings-format.ts';
import type { SettingsFormat } from './target.ts';

/** A socket of a longer path cannot be opened: sockaddr_un has 108 bytes. */
const SOCKET_PATH_LIMIT = 100;

/** Whether a socket of such a path can be made. */
export const fitsSocket = (path: string): boolean => Buffer.byteLength(path) <= SOCKET_PATH_LIMIT;

/** Text that stands on one line of a configuration or a statement. Throws `bad-request`. */
export function oneLine(what: string, text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (!/[\x00-\x1f\x7f]/.test(text)) return text;
  throw badManaged(`${what} of a managed server cannot hold control characters.`, 'Change it in the target.');
}

export const badManaged = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'bad-request', message, safe: 'Nothing was started.', next });

/** Settings of a managed server where its kind has no file of its own for them. */
export const plainSettings: SettingsFormat = lineFormat(
  (value) => value,
  (text) => text,
);
