import { isNumber } from '../util/format.ts';

type Values = readonly (number | null | undefined)[];

/** Width of a figure without neighbours. */
const DASH = 4;

/**
 * Path of a small line (SVG `d`) through `values` in a box of `width` × `height`, from zero to `top`; gaps for missing values, dashes for
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
    path += alone ? `M${(x - DASH / 2).toFixed(1)} ${y.toFixed(1)}h${DASH}` : `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
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
