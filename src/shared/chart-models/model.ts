import type { EChartsOption } from 'echarts';

/** The same data as rows, for CSV and screen readers. The first row has the names of the columns, with units. */
export interface ChartTable {
  columns: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}

/** A chart as data: drawn by the page's `Chart` or in a report, or read as a table. */
export interface ChartModel {
  /** One sentence that describes what is drawn against what. */
  description: string;
  /** For a wide picture. */
  option: EChartsOption;
  /** For a picture of this many pixels, if the layout around the lines depends on the width. Used by `optionAt`. */
  at?: (width: number) => EChartsOption;
  /** Names of the lines if there are too many for a legend, in order: they are selected from a list. */
  listed?: readonly string[];
  table: () => ChartTable;
}

/** Properties of a metric that an axis needs. */
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
