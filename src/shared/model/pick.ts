import { z } from 'zod';

/**
 * Rule for the figure that a cell shows. `best` and `second-best` follow the better direction of the metric; `all`: each repeat by itself,
 * without a figure for the cell.
 */
export const PickRule = z.enum(['mean', 'median', 'best', 'second-best', 'all']);
export type PickRule = z.infer<typeof PickRule>;

/** Every rule except the default. */
export const ChosenPick = PickRule.exclude(['mean']);
export type ChosenPick = z.infer<typeof ChosenPick>;

/** Words for the head of a column, or following the name of a metric. */
export const PICK_WORDS: Readonly<Record<ChosenPick, string>> = {
  median: 'median of the repeats',
  best: 'best repeat',
  'second-best': 'second-best repeat',
  all: 'each repeat',
};

/** The rule in force for a metric; undefined for the default, and for `best` if the metric has no better direction. */
export function pickFor(
  rule: PickRule | undefined,
  { better }: { better: 'higher' | 'lower' | 'neither' },
): ChosenPick | undefined {
  if (rule === undefined || rule === 'mean') return undefined;
  return better === 'neither' && (rule === 'best' || rule === 'second-best') ? undefined : rule;
}

/** The figure that a rule picks; undefined if there is none: with `all`, or without a second repeat. */
export function picked(
  rule: ChosenPick,
  repeats: readonly number[],
  { better }: { better: 'higher' | 'lower' | 'neither' },
): number | undefined {
  const ascending = [...repeats].sort((one, other) => one - other);
  switch (rule) {
    case 'all':
      return undefined;
    case 'median': {
      const [low, high] = [Math.floor, Math.ceil].map((round) => ascending[round((ascending.length - 1) / 2)]);
      return low === undefined || high === undefined ? undefined : (low + high) / 2;
    }
    default: {
      const place = rule === 'best' ? 0 : 1;
      return better === 'lower' ? ascending[place] : ascending.at(-1 - place);
    }
  }
}
