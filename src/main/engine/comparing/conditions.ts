import { checkOf } from '../../../shared/checks/index.ts';
import { optionOf } from '../../../shared/model/factor.ts';
import { errorRate } from '../../../shared/model/figure.ts';
import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell } from '../../../shared/model/result.ts';
import { targetsOf } from '../../../shared/model/session-snapshot.ts';
import { toolOfStep } from '../../../shared/model/session-words.ts';
import type { Durability, SettingNeeds } from '../../../shared/model/target.ts';
import { formatBytes, formatCount, formatLevels, formatShort, named } from '../../../shared/util/format.ts';
import { differing, warning } from './found.ts';
import type { ComparedSession } from './pairs.ts';

/** A cell with its session. */
interface Side {
  readonly cell: CellResult;
  readonly of: Pick<ComparedSession, 'target' | 'costs'>;
}

/** Per operation: practically none. */
const NONE = 0.001;
const CODE = 'condition-not-met';

const ONLY: Readonly<Record<SettingNeeds, string>> = {
  writes: 'only when rows change, and this workload changed none',
  misses: 'only when the server reads data outside its cache, and all data was cached',
  cached: 'only when the data fits into the cache, which it does not',
  rotating: 'only on rotating disks, and the server has none',
};

/** Whether the condition was not met; undefined if unknown. */
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

/** Settings with a known need whose values differ between the two sides: as read back for both cells, else as at the start of both sessions. */
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

const LEVELS: Readonly<Record<Durability['level'], string>> = {
  safe: 'safe',
  relaxed: 'relaxed',
  unsafe: 'unsafe',
  unknown: 'unknown',
};

/** Cells with different guarantees after a power cut: the weaker guarantee is faster by itself. */
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
      'A server that does not wait for the disk is faster for that reason alone. Compare with the same durability on both sides.',
    ),
  ];
}

/** Errors of the compared cells: those whose rates differ, else all cells that had any. `differ`: whether rates differ, in the order of the cells. */
export function errorFindings(cells: readonly ComparedCell[], differ: readonly boolean[]): Finding[] {
  const differing = cells.filter((_, index) => differ[index]);
  if (differing.length > 0) {
    const rate = (cell: ComparedCell['other']): string => formatShort((cell && errorRate(cell)) ?? 0);
    const words = differing.map(
      ({ levels, baseline, other }) =>
        `${formatLevels(levels) || 'the only cell'} from ${rate(baseline)} to ${rate(other)} per s`,
    );
    return [
      warning(
        'errors-differ',
        `Errors differ in ${formatCount(differing.length, 'cell')}: ${named(words)}.`,
        'Failed operations are not completed work: examine the errors before comparing figures.',
      ),
    ];
  }
  const erroneous = cells.filter(({ baseline, other }) => baseline && other && baseline.errors + other.errors > 0);
  if (erroneous.length === 0) return [];
  return [
    {
      code: 'errors-compared',
      severity: 'note',
      message: `Errors in ${formatCount(erroneous.length, 'compared cell')}: ${named(erroneous.map(({ levels }) => formatLevels(levels) || 'the only cell'))}.`,
      next: 'Their rates are indistinguishable, but failed operations are not completed work.',
    },
  ];
}

/** Data that is larger by less than this share costs the same. */
const SAME_SIZE = 0.1;

/** Options in force that differ, without those that either session varies. */
export function differentOptions(
  a: ComparedSession,
  b: ComparedSession,
): { title: string; values: readonly [string, string] }[] {
  const varied = new Set([a, b].flatMap(({ detail }) => detail.experiment.factors.map(optionOf)));
  const [left, right] = [a, b].map(({ workload }) => workload?.options ?? new Map()) as [Options, Options];
  return [...left].flatMap(([name, { title, value }]) => {
    const values = varied.has(name) ? undefined : differing(value, right.get(name)?.value);
    return values ? [{ title, values }] : [];
  });
}
type Options = NonNullable<ComparedSession['workload']>['options'];

/** Longer values, such as scripts and statements, would hide their sentence. */
const LONGEST_VALUE = 40;

const shortValues = (values: readonly string[]): string =>
  values.some((value) => value.length > LONGEST_VALUE || value.includes('\n')) ? '' : ` (${values.join(' and ')})`;

/** The tool of the compared step. */
export const toolOf = ({ detail, result }: Pick<ComparedSession, 'detail' | 'result'>): string =>
  toolOfStep(detail.session, result.step);

/** Options and distributions that differ between the two workloads. */
export function differentWorkloads(a: ComparedSession, b: ComparedSession): Finding[] {
  if (toolOf(a) !== toolOf(b)) return [];
  const accesses = differing(a.workload?.accesses, b.workload?.accesses);
  const options = differentOptions(a, b).map(({ title, values }) => `${title}${shortValues(values)}`);
  return [
    ...(options.length > 0
      ? [
          warning(
            'different-workloads',
            `The workload differs in ${named(options)}.`,
            'The two sides do different work. Compare them only to see the effect of this difference.',
          ),
        ]
      : []),
    ...(accesses
      ? [
          warning(
            'different-distributions',
            `Access distributions differ: ${accesses.join(', and ')}.`,
            'They decide the cache hit rate. Use the same distribution for both.',
          ),
        ]
      : []),
  ];
}

/** Size of the largest of its targets. Undefined if one does not report it. */
function bytesOf(detail: ComparedSession['detail']): number | undefined {
  const sizes = targetsOf(detail).map(({ description }) => description?.dataBytes);
  const known = sizes.flatMap((size) => size ?? []);
  return known.length === 0 || known.length < sizes.length ? undefined : Math.max(...known);
}

/** Data that is different, or of a different size. */
export function differentData(a: ComparedSession, b: ComparedSession): Finding[] {
  const data = differing(a.workload?.data, b.workload?.data);
  const [one = 0, other = 0] = [a, b].map(({ detail }) => bytesOf(detail));
  const [less, more] = [Math.min(one, other), Math.max(one, other)];
  const sizes =
    less > 0 && more > less * (1 + SAME_SIZE)
      ? `${formatBytes(one)} and ${formatBytes(other)} in the database`
      : undefined;
  if (!data && !sizes) return [];
  return [
    warning(
      'different-data',
      `Data differs: ${data ? data.join(', and ') : sizes}.`,
      'Data that fits into memory on one side may not fit on the other. Compare with the same data.',
    ),
  ];
}
