import { lineFormat } from '../settings-format.ts';

const PLAIN = /^(-?\d+(\.\d+)?|[A-Za-z_]\w*)$/;

const quote = (value: string): string =>
  PLAIN.test(value) ? value : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

function unquote(text: string): string {
  const [, inside] = /^'(.*)'$/.exec(text) ?? [];
  return inside === undefined ? text : inside.replaceAll("''", "'").replaceAll('\\\\', '\\');
}

/** A file that postgresql.conf includes. */
export const configurationFile = lineFormat(quote, unquote);
