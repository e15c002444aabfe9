import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell, Comparison } from '../../../shared/model/result.ts';
import { factName, foundWords } from '../../../shared/model/run-facts.ts';
import { formatCount, formatLevels, NO_VALUE } from '../../../shared/util/format.ts';
import { named } from '../../../shared/util/named.ts';
import { warning } from './warnings.ts';

type Found = NonNullable<CellResult['facts']>[number];
type Sides = Record<'baseline' | 'other', ReadonlyMap<string, Found>>;

/**
 * What was read back of hosts and servers, of both sides of a cell, by what it is. Where each side has one server (or host), these meet
 * whatever they are called.
 */
function sidesOf({ baseline, other }: Pick<ComparedCell, 'baseline' | 'other'>): Sides {
  const placesOf = (cell: CellResult | undefined, kind: string): Set<string> =>
    new Set((cell?.facts ?? []).flatMap(({ place }) => (place.kind === kind ? [place.name] : [])));
  const isOne = (kind: string): boolean => placesOf(baseline, kind).size < 2 && placesOf(other, kind).size < 2;
  const keyOf = (found: Found): string =>
    isOne(found.place.kind) ? `${found.place.kind}: ${found.what}` : factName(found);
  const byKey = (cell: CellResult | undefined) => new Map((cell?.facts ?? []).map((found) => [keyOf(found), found]));
  return { baseline: byKey(baseline), other: byKey(other) };
}

const wordsOf = (found: Found | undefined): string => (found ? foundWords(found) : NO_VALUE);

/** Things of hosts and servers that were read back otherwise on the two sides, over all cells that meet. */
export function foundDifferences(cells: readonly ComparedCell[]): Comparison['differences'] {
  const values = new Map<string, { baseline: Set<string>; other: Set<string> }>();
  for (const cell of cells) {
    if (!cell.baseline || !cell.other) continue;
    const sides = sidesOf(cell);
    for (const key of new Set([...sides.baseline.keys(), ...sides.other.keys()])) {
      const [mine, theirs] = [wordsOf(sides.baseline.get(key)), wordsOf(sides.other.get(key))];
      if (mine === theirs) continue;
      const each = values.get(key) ?? { baseline: new Set(), other: new Set() };
      values.set(key, each);
      each.baseline.add(mine);
      each.other.add(theirs);
    }
  }
  return [...values].map(([key, { baseline, other }]) => ({
    what: `Read back, ${key}`,
    baseline: [...baseline].join(', '),
    other: [...other].join(', '),
  }));
}

/** Cells of the same levels under which other values were found: what their label says is not what was measured. */
export function foundOtherwise(cells: readonly ComparedCell[]): Finding[] {
  const found = new Map<string, CellResult[]>();
  for (const { baseline, other } of cells) {
    if (!baseline || !other || !sameLevels(baseline, other)) continue;
    const sides = sidesOf({ baseline, other });
    for (const [key, mine] of sides.baseline) {
      const theirs = sides.other.get(key);
      if (!theirs || foundWords(mine) === foundWords(theirs)) continue;
      const words = `${key} is ${foundWords(mine)} and ${foundWords(theirs)}`;
      found.set(words, [...(found.get(words) ?? []), baseline]);
    }
  }
  const words = [...found].map(([each, [first, ...more]]) => {
    const levels = formatLevels(first?.levels ?? {}) || 'the only cell';
    return `${each} (${levels}${more.length > 0 ? ` and ${formatCount(more.length, 'more cell')}` : ''})`;
  });
  if (words.length === 0) return [];
  return [
    warning(
      'found-otherwise',
      `The same levels were measured under other values: ${named(words)}.`,
      'These cells have the same label and not the same set-up. Measure one side again with the values of the other.',
    ),
  ];
}

const sameLevels = (one: CellResult, other: CellResult): boolean => {
  const [mine, theirs] = [Object.entries(one.levels), Object.entries(other.levels)];
  return mine.length === theirs.length && mine.every(([name, level]) => String(other.levels[name]) === String(level));
};

/** Cells whose own repeats were measured under several values of a thing. */
export function foundInCell(cells: readonly Pick<CellResult, 'levels' | 'facts'>[]): Finding[] {
  const words = cells.flatMap(({ levels, facts = [] }) =>
    facts.flatMap((thing) =>
      thing.found.length > 1 ? [`${factName(thing)} was ${foundWords(thing)} (${formatLevels(levels)})`] : [],
    ),
  );
  if (words.length === 0) return [];
  return [
    warning(
      'found-differs-in-cell',
      `Repeats of one cell were measured under different values: ${named(words)}.`,
      'Their mean is of different set-ups. See Runs for which run had which.',
    ),
  ];
}
