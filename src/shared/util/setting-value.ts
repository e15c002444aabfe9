/** A figure with its kind: bytes, microseconds, or a plain count. */
interface Measure {
  readonly of: 'bytes' | 'time' | 'count';
  readonly amount: number;
}

const BYTES: Readonly<Record<string, number>> = { b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40, p: 2 ** 50 };
const MICROSECONDS: Readonly<Record<string, number>> = { us: 1, ms: 1e3, s: 1e6, min: 6e7, h: 3.6e9, d: 8.64e10 };

const FIGURE = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)$/i;
const SIZE = /^([bkmgtp])(?:i?b)?$/i;

/** A value as a figure: “128M” and “128MB” are 134217728 bytes, “5min” is a time, “0.9” a count. Undefined for words. */
export function settingMeasure(text: string): Measure | undefined {
  const [, figure, unit = ''] = FIGURE.exec(text.trim()) ?? [];
  if (figure === undefined) return undefined;
  const amount = Number(figure);
  if (unit === '') return { of: 'count', amount };
  const time = MICROSECONDS[unit];
  if (time !== undefined) return { of: 'time', amount: amount * time };
  const bytes = BYTES[SIZE.exec(unit)?.[1]?.toLowerCase() ?? ''];
  return bytes === undefined ? undefined : { of: 'bytes', amount: amount * bytes };
}

const YES = new Set(['on', 'true', 'yes', '1']);
const NO = new Set(['off', 'false', 'no', '0']);

/**
 * Whether two texts are the same value of a server setting: 128M and 134217728, ON and 1, 5min and 300s, “a, b” and “b,a”. For a list of
 * flags (“mrr=on”), the found value, which has all flags of the server, has to include the wanted ones.
 */
export function isSameSetting(wanted: string, found: string): boolean {
  const [a, b] = [wanted.trim().toLowerCase(), found.trim().toLowerCase()];
  if (a === b || (YES.has(a) && YES.has(b)) || (NO.has(a) && NO.has(b))) return true;
  const [left, right] = [settingMeasure(wanted), settingMeasure(found)];
  if (left && right) return sameMeasure(left, right);
  return a.includes(',') || b.includes(',') ? sameList(a, b) : false;
}

/** A figure without a unit may be in bytes, but is never a time, as servers count in seconds as well as in milliseconds. */
function sameMeasure(a: Measure, b: Measure): boolean {
  if (a.amount !== b.amount) return false;
  return a.of === b.of || a.amount === 0 || (a.of !== 'time' && b.of !== 'time');
}

const partsOf = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

function sameList(wanted: string, found: string): boolean {
  const [a, b] = [partsOf(wanted), partsOf(found)];
  const there = a.every((part) => b.includes(part));
  return there && (a.length === b.length || (a.length > 0 && [...a, ...b].every((part) => part.includes('='))));
}

/** Names of settings whose value is a secret. */
const SECRET_NAME = /(?:password|passphrase|secret|conninfo|sst_auth)$/i;
/** `old_passwords` and the like have other endings; names with these patterns are no secrets. */
const NO_SECRET = /^(?:disconnect_on_expired_password|log_.*)$/i;
/** A password within a connection string, a command or a URL. */
const SECRET_VALUE = /\b(?:passw(?:or)?d|passphrase|secret)\s*=|\w:\/\/[^\s:/@]*:[^\s@]+@/i;

/** Whether a setting contains a secret, by its name or its value: levels and read values are shown and stored everywhere. */
export const holdsSecret = (name: string, value = ''): boolean =>
  (SECRET_NAME.test(name) && !NO_SECRET.test(name)) || SECRET_VALUE.test(value);
