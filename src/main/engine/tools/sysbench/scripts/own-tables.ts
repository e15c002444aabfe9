import { type Formula, formulaOf } from './formula.ts';

/** `NAME = FORMULA`, or `NAME >= FORMULA` where trials add rows; `NAME{tables}` is as many tables as that says, numbered from 1. */
const LINE = /^([A-Za-z_]\w*)(?:\{([^{}]+)\}(\w*))?\s*(>?=)\s*(.+)$/;
const HOW =
  'Write NAME = FORMULA in each line, with numbers, options of the script, + - * / ( ), floor and ceil; NAME >= FORMULA if trials add rows, and NAME{FORMULA} for tables that are numbered from 1.';

/** One line: a table, or several that are numbered. */
export interface OwnTables {
  begin: string;
  /** How many numbered tables; absent: the one named. */
  count?: Formula;
  end: string;
  /** Trials add rows. */
  adds: boolean;
  rows: Formula;
}

/** Tables of a list, a line each; undefined when a line is not as `HOW` says. */
export function ownTables(text: string): OwnTables[] | undefined {
  const lines: OwnTables[] = [];
  for (const line of text.split(/\r?\n/).filter((each) => each.trim() !== '')) {
    const [, begin = '', counted, end = '', sign, formula = ''] = LINE.exec(line.trim()) ?? [];
    const rows = formulaOf(formula);
    const count = counted === undefined ? undefined : formulaOf(counted);
    if (!rows || (counted !== undefined && !count)) return undefined;
    lines.push({ begin, end, adds: sign === '>=', rows, ...(count && { count }) });
  }
  return lines;
}

/** Why a list of tables cannot be read; undefined if it can. */
export const ownTablesProblem = (text: string): string | undefined => (ownTables(text) ? undefined : HOW);
