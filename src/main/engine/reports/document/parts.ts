import { warningGroups } from '../../../../shared/model/figure.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Points on paper; `*` is the remaining width. Default: the width of its text. */
  readonly width?: number | '*';
  readonly noWrap?: true;
}

export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
}

/** Names and values. */
export interface Facts {
  readonly kind: 'facts';
  readonly rows: readonly (readonly [name: string, value: string])[];
}

/** A picture as wide as a page. */
export interface Figure {
  readonly kind: 'figure';
  /** Points. */
  readonly height: number;
  /** Draws the picture at this height, at most `height`; one that cannot be scaled keeps its own. */
  readonly svg: (height: number) => string;
  /** Smallest height at which all of it is legible. */
  readonly least: number;
  /** Names everything that the picture shows by position and colour. */
  readonly caption: string;
}

/** Level 1 is the title. */
export type HeadingLevel = 1 | 2 | 3;

/** `question`, `lead`: below the title. `best`: after the answer. `note`: in small print below a table or figure. `cell`: as in a table. */
export type TextStyle = 'question' | 'lead' | 'best' | 'plain' | 'note' | 'cell';

/** A report is a list of these, created once; each medium draws them in its own way. */
export type Part =
  | { readonly kind: 'heading'; readonly level: HeadingLevel; readonly text: string }
  | { readonly kind: 'text'; readonly style: TextStyle; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'code'; readonly text: string }
  | Figure
  /** Not split between pages. */
  | { readonly kind: 'together'; readonly parts: readonly Part[] }
  | Table
  | Facts;

export const heading = (text: string, level: HeadingLevel = 2): Part => ({ kind: 'heading', level, text });

export const words = (style: TextStyle, text: string): Part => ({ kind: 'text', style, text });

export const note = (text: string): Part => words('note', text);

/** Empty without items. */
export const list = (items: readonly string[]): Part[] => (items.length > 0 ? [{ kind: 'list', items }] : []);

export const figure = (picture: Pick<Figure, 'height' | 'svg' | 'least'>, caption: string): Figure => ({
  ...{ kind: 'figure', caption },
  ...picture,
});

/** The picture of a part. */
export function figureOf(part: Part): Figure | undefined {
  if (part.kind === 'figure') return part;
  return part.kind === 'together' ? part.parts.map(figureOf).find((each) => each !== undefined) : undefined;
}

export const together = (...parts: readonly Part[]): Part => ({ kind: 'together', parts });

export const table = (columns: readonly Column[], rows: readonly (readonly string[])[]): Table => ({
  kind: 'table',
  columns,
  rows,
});

/** Leaves out unknown values. */
export const facts = (pairs: readonly (readonly [string, string | undefined])[]): Facts => ({
  kind: 'facts',
  rows: pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined && pair[1] !== ''),
});

/** The warnings of these cells. */
export const warnings = (cells: Parameters<typeof warningGroups>[0]): Part[] =>
  warningGroups(cells).map(({ message }) => note(message));

/** A heading that is never alone at the bottom of a page. Empty if nothing follows. */
export const withHeading = (head: Part, [first, ...rest]: readonly Part[]): Part[] => {
  if (!first) return [];
  // A block higher than a page would be cut off.
  return heightOf(first) <= HIGHEST_PIECE ? [together(head, first), ...rest] : [head, first, ...rest];
};

/** Maximum height in points of a table that is kept in one block: a higher one could leave half a page empty. */
const HIGHEST_PIECE = 360;
const LINE = 10.5;
const ROW_PADDING = 5.5;
/** Characters that fit into a line of a cell in any case. */
const LETTERS = 24;

/** A heading and its table: on one page if the table is small, else split between its rows, with the heading above the first ones. */
export const inOnePiece = (title: string, part: Part, level: HeadingLevel = 3): Part[] =>
  heightOf(part) <= HIGHEST_PIECE ? [together(heading(title, level), part)] : [heading(title, level), part];

/** Upper limit for a table's height in points, estimated from its text, as it is not laid out yet. */
function heightOf(part: Part): number {
  if (part.kind !== 'table' && part.kind !== 'facts') return 0;
  const head = part.kind === 'table' ? [part.columns.map(({ title }) => title)] : [];
  return [...head, ...part.rows].reduce((sum, row) => {
    const longest = Math.max(0, ...row.map(({ length }) => length));
    return sum + ROW_PADDING + LINE * Math.max(1, Math.ceil(longest / LETTERS));
  }, 0);
}
