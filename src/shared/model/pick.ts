import { z } from 'zod';

/**
 * Which figure of its repeats a cell shows. `best` and `second-best` follow what is better for the metric; `all`: each repeat by itself, and no
 * figure for the cell.
 */
export const PickRule = z.enum(['mean', 'median', 'best', 'second-best', 'all']);
export type PickRule = z.infer<typeof PickRule>;

/** Every rule but the usual one. */
export const ChosenPick = PickRule.exclude(['mean']);
export type ChosenPick = z.infer<typeof ChosenPick>;

/** As it stands at the head of a column or behind the name of a metric. */
export const PICK_WORDS: Readonly<Record<ChosenPick, string>> = {
  median: 'median of the repeats',
  best: 'best repeat',
  'second-best': 'second-best repeat',
  all: 'each repeat',
};

/** The rule in force for a metric; undefined: the usual one, also for the best where neither more nor less is better. */
export function pickFor(
  rule: PickRule | undefined,
  { better }: { better: 'higher' | 'lower' | 'neither' },
): ChosenPick | undefined {
  if (rule === undefined || rule === 'mean') return undefined;
  return better === 'neither' && (rule === 'best' || rule === 'second-best') ? undefined : rule;
}

/** The figure that a rule picks; undefined where there is none: each repeat by itself, or no second one. */
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
