import type { Finding } from '../../../shared/model/finding.ts';
import type { CellResult, ComparedCell, Comparison } from '../../../shared/model/result.ts';
import {
  compressionOf,
  type FactsSnapshot,
  processDifferences,
  type StoragePlace,
  type TargetFacts,
  targetsOf,
} from '../../../shared/model/session-snapshot.ts';
import { factName, foundWords } from '../../../shared/model/session-words.ts';
import { IN_MEMORY, inMemoryWords } from '../../../shared/model/storage-words.ts';
import { formatCount, formatLevels, formatNumber, NO_VALUE, named } from '../../../shared/util/format.ts';

/** A warning of a comparison: the observation, and what to do about it. */
export const warning = (code: string, message: string, next: string): Finding => ({
  code,
  severity: 'warn',
  message,
  next,
});

/** Both values if they differ: both are known, and not the same. */
export function differing<Value>(
  one: Value | undefined,
  other: Value | undefined,
): readonly [Value, Value] | undefined {
  return one === undefined || other === undefined || one === other ? undefined : [one, other];
}

/** From these ratios on, a sample of rows is reported as easily compressible, and as compressible to next to nothing. */
const EASY = 4;
const NOTHING = 20;

/** Findings against the facts of a session: empty or compressible data, and servers of its cells that were started differently. */
export const factFindings = (facts: Pick<FactsSnapshot, 'target' | 'targets' | 'places'>): Finding[] => {
  const targets = targetsOf(facts);
  return [...(facts.places ?? []).flatMap(memoryFindings), ...targets.flatMap(dataFindings), ...startFindings(targets)];
};

/** A folder that the tool measures in memory. */
function memoryFindings({ host, path, target, fileSystem }: StoragePlace): Finding[] {
  if (target !== undefined || !fileSystem || !IN_MEMORY.includes(fileSystem.type)) return [];
  return [{ severity: 'warn', ...inMemoryWords(host, path, fileSystem.type) }];
}

function dataFindings({ name, tables = [] }: TargetFacts): Finding[] {
  const sampled = tables.filter(({ sample }) => sample !== undefined);
  if (sampled.length === 0) return [];
  if (sampled.every(({ sample }) => sample?.rows === 0))
    return [
      warning(
        'tables-empty',
        `The tables of “${name}” have no rows (${named(sampled.map((table) => table.name))}).`,
        'Prepare data first: every statement on empty tables is cheap.',
      ),
    ];
  const [most] = sampled
    .flatMap((table) => ({ table, ratio: compressionOf(table) ?? 0 }))
    .toSorted((one, other) => other.table.bytes - one.table.bytes);
  if (!most || most.ratio < EASY) return [];
  const { table, ratio } = most;
  return [
    {
      code: 'data-compresses',
      severity: ratio >= NOTHING ? 'warn' : 'note',
      message: `The rows of ${table.name} compress to a ${ratio >= NOTHING ? `${formatNumber(ratio)}th, to next to nothing` : `${formatNumber(ratio, 1)}th`}: with compression in the engine, file system or device, much less data is read and written.`,
      evidence: `first ${formatCount(table.sample?.rows ?? 0, 'row')}: ${formatNumber(table.sample?.bytes)} bytes, ${formatNumber(table.sample?.packed)} after deflate`,
      next: 'Report the ratio with the result, or use data as varied as in production.',
    },
  ];
}

/** Differences in how two servers were started; a fact that one side does not report is no difference. */
export const startDifferences = (one: TargetFacts, other: TargetFacts): string[] => {
  const started = differing(one.server?.started, other.server?.started);
  return [...(started ? [`started ${started.join(' and ')}`] : []), ...processDifferences(one.process, other.process)];
};

/** Cells that use several servers also compare how these were started. */
function startFindings([first, ...others]: readonly TargetFacts[]): Finding[] {
  return others.flatMap((other) => {
    const differing = first && first.kind === other.kind ? startDifferences(first, other) : [];
    if (!first || differing.length === 0) return [];
    return [
      warning(
        'started-otherwise',
        `The servers of “${first.name}” and “${other.name}” were started differently: ${named(differing)}.`,
        'Start both in the same way, or treat this as part of the comparison.',
      ),
    ];
  });
}

/** The TLS of a target, without the part that concerns this app alone. */
const tlsOf = ({ description }: TargetFacts): string | undefined =>
  description?.encrypted === undefined
    ? undefined
    : description.encrypted
      ? (description.tls ?? 'on').replace(/, certificate .*$/, '')
      : 'none';

/** Round trips that differ by less than this share, or by less than this many milliseconds, cost the same. */
const SAME_TRIP = 0.25;
const SAME_TRIP_MS = 0.1;

/** Differences between tool and server on two sides, and in how both servers were started. */
export function differentWays(a: Pick<FactsSnapshot, 'target' | 'targets'>, b: typeof a): Finding[] {
  const [[one, ...more], [other, ...others]] = [targetsOf(a), targetsOf(b)];
  // Several targets are compared cell by cell: which of them meet is unknown here.
  if (!one || !other || more.length > 0 || others.length > 0) return [];
  const start = startDifferences(one, other);
  const tls = differing(tlsOf(one), tlsOf(other));
  const library = differing(one.description?.tlsLibrary, other.description?.tlsLibrary);
  const [near, far] = [one, other]
    .map(({ roundTrips }) => roundTrips && Math.min(...roundTrips.map(({ ms }) => ms)))
    .toSorted((x = 0, y = 0) => x - y);
  return [
    ...(start.length > 0
      ? [
          warning(
            'different-start',
            `The servers were started differently: ${named(start)}.`,
            'Start both in the same way, or report this with the result.',
          ),
        ]
      : []),
    ...(tls || library
      ? [
          warning(
            'different-encryption',
            `Encryption differs: ${[...(tls ? [tls.join(' and ')] : []), ...(library ? [`library ${library.join(' and ')}`] : [])].join(', ')}.`,
            'Use the same encryption on both sides, unless it is under test.',
          ),
        ]
      : []),
    ...(near !== undefined && far !== undefined && far - near > SAME_TRIP_MS && far > near * (1 + SAME_TRIP)
      ? [
          warning(
            'different-round-trips',
            `A round trip to the target takes ${formatNumber(near, 3)} ms on one side and ${formatNumber(far, 3)} ms on the other.`,
            'With few clients this alone makes a difference: use generators at the same distance.',
          ),
        ]
      : []),
  ];
}

type Found = NonNullable<CellResult['facts']>[number];
type Sides = Record<'baseline' | 'other', ReadonlyMap<string, Found>>;

/**
 * Values read back from hosts and servers on both sides of a cell, by key. If each side has one server (or host), they are compared whatever their
 * names.
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

/** Settings of hosts and servers that were read back differently on the two sides, over all compared cells. */
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

/** Cells with the same levels but different values read back: their label does not match what was measured. */
export function mismatchFindings(cells: readonly ComparedCell[]): Finding[] {
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
      `Same levels, but settings differ: ${named(words)}.`,
      'These cells share a label but not a set-up. Measure one side again with the values of the other.',
    ),
  ];
}

const sameLevels = (one: CellResult, other: CellResult): boolean => {
  const [mine, theirs] = [Object.entries(one.levels), Object.entries(other.levels)];
  return mine.length === theirs.length && mine.every(([name, level]) => String(other.levels[name]) === String(level));
};

/** Cells whose own repeats were measured with several values of a setting. */
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
      `Repeats of one cell ran with different settings: ${named(words)}.`,
      'Their mean mixes set-ups. See Runs for the values of each run.',
    ),
  ];
}
