import { median } from '../src/shared/util/numbers.ts';
import type { BenchRow } from './row.ts';

/** Runs of a bench before its figures are stored. */
export const KEPT_RUNS = 5;
/** Consecutive runs in which a figure has to be worse before it counts. */
const WORSE_RUNS = 3;
/** Factor by which a figure may always be worse, however close together the stored runs were. */
const TOLERANCE = 1.1;
const SIGNIFICANT = 4;

/** One figure over `KEPT_RUNS` runs: median, smallest and largest. A ratio to the limit, or bytes if a row has no limit. */
export interface Figure {
  readonly figure: number;
  readonly low: number;
  readonly high: number;
}

/** The figures of one bench by row name, and the day they were measured (`YYYY-MM-DD`). */
export interface KeptBench {
  readonly date: string;
  readonly rows: Readonly<Record<string, Figure>>;
}

/** A figure that is worse than its `bound`. */
export interface Slip {
  readonly row: string;
  readonly measured: number;
  readonly bound: number;
  readonly kept: Figure;
}

export interface Comparison {
  readonly worse: readonly Slip[];
  /** Rows with a figure that has no stored one. */
  readonly unknown: readonly string[];
  /** Rows with a stored figure that were not measured. */
  readonly missing: readonly string[];
}

const BYTES = /^(?:bytes(?: per byte)?|[kKM]i?B)$/;
const RATE = /(?:\/s|^tps)$/;

/** Figures that can be compared between days and machines: the ratio, or bytes. Time and CPU without a limit depend on the machine. */
export function figureOf({ value, unit, ratio }: BenchRow): number | undefined {
  const figure = ratio ?? (BYTES.test(unit) ? value : undefined);
  return figure !== undefined && Number.isFinite(figure) && figure > 0 ? figure : undefined;
}

/** For rates, more is better; for everything else (time, CPU, bytes), less is. */
const isMoreBetter = ({ unit }: BenchRow): boolean => RATE.test(unit);

/** Throws if two rows of one run have the same name: they would be indistinguishable later. */
function figuresOf(rows: readonly BenchRow[]): Map<string, { row: BenchRow; figure: number }> {
  const figures = new Map<string, { row: BenchRow; figure: number }>();
  for (const row of rows) {
    const figure = figureOf(row);
    if (figure === undefined) continue;
    if (figures.has(row.name)) throw new Error(`two rows are called “${row.name}”`);
    figures.set(row.name, { row, figure });
  }
  return figures;
}

/** The figures that are present in every run of a bench. */
export function keptFigures(runs: readonly (readonly BenchRow[])[]): Record<string, Figure> {
  const measured = runs.map(figuresOf);
  const kept: Record<string, Figure> = {};
  for (const name of measured[0]?.keys() ?? []) {
    const figures = measured.flatMap((figures) => figures.get(name)?.figure ?? []);
    if (figures.length < runs.length) continue;
    kept[name] = {
      figure: rounded(median(figures)),
      low: rounded(Math.min(...figures)),
      high: rounded(Math.max(...figures)),
    };
  }
  return kept;
}

const rounded = (value: number): number => Number(value.toPrecision(SIGNIFICANT));

/** The worst figure still attributed to noise: as far beyond the worst of the stored runs as their range, as a factor, and at least 10 %. */
function boundOf({ low, high }: Figure, moreIsBetter: boolean): number {
  const factor = Math.max(high / low, TOLERANCE);
  return moreIsBetter ? low / factor : high * factor;
}

/**
 * Compares one run with the stored figures. A row counts as worse if it exceeds its bound in `WORSE_RUNS` consecutive runs (`stillWorse`).
 *
 * If nothing has changed, and runs are independent with normal noise, that is a false alarm once in 100,000 comparisons of a row at a noise of 5 %
 * (standard deviation of a run), once in 3,000 at 10 %, and never more than once in 1,500. Of nights with seventy rows at 5 %, one in 1,500 has
 * one; a single run beyond the bound would give one every fourth night. A row that is 30 % slower is found in 99 % of nights at a noise of 3 %, in
 * 72 % at 5 % and in 13 % at 10 %: a noisy bench needs more rounds of its own.
 */
export function compareFigures(kept: Readonly<Record<string, Figure>>, rows: readonly BenchRow[]): Comparison {
  const measured = figuresOf(rows);
  const worse = [...measured].flatMap(
    ([
      row,
      {
        row: { unit },
        figure,
      },
    ]) => {
      const known = kept[row];
      if (known === undefined) return [];
      const moreIsBetter = isMoreBetter({ name: row, value: figure, unit });
      const bound = boundOf(known, moreIsBetter);
      const isWorse = moreIsBetter ? figure < bound : figure > bound;
      return isWorse ? [{ row, measured: figure, bound, kept: known }] : [];
    },
  );
  return {
    worse,
    unknown: [...measured.keys()].filter((row) => kept[row] === undefined),
    missing: Object.keys(kept).filter((row) => !measured.has(row)),
  };
}

/** Measures again while something is worse, up to `WORSE_RUNS` runs in total; returns what is worse each time, with the values of the last run. */
export async function stillWorse(
  kept: Readonly<Record<string, Figure>>,
  measure: () => Promise<readonly BenchRow[]>,
): Promise<Comparison> {
  const first = compareFigures(kept, await measure());
  let { worse } = first;
  for (let run = 1; run < WORSE_RUNS && worse.length > 0; run += 1) {
    const again = compareFigures(kept, await measure());
    const before = new Set(worse.map(({ row }) => row));
    worse = again.worse.filter(({ row }) => before.has(row));
  }
  return { ...first, worse };
}
