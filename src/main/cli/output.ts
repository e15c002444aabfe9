import { terminal } from './terminal.ts';

/** Control characters except newline and tab, and characters that reverse the reading direction or are invisible: terminals interpret them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Replaces terminal escapes, which names and output of hosts and tools may contain. */
export const plainText = (text: string): string => text.replace(UNSAFE, '\ufffd');

/** JSON with unsafe characters escaped: the same value, but harmless on a terminal. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const print = (text: string): void => {
  terminal().stdout.write(`${plainText(text)}\n`);
};
export const printStatus = (text: string): void => {
  terminal().stderr.write(`${plainText(text)}\n`);
};
export const printJson = (value: unknown): void => {
  terminal().stdout.write(`${jsonText(value, 2)}\n`);
};

export interface Column<Row> {
  title: string;
  /** Right-aligned if it contains numbers. */
  number?: boolean;
  value(row: Row): string;
}

/** Rows in aligned columns, as wide as their content, with a heading if any column has a title. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const titles = columns.map((column) => column.title);
  const lines = rows.map((row) => columns.map((column) => column.value(row).replace(/\s+/g, ' ')));
  const cells = titles.some((title) => title !== '') ? [titles, ...lines] : lines;
  const widths = columns.map((_, index) => Math.max(0, ...cells.map((line) => (line[index] ?? '').length)));
  return cells
    .map((line) =>
      line
        .map((cell, index) => {
          const width = widths[index] ?? 0;
          return columns[index]?.number ? cell.padStart(width) : cell.padEnd(width);
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
