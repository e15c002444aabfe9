/** Characters missing in the report's fonts, and their replacements. */
const REPLACED: Readonly<Record<string, string>> = {
  '→': '->',
  '←': '<-',
  '⇄': '<->',
  '\u202f': ' ',
};

/**
 * Characters that neither Roboto nor Roboto Mono has, apart from Latin, Greek, Cyrillic, Vietnamese, and signs of typesetting and
 * arithmetic.
 */
const MISSING =
  /[^\t\n\u0020-\u007e\u00a0-\u017f\u0384-\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0513\u1ea0-\u1ef9\u2000-\u200b\u2010\u2011\u2013-\u2015\u2017-\u201e\u2020-\u2022\u2026\u2030\u2032\u2033\u2039\u203a\u2044\u20ac\u2116\u2122\u2126\u2202\u2206\u220f\u2211\u2212\u221a\u221e\u222b\u2248\u2260\u2264\u2265]/gu;

/** Text as the report prints it: without control characters, with missing glyphs replaced. */
export const printable = (text: string): string =>
  [...text]
    .map((character) => REPLACED[character] ?? character)
    .join('')
    .replace(MISSING, '?');

/** Whether the report prints other characters than the text has. */
export const isAltered = (text: string): boolean => printable(text) !== text;
