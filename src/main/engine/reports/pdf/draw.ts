import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { type Facts, type Figure, figureOf, type HeadingLevel, type Part, type Table } from '../document/parts.ts';
import { WIDTH } from '../document/svg.ts';

const ALTERED = 'Characters that this report cannot print are shown as “?”. The JSON export has them.';

/** Heights of scaled-down pictures, by the index of their part. */
export type Heights = ReadonlyMap<number, number>;

/** Converts parts of a report to pdfmake's format. A mark before and after each part with a picture reveals where it was placed. */
export function draw(parts: readonly Part[], heights: Heights = new Map()): Content[] {
  const first = parts.find(({ kind, ...part }) => kind === 'code' && 'text' in part && isAltered(part.text));
  return parts.flatMap((part, index): Content[] => {
    const content = drawn(part, true, heights.get(index));
    if (part === first) return [note(ALTERED), content];
    return figureOf(part) ? [mark('before', index), content, mark('after', index)] : [content];
  });
}

/** Takes no visible space. */
const mark = (side: 'before' | 'after', index: number): Content => ({
  ...{ id: `${side} ${index}`, text: ' ', preserveLeadingSpaces: true, fontSize: 1 },
});

const note = (text: string): Content => ({ text, style: 'note' });

/** `isLoose`: it may span several pages, or be at the end of one. `height`: of its picture, if it is scaled down. */
function drawn(part: Part, isLoose: boolean, height?: number): Content {
  switch (part.kind) {
    case 'heading':
      return {
        text: printable(part.text),
        style: `h${part.level}`,
        ...(isLoose && part.level > 1 && { headlineLevel: part.level - 1 }),
      };
    case 'text':
      return part.style === 'plain'
        ? { text: printable(part.text), margin: [0, 0, 0, 10] }
        : { text: printable(part.text), style: part.style };
    case 'list':
      return { ul: part.items.map(printable), style: 'cell', ...(isLoose && { margin: [0, 0, 0, 10] }) };
    case 'code':
      return { text: printable(part.text), style: 'code', preserveLeadingSpaces: true };
    case 'figure':
      return {
        stack: [picture(part, height), { text: printable(part.caption), style: 'caption' }],
        unbreakable: true,
        margin: [0, 4, 0, 10],
      };
    case 'together':
      return { stack: part.parts.map((each) => drawn(each, false, height)), unbreakable: true };
    case 'table':
      return grid(part);
    case 'facts':
      return pairs(part);
  }
}

/** A picture that is not drawn lower is printed smaller. */
const picture = (part: Figure, height = part.height): Content => ({
  svg: part.svg(height),
  fit: [WIDTH, height],
});

/** A table whose head repeats on every page. */
function grid({ columns, rows }: Table): Content {
  const cell = (text: string, index: number, style: string): TableCell => ({
    text: printable(text),
    alignment: columns[index]?.align ?? 'left',
    noWrap: columns[index]?.noWrap ?? columns[index]?.align === 'right',
    style,
  });
  return {
    table: {
      headerRows: 1,
      keepWithHeaderRows: 1,
      dontBreakRows: true,
      widths: columns.map((column) => column.width ?? 'auto'),
      body: [
        columns.map((column, index) => cell(column.title, index, 'head')),
        ...rows.map((row) => row.map((text, index) => cell(text, index, 'cell'))),
      ],
    },
    layout: 'report',
    margin: [0, 4, 0, 12],
  };
}

const pairs = ({ rows }: Facts): Content => ({
  table: {
    dontBreakRows: true,
    widths: [130, '*'],
    body: rows.map(([name, value]) => [
      { text: printable(name), style: 'head' },
      { text: printable(value), style: 'cell' },
    ]),
  },
  layout: 'report',
  margin: [0, 4, 0, 12],
});

/**
 * Points required below a heading's upper edge: for itself and the first lines of a table; for one of level 1, also for a lower heading.
 */
const ROOM_BELOW: Readonly<Record<number, number>> = { 1: 120, 2: 80 } satisfies Partial<Record<HeadingLevel, number>>;

/** Whether a loose heading would be alone at the bottom of a page. The position of a table's rows is unknown at this point. */
export const isAtFoot: NonNullable<TDocumentDefinitions['pageBreakBefore']> = ({ headlineLevel, startPosition }) =>
  (1 - startPosition.verticalRatio) * startPosition.pageInnerHeight < (ROOM_BELOW[headlineLevel ?? 0] ?? 0);

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
const isAltered = (text: string): boolean => printable(text) !== text;
