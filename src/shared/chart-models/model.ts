import type { EChartsOption } from 'echarts';

/** The same data as rows, for CSV and for readers that cannot see a picture. The first row names the columns, with units. */
export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** A chart as data: drawn by the page's `Chart`, by a report, or read as a table. */
export interface ChartModel {
  /** One sentence that says what is drawn against what. */
  description: string;
  /** For a wide picture. */
  option: EChartsOption;
  /** For a picture of this many pixels, where what stands beside the lines depends on it. `optionAt` asks for it. */
  at?: (width: number) => EChartsOption;
  /** Names of the lines where they are too many for a legend, in their order: one is found by choosing it from a list. */
  listed?: readonly string[];
  table: () => ChartTable;
}

/** What an axis needs to know of a metric. */
export interface Measure {
  label: string;
  unit: string;
  digits: number;
}

/** `Transactions (tps)`. */
export const titleOf = (measure: Measure): string =>
  measure.unit ? `${measure.label} (${measure.unit})` : measure.label;

/** A table as CSV (RFC 4180), with a line break after each row. */
export function tableToCsv(table: ChartTable): string {
  const cell = (value: string | number): string => {
    const text = typeof value === 'number' ? (Number.isFinite(value) ? String(value) : '') : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [table.columns, ...table.rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
