import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js';
import { type BoundedCell, loadBoundGroups } from '../../../../shared/model/bound-words.ts';
import { printable } from './text.ts';

type HeadingStyle = 'h2' | 'h3';

/** To stand in a block that is kept together. */
export const heading = (text: string, style: HeadingStyle = 'h2'): Content => ({ text: printable(text), style });

/** To stand before what may go over several pages. */
export const looseHeading = (text: string, style: HeadingStyle = 'h2'): Content => ({
  text: printable(text),
  style,
  headlineLevel: style === 'h2' ? 1 : 2,
});

/** Room in points that a heading needs below its upper edge: itself and the first lines of a table; an upper one before that also a lesser one. */
const ROOM_BELOW: Readonly<Record<number, number>> = { 1: 120, 2: 80 };

/** Whether a loose heading would stand alone at the foot of a page. Where the rows of a table go is not known when this is asked. */
export const isAtFoot: NonNullable<TDocumentDefinitions['pageBreakBefore']> = ({ headlineLevel, startPosition }) =>
  (1 - startPosition.verticalRatio) * startPosition.pageInnerHeight < (ROOM_BELOW[headlineLevel ?? 0] ?? 0);

/** In small letters below a table or a picture. */
export const note = (sentence: string): Content => ({ text: printable(sentence), style: 'note' });

/** Which of these cells tell of the load, and not of the system under test. */
export const loadNotes = (cells: readonly BoundedCell[]): Content[] =>
  loadBoundGroups(cells).map(({ message }) => note(message));

/** A heading that is never left behind at the foot of a page. */
export const withHeading = (head: Content, [first, ...rest]: Content[]): Content[] =>
  first ? [{ stack: [head, first], unbreakable: true }, ...rest] : [];

/** Points of the highest table that is kept in one piece: more than that would leave half a page empty. */
const HIGHEST_PIECE = 360;
const LINE = 10.5;
const ROW_PADDING = 5.5;
/** Letters that are sure to fit into a line of a cell. */
const LETTERS = 24;

/** A heading and its table: on one page where the table is small, else broken between its rows, with the heading above the first ones. */
export const inOnePiece = (title: string, table: Content, style: HeadingStyle = 'h3'): Content[] =>
  highestOf(table) <= HIGHEST_PIECE
    ? [{ stack: [heading(title, style), table], unbreakable: true }]
    : [looseHeading(title, style), table];

/** Points that a table takes at most, by its words: it is not laid out yet. */
function highestOf(content: Content): number {
  if (typeof content !== 'object' || !('table' in content)) return 0;
  return content.table.body.reduce((sum, row) => {
    const longest = Math.max(0, ...row.map((cell) => wordsOf(cell).length));
    return sum + ROW_PADDING + LINE * Math.max(1, Math.ceil(longest / LETTERS));
  }, 0);
}

const wordsOf = (cell: unknown): string =>
  typeof cell === 'object' && cell !== null && 'text' in cell && typeof cell.text === 'string' ? cell.text : '';
