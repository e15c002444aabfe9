import { lineFormat } from '../settings-format.ts';

const PLAIN = /^[\w.:/,+@-]*$/;

/** In quotes a backslash begins an escape; of quotes only the outer ones are taken away. */
function quote(value: string): string | undefined {
  if (PLAIN.test(value)) return value;
  const mark = value.includes('"') ? "'" : '"';
  return value.includes(mark) ? undefined : mark + value.replaceAll('\\', '\\\\') + mark;
}

function unquote(text: string): string {
  const [, , inside] = /^(["'])(.*)\1$/.exec(text) ?? [];
  return inside === undefined ? text : inside.replaceAll('\\\\', '\\');
}

/** An option file of MySQL and MariaDB, with the group that every server reads. */
export const optionFile = lineFormat(quote, unquote, '[mysqld]\n');
