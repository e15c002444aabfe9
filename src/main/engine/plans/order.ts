import { matches } from '../../../shared/model/cells.ts';
import type { Experiment, Measure } from '../../../shared/model/experiment.ts';
import type { Cell, Trial } from '../../../shared/model/plan.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { trialSeed } from './seeds.ts';

/** Cells that need the same costly changes. */
type Block = readonly Cell[];
type Planned = Omit<Trial, 'index' | 'seed'>;

/**
 * Every repeat of every cell in the order of execution: a whole group (cells that can use the same data) before the next one, and its
 * blocks in the order of `measure.blocks`. `canary` is a cell that is measured repeatedly in between.
 */
export function orderTrials(groups: readonly (readonly Block[])[], measure: Measure, canary?: Cell): Trial[] {
  const random = randomFrom(measure.seed);
  const ordered = measure.order === 'shuffled' ? shuffle([...groups], random) : groups;
  const trials = ordered.flatMap((blocks) => orderGroup(blocks, measure, random));
  return withCanary(trials, measure, canary).map((trial, index) => ({
    index,
    ...trial,
    seed: trialSeed(measure, trial),
  }));
}

function orderGroup(blocks: readonly Block[], measure: Measure, random: () => number): Planned[] {
  const repeats = Array.from({ length: measure.repeats }, (_, repeat) => repeat);
  if (measure.blocks === 'rounds')
    return repeats.flatMap((repeat) =>
      turned(blocks, measure, repeat, random).flatMap((block) => roundOf(block, measure, repeat, random)),
    );
  return turned(blocks, measure, 0, random).flatMap((block) =>
    measure.order === 'listed'
      ? block.flatMap(({ index }) => repeats.map((repeat) => ({ cell: index, repeat })))
      : repeats.flatMap((repeat) => roundOf(block, measure, repeat, random)),
  );
}

const roundOf = (block: Block, measure: Measure, repeat: number, random: () => number): Planned[] =>
  turned(block, measure, repeat, random).map(({ index }) => ({ cell: index, repeat }));

/** One round of cells or blocks: in the given order, in random order, or alternately backwards. */
function turned<T>(items: readonly T[], { order }: Measure, round: number, random: () => number): T[] {
  if (order === 'shuffled') return shuffle([...items], random);
  return order === 'interleaved' && round % 2 === 1 ? [...items].reverse() : [...items];
}

/** Adds the canary before the first trial, at every interval, and after the last one. Its repeats are numbered after those of its cell. */
function withCanary(trials: readonly Planned[], { canary, repeats }: Measure, cell: Cell | undefined): Planned[] {
  if (!canary || !cell) return [...trials];
  let next = repeats;
  const canaryTrial = (): Planned => ({ cell: cell.index, repeat: next++, canary: true });
  return [
    ...trials.flatMap((trial, index) => (index % canary.every === 0 ? [canaryTrial(), trial] : [trial])),
    ...(trials.length > 0 ? [canaryTrial()] : []),
  ];
}

/** Number of trials for this many cells. */
export function countTrials(cells: number, { repeats, canary }: Measure): number {
  const trials = cells * repeats;
  return trials + (canary && trials > 0 ? Math.ceil(trials / canary.every) + 1 : 0);
}

/** The canary's cell. Undefined without a canary, or if no cell has its levels. */
export function canaryCell<Own extends Cell>(
  { measure: { canary } }: Experiment,
  cells: readonly Own[],
): Own | undefined {
  if (!canary) return undefined;
  const { cell = {} } = canary;
  return Object.keys(cell).length === 0 ? cells[0] : cells.find(({ levels }) => matches(levels, cell));
}

/** Fisher and Yates, in place. */
export function shuffle<T>(items: T[], random: () => number): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [items[i], items[j]] = [items[j] as T, items[i] as T];
  }
  return items;
}
