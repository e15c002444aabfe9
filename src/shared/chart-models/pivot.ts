import type { Levels, Scalar } from '../model/experiment.ts';
import type { CellResult, SessionResult } from '../model/result.ts';
import { inOrder } from './levels.ts';
import { changeColours, heatColours } from './theme.ts';

/** Factors of rows and columns. `fixed`: one level of each other factor; undefined: only cells without a level of it. */
export interface PivotChoice {
  readonly rows: string;
  /** Absent: a single column. */
  readonly columns?: string | undefined;
  readonly fixed: Readonly<Record<string, Scalar | undefined>>;
}

/** A level of a factor; undefined: cells without one. */
type Place = Scalar | undefined;

export interface Pivot {
  readonly rows: readonly Place[];
  readonly columns: readonly Place[];
  /** By row, then by column; undefined if no such cell was measured. */
  readonly cells: readonly (readonly (CellResult | undefined)[])[];
}

/** Levels of a factor in order, then, if there are cells without one, undefined. */
export function placesIn({ factors, cells }: Pick<SessionResult, 'factors' | 'cells'>, name: string): Place[] {
  const factor = factors.find((each) => each.name === name);
  const without = cells.some(({ levels }) => levels[name] === undefined);
  return [...inOrder(factor?.levels ?? []), ...(without ? [undefined] : [])];
}

/** The cells of a session as rows and columns of two factors. */
export function pivotOf(
  result: Pick<SessionResult, 'factors' | 'cells'>,
  { rows, columns, fixed }: PivotChoice,
): Pivot {
  const others = result.factors.map(({ name }) => name).filter((name) => name !== rows && name !== columns);
  // A fixed level does not hide cells that its factor does not apply to.
  const isFixed = (levels: Levels): boolean =>
    others.every((name) => levels[name] === undefined || levels[name] === fixed[name]);
  const shown = result.cells.filter(({ levels }) => isFixed(levels));
  const [down, across] = [placesIn(result, rows), columns === undefined ? [undefined] : placesIn(result, columns)];
  return {
    rows: down,
    columns: across,
    cells: down.map((row) =>
      across.map((column) =>
        shown.find(({ levels }) => levels[rows] === row && (columns === undefined || levels[columns] === column)),
      ),
    ),
  };
}

/** Background of a table cell, and a readable ink. */
export interface Tile {
  readonly ground: string;
  readonly ink: string;
}

const BLACK = '#10151a';
const WHITE = '#ffffff';

/** Relative luminance of a colour (sRGB, ITU-R BT.709). */
function lightOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (from) => Number.parseInt(colour.slice(from, from + 2), 16) / 255,
  );
  const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Ink with the higher contrast. */
const tile = (ground: string): Tile => ({ ground, ink: lightOf(ground) > 0.18 ? BLACK : WHITE });

const at = (scale: readonly string[], share: number): string =>
  scale[Math.round(Math.min(1, Math.max(0, share)) * (scale.length - 1))] ?? WHITE;

/** Colours of values from the lowest to the highest: by their logarithms if all are above zero and a factor of ten apart. */
export function valueTiles(values: readonly (number | undefined)[]): (Tile | undefined)[] {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const scaled = (value: number): number => (low > 0 && high / low >= 10 ? Math.log(value) : value);
  return values.map((value) =>
    value === undefined
      ? undefined
      : tile(at(heatColours, high > low ? (scaled(value) - scaled(low)) / (scaled(high) - scaled(low)) : 0.5)),
  );
}

/** This ratio and its inverse have the strongest colours at least. */
const LEAST_REACH = 1.1;

/** Colours of ratios around 1, symmetric with the reach of the farthest one; on a logarithmic scale. */
export function ratioTiles(ratios: readonly (number | undefined)[]): (Tile | undefined)[] {
  const known = ratios.filter((ratio) => ratio !== undefined && ratio > 0) as number[];
  const reach = Math.max(Math.log(LEAST_REACH), ...known.map((ratio) => Math.abs(Math.log(ratio))));
  return ratios.map((ratio) =>
    ratio === undefined || ratio <= 0 ? undefined : tile(at(changeColours, 0.5 + Math.log(ratio) / (2 * reach))),
  );
}
