import type { Levels, Scalar } from '../model/experiment.ts';
import { lineKeys } from './levels.ts';
import { ladderFactor } from './of-session.ts';

type Value = number | null;

/** More lines than this are one grey band at the size of a word. */
const MOST_CURVES = 12;

/**
 * Figures of cells by load curve, as the large chart joins them: one list for each combination of the other factors, along the levels of the
 * factor that makes the curve; null where a cell was excluded or has no figure. Of many combinations the first twelve. `cells` by index.
 */
export function curvesOf(
  factors: readonly { readonly name: string; readonly levels: readonly Scalar[] }[],
  cells: readonly { readonly index: number; readonly levels: Levels }[],
  values: readonly Value[],
): Value[][] {
  const x = ladderFactor(factors);
  if (!x) return [[...values]];
  const keys = lineKeys(factors.filter((factor) => factor !== x)).slice(0, MOST_CURVES);
  return keys.map((key) => {
    const line = new Array<Value>(x.levels.length).fill(null);
    for (const { index, levels } of cells) {
      if (!Object.entries(key).every(([name, level]) => levels[name] === level)) continue;
      line[x.levels.indexOf(levels[x.name] as Scalar)] = values[index] ?? null;
    }
    return line;
  });
}
