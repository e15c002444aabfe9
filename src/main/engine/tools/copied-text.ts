/** Characters inspected to detect that every other byte is zero, as in UTF-16 without a byte order mark. */
const CHARACTERS_READ = 4096;
/** Minimum share of zeros in one half of the bytes for mostly ASCII text. */
const MOSTLY = 0.7;

const shareOfZero = (bytes: Uint8Array, from: number): number => {
  let [zero, count] = [0, 0];
  for (let at = from; at < Math.min(bytes.length, CHARACTERS_READ); at += 2) {
    count += 1;
    if (bytes[at] === 0) zero += 1;
  }
  return count === 0 ? 0 : zero / count;
};

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (shareOfZero(bytes, 1) > MOSTLY && shareOfZero(bytes, 0) < 1 - MOSTLY) return 'utf-16le';
  if (shareOfZero(bytes, 0) > MOSTLY && shareOfZero(bytes, 1) < 1 - MOSTLY) return 'utf-16be';
  return 'utf-8';
}

/** Text with a NUL after every character was UTF-16 decoded as something else. */
function plain(text: string): string {
  const head = text.slice(0, CHARACTERS_READ);
  const nones = head.length - head.replaceAll('\0', '').length;
  const letters = nones * 3 > head.length ? text.replaceAll('\0', '') : text;
  // Lines that end only in carriage returns, as on old systems.
  const lines = letters.includes('\n') ? letters : letters.replaceAll('\r', '\n');
  return lines.startsWith('\uFEFF') ? lines.slice(1) : lines;
}

/**
 * Decodes an output: UTF-8, or UTF-16 as redirected by Windows PowerShell, with or without a byte order mark. Invalid bytes become U+FFFD, which
 * affects at most their line.
 */
export const decoded = (output: string | Uint8Array): string =>
  plain(typeof output === 'string' ? output : new TextDecoder(encodingOf(output)).decode(output));

/** Spaces of other widths, as inserted by web pages and word processors. */
const BLANKS = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;
const INVISIBLE = /[\u200B-\u200D\u2060\uFEFF]/g;
const DOUBLE_QUOTES = /[“”„‟]/g;
const SINGLE_QUOTES = /[‘’‚‛]/g;
/** A line number, as shown by editors and web pages. */
const NUMBERED = /^\s*(\d{1,7})(?:[.:|)]?(?:\s|$))/;
/** Minimum count of numbered lines; fewer can be numbered by chance. */
const LEAST_NUMBERED = 3;

const isBlank = (line: string): boolean => line.trim() === '';

/** Removes indentation or quotation signs common to all lines. */
function withoutMargin(lines: readonly string[]): readonly string[] {
  if (lines.every(isBlank)) return lines;
  if (lines.every((line) => isBlank(line) || /^\s*>/.test(line)))
    return withoutMargin(lines.map((line) => line.replace(/^\s*> ?/, '')));
  if (lines.some((line) => /^\S/.test(line))) return lines;
  const margin = lines.reduce((least, line) => (isBlank(line) ? least : Math.min(least, line.search(/\S/))), Infinity);
  return lines.map((line) => line.slice(margin));
}

/** Restores an output copied from a page: replaces special blanks and quotation marks, removes margins and quotation signs, and keeps the rest. */
export function uncopied(text: string): string {
  const plain = text
    .replace(BLANKS, ' ')
    .replace(INVISIBLE, '')
    .replace(DOUBLE_QUOTES, '"')
    .replace(SINGLE_QUOTES, "'");
  return withoutMargin(plain.split('\n')).join('\n');
}

/** The text without line numbers. Undefined if the lines are not numbered consecutively. */
export function withoutLineNumbers(text: string): string | undefined {
  const lines = text.split('\n');
  let last: number | undefined;
  let count = 0;
  for (const line of lines) {
    if (isBlank(line)) continue;
    const number = Number(NUMBERED.exec(line)?.[1]);
    if (Number.isNaN(number) || (last !== undefined && number !== last + 1)) return undefined;
    last = number;
    count += 1;
  }
  if (count < LEAST_NUMBERED) return undefined;
  return withoutMargin(lines.map((line) => line.replace(NUMBERED, ''))).join('\n');
}
