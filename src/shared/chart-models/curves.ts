import type { Levels, Scalar } from '../model/experiment.ts';
import { type FactorLevels, inOrder, isOf, lineKeys } from './levels.ts';
import { ladderFactor } from './of-session.ts';

type Value = number | null;

/** With more lines, they merge into a grey band at the size of a word. */
const MOST_CURVES = 12;

/**
 * Figures of cells by load curve, as the large chart joins them: one list for each combination of the other factors, along the levels of
 * the factor of the curve in numeric order; null if a cell was excluded or has no figure. Levels that are names form no curve: nulls
 * between them make them dots. With many combinations, only the first twelve. `cells` by index.
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
