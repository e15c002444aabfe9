/** Glyphs that the report's font does not have, in words that it can print. */
const REPLACED: Readonly<Record<string, string>> = {
  '→': '->',
  '←': '<-',
  '≥': '>=',
  '≤': '<=',
  '⇄': '<->',
  '−': '-',
  '\u202f': ' ',
  '\u2009': ' ',
};

/** Text as the report prints it: control characters out, missing glyphs replaced. */
export const printable = (text: string): string =>
  [...text]
    .map((character) => REPLACED[character] ?? character)
    .join('')
    .replace(/[^\t\n\u0020-\u024f\u0370-\u03ff\u0400-\u04ff\u1e00-\u1eff\u2010-\u2026\u2030\u20ac\u2122]/g, '?');
