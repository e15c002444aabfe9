/** Blanks of other widths, as pages and word processors put them in. */
const BLANKS = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;
const INVISIBLE = /[\u200B-\u200D\u2060\uFEFF]/g;
const DOUBLE_QUOTES = /[“”„‟]/g;
const SINGLE_QUOTES = /[‘’‚‛]/g;
/** A number in front of a line, as editors and pages show it. */
const NUMBERED = /^\s*(\d{1,7})(?:[.:|)]?(?:\s|$))/;
/** Fewer lines than this that count upwards can do so by chance. */
const LEAST_NUMBERED = 3;

const isBlank = (line: string): boolean => line.trim() === '';

/** Blanks, or the sign of a quotation, that stand in front of every line. */
function withoutMargin(lines: readonly string[]): readonly string[] {
  if (lines.every(isBlank)) return lines;
  if (lines.every((line) => isBlank(line) || /^\s*>/.test(line)))
    return withoutMargin(lines.map((line) => line.replace(/^\s*> ?/, '')));
  if (lines.some((line) => /^\S/.test(line))) return lines;
  const margin = lines.reduce((least, line) => (isBlank(line) ? least : Math.min(least, line.search(/\S/))), Infinity);
  return lines.map((line) => line.slice(margin));
}

/**
 * An output as the program printed it, where it was copied from a page: other blanks and quotation marks than it prints, a margin,
 * signs of a quotation. What is none of these stays.
 */
export function uncopied(text: string): string {
  const plain = text
    .replace(BLANKS, ' ')
    .replace(INVISIBLE, '')
    .replace(DOUBLE_QUOTES, '"')
    .replace(SINGLE_QUOTES, "'");
  return withoutMargin(plain.split('\n')).join('\n');
}

/** The text without the numbers in front of its lines; undefined where they are not numbered one by one. */
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
