import type { CapturedTable } from '../model/capture.ts';

/** Widest column of a table as text. */
const WIDEST = 120;

/**
 * A table as text: a single value or a single column line by line, a single row as `column: value` without empty values, otherwise aligned
 * columns.
 */
export function tableText({ columns, rows }: CapturedTable): string {
  const words = (value: string | number | null | undefined): string => (value === null ? 'NULL' : String(value ?? ''));
  const [first] = rows;
  if (first && columns.length === 1) return rows.map(([value]) => words(value)).join('\n');
  if (first && rows.length === 1)
    return columns
      .flatMap((column, index) => {
        const value = words(first[index]);
        return value === '' ? [] : [`${column}: ${value.includes('\n') ? `\n${value}` : value}`];
      })
      .join('\n');
  const lines = [columns, ...rows.map((row) => columns.map((_, index) => words(row[index]).replaceAll(/\s+/g, ' ')))];
  const widths = columns.map((_, index) =>
    lines.reduce((widest, line) => Math.max(widest, Math.min(WIDEST, line[index]?.length ?? 0)), 0),
  );
  return lines
    .map((line) =>
      line
        .map((word, index) => (index === line.length - 1 ? word : word.padEnd(widths[index] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const LINE = /^\s*(.*?)[\s:=]+(-?\d+(?:\.\d+)?)\s*$/;

/** Parses lines that end with a number, as printed by /proc/vmstat and `ethtool -S`, into a table of names and values. */
export function countersIn(text: string): CapturedTable {
  const rows = text.split('\n').flatMap((line): [string, string][] => {
    const [, name = '', value = ''] = LINE.exec(line) ?? [];
    return name === '' ? [] : [[name, value]];
  });
  return { columns: ['name', 'value'], rows };
}

/** The first rows of a table that fit into this many bytes as JSON, and the number of the others. */
export function fitting({ columns, rows }: CapturedTable, most: number): { table: CapturedTable; left: number } {
  const encoder = new TextEncoder();
  const bytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length + 1;
  let size = bytes({ columns, rows: [] });
  const kept = rows.findIndex((row) => {
    size += bytes(row);
    return size > most;
  });
  return kept < 0
    ? { table: { columns, rows }, left: 0 }
    : { table: { columns, rows: rows.slice(0, kept) }, left: rows.length - kept };
}
