import { checkOf } from '../../../shared/checks/index.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import type { SettingNeeds } from '../../../shared/model/target.ts';
import { formatCount, formatLevels } from '../../../shared/util/format.ts';
import { named } from '../../../shared/util/named.ts';
import type { ComparedSession } from './pair-cells.ts';
import { warning } from './warnings.ts';

/** A cell with the session that it is of. */
interface Side {
  readonly cell: CellResult;
  readonly of: Pick<ComparedSession, 'target' | 'costs'>;
}

/** Per operation: practically none. */
const NONE = 0.001;
const CODE = 'condition-not-met';

const ONLY: Readonly<Record<SettingNeeds, string>> = {
  writes: 'only when rows are changed, and this load changed none',
  misses: 'only when the server reads data that is not in its cache, and all of it was',
  cached: 'only when the data fits into the cache, and this data is larger',
  rotating: 'only on rotating disks, and the server has none',
};

/** Whether the condition was not met; undefined: not known. */
const UNMET: Readonly<Record<SettingNeeds, (side: Side) => boolean | undefined>> = {
  writes: (side) => below(costOf(side, 'rows_written'), NONE),
  misses: (side) => below(costOf(side, 'cache_misses'), NONE),
  cached: (side) => above(costOf(side, 'data_to_cache'), 1),
  rotating: ({ cell, of }) => {
    const known = (of.target?.(cell.levels)?.hostFacts?.disks ?? []).flatMap(({ rotational }) => rotational ?? []);
    return known.length === 0 ? undefined : !known.includes(true);
  },
};

const costOf = ({ cell, of }: Side, id: string): number | undefined =>
  of.costs?.(cell).find((cost) => cost.id === id)?.value;
const below = (value: number | undefined, limit: number) => (value === undefined ? undefined : value < limit);
const above = (value: number | undefined, limit: number) => (value === undefined ? undefined : value > limit);

/** Settings that differ between two sides and could not have an effect on either, because the condition they need was not met. */
export function conditionFindings(
  a: Side['of'],
  b: Side['of'],
  cells: readonly Pick<ComparedCell, 'baseline' | 'other'>[],
): Finding[] {
  const found = new Map<SettingNeeds, { settings: Set<string>; cells: CellResult[] }>();
  for (const { baseline, other } of cells) {
    if (!baseline || !other) continue;
    const sides: readonly [Side, Side] = [
      { cell: baseline, of: a },
      { cell: other, of: b },
    ];
    for (const [needs, settings] of Map.groupBy(changedSettings(...sides), (each) => each.needs)) {
      if (!sides.every((side) => UNMET[needs](side))) continue;
      const known = found.get(needs) ?? { settings: new Set(), cells: [] };
      found.set(needs, known);
      known.cells.push(other);
      for (const { name } of settings) known.settings.add(name);
    }
  }
  return [...found].map(([needs, { settings, cells: where }]) => {
    const [first] = where;
    const which = formatLevels(first?.levels ?? {});
    const places = [
      ...(where.length < cells.length && which !== '' ? [which] : []),
      ...(where.length < cells.length && where.length > 1 ? [formatCount(where.length - 1, 'more cell')] : []),
    ].join(' and ');
    const verb = settings.size === 1 ? 'differs, but matters' : 'differ, but matter';
    return warning(
      CODE,
      `${named([...settings])} ${verb} ${ONLY[needs]}${places && ` (${places})`}.`,
      checkOf(CODE)?.avoid ?? '',
    );
  });
}

/** Settings with a known need that have other values on the two sides: as they were read back for both cells, else as at the start of both sessions. */
function changedSettings(one: Side, other: Side): { name: string; needs: SettingNeeds }[] {
  const needed = new Map(
    [one, other].flatMap(describedOf).flatMap(({ name, needs }) => (needs ? [[name, needs] as const] : [])),
  );
  return [...needed].flatMap(([name, needs]) => {
    const back = [one, other].map((side) => readBack(side, name));
    const [mine, theirs] = back.some((value) => value !== undefined)
      ? back
      : [one, other].map((side) => describedOf(side).find((setting) => setting.name === name)?.value);
    return mine === undefined || theirs === undefined || mine === theirs ? [] : [{ name, needs }];
  });
}

const describedOf = ({ cell, of }: Side) => of.target?.(cell.levels)?.description?.settings ?? [];
const readBack = ({ cell }: Side, name: string): string | undefined =>
  cell.facts?.find(({ place, what }) => place.kind === 'server' && what === name)?.found.join();
