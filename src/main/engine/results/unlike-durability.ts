import type { Finding } from '../../../shared/model/finding.ts';
import type { ComparedCell } from '../../../shared/model/result.ts';
import type { Durability } from '../../../shared/model/target.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import type { ComparedSession } from './pair-cells.ts';
import { warning } from './warnings.ts';

const LEVELS: Readonly<Record<Durability['level'], string>> = {
  safe: 'safe',
  relaxed: 'relaxed',
  unsafe: 'unsafe',
  unknown: 'not known',
};

/** Cells that do not promise the same after a power cut: the one that promises less is faster for that. */
export function differentDurability(
  a: Pick<ComparedSession, 'durability'>,
  b: Pick<ComparedSession, 'durability'>,
  cells: readonly ComparedCell[],
): Finding[] {
  const found = cells.flatMap(({ baseline, other }) => {
    const [one, two] = [baseline && a.durability?.(baseline.levels), other && b.durability?.(other.levels)];
    return one && two && one.level !== two.level ? [{ one, two, levels: other?.levels ?? {} }] : [];
  });
  const [first] = found;
  if (!first) return [];
  const some = found.length < cells.length ? ` in ${formatCount(found.length, 'cell')}` : '';
  const isOne = some === '' && new Set(found.map(({ one, two }) => `${one.level} ${two.level}`)).size === 1;
  const other = isOne ? 'the other' : formatLevels(first.levels) || 'the other';
  return [
    warning(
      'different-durability',
      `Durability differs${some}: ${LEVELS[first.one.level]} in the baseline, ${LEVELS[first.two.level]} in ${other}. Baseline: ${first.one.why} Other: ${first.two.why}`,
      'What does not wait for the disk is faster for that alone. Compare with the same durability on both sides.',
    ),
  ];
}
