import type { Table } from '../program/lines.ts';

/** Longest line of a column: a plan in one column is never cut, a wide table still fits a screen. */
const WIDEST = 60;

const shown = (value: string | null): string => (value === null ? 'NULL' : value.replaceAll(/[\r\n\t]/g, ' '));

/** A table as aligned text; an answer of one column as its lines. */
export function tableText({ columns, rows, left }: Omit<Table, 'kind' | 'what' | 'name'>): string {
  const rest = left > 0 ? [`… and ${left} more rows`] : [];
  if (columns.length === 1) return [...rows.map(([value = null]) => value ?? 'NULL'), ...rest].join('\n');
  const cells = [columns, ...rows.map((row) => row.map(shown))].map((row) => row.map((cell) => cell.slice(0, WIDEST)));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...rest].join('\n');
}
