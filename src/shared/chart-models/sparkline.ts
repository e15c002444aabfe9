import type { Levels, Scalar } from '../model/experiment.ts';
import { isNumber } from '../util/format.ts';
import { type FactorLevels, inOrder, isOf, lineKeys } from './levels.ts';
import { ladderFactor } from './of-session.ts';

type Values = readonly (number | null | undefined)[];

/** Width of the bar of a figure without neighbours. */
const BAR = 4;

/**
 * Path of a small line (SVG `d`) through `values` in a box of `width` × `height`, from zero to `top`; gaps for missing values, bars for
 * values between gaps.
 */
export function sparklinePath(values: Values, width: number, height: number, top = highest([values])): string {
  if (!values.some(isNumber)) return '';
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  let pen = 'M';
  let path = '';
  values.forEach((value, index) => {
    if (!isNumber(value)) {
      pen = 'M';
      return;
    }
    const x = values.length > 1 ? index * step : width / 2;
    const y = height - (Math.max(0, value) / top) * height;
    const alone = !isNumber(values[index - 1]) && !isNumber(values[index + 1]);
    path += alone
      ? `M${(x - BAR / 2).toFixed(1)} ${height}V${y.toFixed(1)}h${BAR}V${height}`
      : `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = 'L';
  });
  return path;
}

const highest = (lines: readonly Values[]): number => Math.max(0, ...lines.flat().filter(isNumber)) || 1;

/** Several curves on one scale: a path for each that has a value. `best`: it contains the named value. */
export function sparklines(
  curves: readonly Values[],
  size: { width: number; height: number },
  best?: number,
): { path: string; best: boolean }[] {
  const top = highest(curves);
  const distance = (curve: Values): number =>
    Math.min(...curve.filter(isNumber).map((value) => Math.abs(value - (best ?? Number.NaN))));
  const distances = curves.map(distance);
  const nearest = Math.min(...distances.filter(Number.isFinite));
  return curves
    .map((curve, index) => ({
      path: sparklinePath(curve, size.width, size.height, top),
      best: curves.length === 1 || distances[index] === nearest,
    }))
    .filter(({ path }) => path !== '');
}

type Value = number | null;

/** With more lines, they merge into a grey band at the size of a word. */
const MOST_CURVES = 12;

/**
 * Figures of cells by load curve, as the large chart joins them: one list for each combination of the other factors, along the levels of
 * the factor of the curve in numeric order; null if a cell was excluded or has no figure. Levels that are names form no curve: nulls
 * between them make them bars. With many combinations, only the first twelve. `cells` by index.
 */
export function curvesOf(
  factors: readonly FactorLevels[],
  cells: readonly { readonly index: number; readonly levels: Levels }[],
  values: readonly Value[],
): Value[][] {
  const x = ladderFactor(factors);
  if (!x) return [[...values]];
  const order = inOrder(x.levels);
  const apart = order.every((level) => typeof level === 'number') ? 1 : 2;
  const others = factors.filter((factor) => factor !== x);
  const keys = lineKeys(others).filter((key) => cells.some(({ levels }) => isOf(key, levels, others)));
  return keys.slice(0, MOST_CURVES).map((key) => {
    const line = new Array<Value>(Math.max(0, order.length * apart - (apart - 1))).fill(null);
    for (const { index, levels } of cells) {
      const place = order.indexOf(levels[x.name] as Scalar);
      if (place >= 0 && isOf(key, levels, others)) line[place * apart] = values[index] ?? null;
    }
    return line;
  });
}
