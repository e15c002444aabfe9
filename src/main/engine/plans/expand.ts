import type { Experiment, Levels } from '../../../shared/model/experiment.ts';
import { type Factor, levelsOf } from '../../../shared/model/factor.ts';
import type { Cell } from '../../../shared/model/plan.ts';
import { applies, inOrderOfConditions, matches, sameLevel } from './conditions.ts';
import { OVERHEAD_SECONDS } from './estimate.ts';

/**
 * The cells of a document, each once: combinations of levels in the order of the factors, the last factor fastest, without excluded ones. A cell
 * has no level of a factor whose condition does not hold in it. One cell when there is no factor.
 */
export function expandCells(experiment: Experiment): Cell[] {
  const { factors, only, exclude = [] } = experiment;
  const all = experiment.design === 'one-at-a-time' ? oneAtATime(experiment) : crossed(factors);
  return inOrder(all, factors)
    .filter((levels) => only === undefined || only.some((pattern) => matches(levels, pattern)))
    .filter((levels) => !exclude.some((pattern) => matches(levels, pattern)))
    .map((levels, index) => ({ index, levels }));
}

/** How many cells there are before any is excluded; with conditions never more than `most` are counted. A slip of the pen must not fill the memory. */
export function countCombinations({ factors, design }: Experiment, most: number): number {
  if (design === 'one-at-a-time') return 1 + factors.reduce((sum, { levels }) => sum + levels.length - 1, 0);
  if (factors.every(({ when }) => when === undefined))
    return factors.reduce((product, { levels }) => product * levels.length, 1);
  let cells: Levels[] = [{}];
  for (const factor of inOrderOfConditions(factors) ?? []) {
    cells = withLevelsOf(cells, factor);
    if (cells.length > most) return cells.length;
  }
  return cells.length;
}

/** A condition only looks at factors before its own, so that no combination arises twice. */
const crossed = (factors: readonly Factor[]): Levels[] =>
  (inOrderOfConditions(factors) ?? []).reduce<Levels[]>(withLevelsOf, [{}]);

const withLevelsOf = (cells: readonly Levels[], factor: Factor): Levels[] =>
  cells.flatMap((cell) =>
    applies(factor, cell) ? levelsOf(factor).map((level) => ({ ...cell, [factor.name]: level })) : [cell],
  );

/** The base, and then each factor with each of its other levels, all others at the base. */
function oneAtATime({ factors, base = {} }: Experiment): Levels[] {
  const ordered = inOrderOfConditions(factors) ?? [];
  const baseOf = (factor: Factor) =>
    levelsOf(factor).find((level) => sameLevel(base[factor.name], level)) ?? levelsOf(factor)[0];
  const around = (varied?: Factor, level?: Levels[string]): Levels => {
    const cell: Levels = {};
    for (const factor of ordered) {
      const own = factor === varied ? level : baseOf(factor);
      if (own !== undefined && applies(factor, cell)) cell[factor.name] = own;
    }
    return cell;
  };
  const varied = factors.flatMap((factor) => levelsOf(factor).map((level) => around(factor, level)));
  const key = (levels: Levels): string => JSON.stringify(factors.map(({ name }) => levels[name] ?? null));
  return [...new Map([around(), ...varied].map((levels) => [key(levels), levels])).values()];
}

/** By the places of their levels, and each with its levels in the order of the factors; no level comes before any. */
function inOrder(cells: readonly Levels[], factors: readonly Factor[]): Levels[] {
  const places = factors.map((factor) => new Map(levelsOf(factor).map((level, place) => [level, place])));
  return cells
    .map((levels) => ({
      levels: Object.fromEntries(
        factors.flatMap(({ name }) => (levels[name] === undefined ? [] : [[name, levels[name]] as const])),
      ),
      at: factors.map(({ name }, index) => {
        const level = levels[name];
        return level === undefined ? -1 : (places[index]?.get(level) ?? -1);
      }),
    }))
    .sort((a, b) => compared(a.at, b.at))
    .map(({ levels }) => levels);
}

const compared = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((place, index) => place !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
};

/** Without what comes before the first trial. `load`: seconds of all trials together; absent: they are equally long. */
export function estimateSeconds(
  trials: number,
  measure: Experiment['measure'],
  load = trials * (measure.warmup + measure.duration),
): number {
  return load + trials * OVERHEAD_SECONDS + Math.max(0, trials - 1) * measure.pause;
}
