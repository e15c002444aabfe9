import type { Capture, CapturedTable, ComparedCounters, CounterDifference } from '../model/capture.ts';
import { formatCount } from '../util/format.ts';

type Cell = CapturedTable['rows'][number][number];

const isNumber = (value: Cell | undefined): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)));

const isText = (value: Cell | undefined): boolean => value !== null && value !== undefined && !isNumber(value);

const WHOLE = /^-?\d+$/;
/** Larger whole numbers are not exact as JavaScript numbers. */
const wholeOf = (value: Cell | undefined): bigint | undefined =>
  typeof value === 'string' && value.length < 40 && WHOLE.test(value)
    ? BigInt(value)
    : Number.isSafeInteger(value)
      ? BigInt(value as number)
      : undefined;

type Sum = bigint | number;
const plus = (one: Sum, other: Sum): Sum =>
  typeof one === 'bigint' && typeof other === 'bigint' ? one + other : Number(one) + Number(other);
const minus = (one: Sum, other: Sum): number =>
  typeof one === 'bigint' && typeof other === 'bigint'
    ? Number(one - other)
    : // Decimals of a server are not floating-point numbers: 1.1 − 0.1 is 1.
      Number((Number(one) - Number(other)).toPrecision(12));

interface Split {
  readonly keys: readonly number[];
  readonly counters: readonly number[];
}

/** A column with this name contains the values of its table, some of which may be texts: SHOW GLOBAL STATUS. */
const OF_VALUES = /^(?:variable_)?values?$/i;
/** Minimum share of numbers for a column with texts to be a counter, next to one with only texts. */
const MOSTLY = 0.5;

/**
 * Key and counter columns: keys are the configured ones, otherwise all that contain texts; without any, the first. A column with a few
 * texts is also a counter if another one identifies the rows.
 */
function splitOf({ columns, rows }: CapturedTable, wanted: readonly string[] | undefined): Split {
  const all = columns.map((_, index) => index);
  const lower = wanted?.map((name) => name.toLowerCase());
  const named = all.filter((index) => lower?.includes(columns[index]?.toLowerCase() ?? ''));
  const shares = all.map((index) => {
    const known = rows.filter((row) => row[index] !== null && row[index] !== undefined);
    return known.length === 0 ? 0 : known.filter((row) => isNumber(row[index])).length / known.length;
  });
  const isKeyed = named.length > 0 || all.some((index) => shares[index] === 0 && rows.length > 0);
  const isCounter = (index: number): boolean => {
    const share = shares[index] ?? 0;
    return share === 1 || (isKeyed && share > 0 && (share >= MOSTLY || OF_VALUES.test(columns[index] ?? '')));
  };
  const worded = all.filter((index) => !isCounter(index));
  const keys = named.length > 0 ? named : worded.length > 0 ? worded : all.slice(0, 1);
  return { keys, counters: all.filter((index) => !keys.includes(index) && isCounter(index)) };
}

/** Values of a row; undefined: a text. */
type Sums = (Sum | undefined)[];

/** Sums by key: several rows with the same key are combined. Rows of only texts are not counted. */
function sumsOf({ rows }: CapturedTable, { keys, counters }: Split): Map<string, { key: string[]; sums: Sums }> {
  const found = new Map<string, { key: string[]; sums: Sums }>();
  for (const row of rows) {
    const values = counters.map((index): Sum | undefined => {
      const value = row[index] ?? 0;
      return isNumber(value) ? (wholeOf(value) ?? Number(value)) : undefined;
    });
    if (values.length > 0 && values.every((value) => value === undefined)) continue;
    const key = keys.map((index) => String(row[index] ?? ''));
    const name = JSON.stringify(key);
    const before = found.get(name);
    const sums = before?.sums.map((sum, place) => {
      const value = values[place];
      return sum === undefined || value === undefined ? (sum ?? value) : plus(sum, value);
    });
    found.set(name, { key, sums: sums ?? values });
  }
  return found;
}

/**
 * Growth of the counters of a table between two moments, by the key of each row. A row that was missing at the start began at 0. A counter
 * that is smaller at the end was reset in between: its growth is unknown.
 */
export function differenceOf(
  start: CapturedTable,
  end: CapturedTable,
  { key }: Pick<Capture, 'key'>,
): Pick<CounterDifference, 'keys' | 'counters' | 'rows' | 'unchanged' | 'gone' | 'notes'> {
  // The columns of a table that is empty at the start have no type.
  const { keys, counters } = splitOf(
    { columns: end.columns, rows: [...end.rows, ...(sameColumns(start, end) ? start.rows : [])] },
    key,
  );
  const before = sameColumns(start, end) ? sumsOf(start, { keys, counters }) : new Map<string, { sums: Sums }>();
  const after = sumsOf(end, { keys, counters });
  const fell = new Set<string>();
  const all = [...after].map(([name, { key: words, sums }]) => {
    const first = before.get(name)?.sums;
    const grew = sums.map((sum, place) => {
      if (sum === undefined) return null;
      const by = minus(sum, first?.[place] ?? (typeof sum === 'bigint' ? 0n : 0));
      if (by < 0) fell.add(name);
      return by < 0 ? null : by;
    });
    return { key: words, grew };
  });
  const texts =
    counters.length === 0 ? 0 : end.rows.filter((row) => counters.every((index) => isText(row[index]))).length;
  const rows = all
    .filter(({ grew }) => grew.some((by) => by !== 0))
    .sort((one, other) => (other.grew[0] ?? -1) - (one.grew[0] ?? -1));
  const gone = [...before.keys()].filter((name) => !after.has(name)).length;
  return {
    ...{
      keys: keys.map((index) => end.columns[index] ?? ''),
      counters: counters.map((index) => end.columns[index] ?? ''),
    },
    ...{ rows, unchanged: all.length - rows.length, gone },
    notes: [
      ...(sameColumns(start, end) ? [] : ['The columns differ between start and end, so all values count from 0.']),
      ...(counters.length === 0 ? ['The table has no column of numbers besides its key.'] : []),
      ...(fell.size > 0
        ? [
            `Values of ${formatCount(fell.size, 'row')} are smaller at the end: they are not pure counters, or were reset.`,
          ]
        : []),
      ...(texts > 0 ? [`${formatCount(texts, 'row')} with text instead of a number not counted.`] : []),
      ...(gone > 0 ? [`${formatCount(gone, 'row')} of the start are missing at the end.`] : []),
    ],
  };
}

const sameColumns = (one: CapturedTable, other: CapturedTable): boolean =>
  one.columns.length === other.columns.length && one.columns.every((name, index) => name === other.columns[index]);

type Row = ComparedCounters['rows'][number];
type Side = Row['values'][number]['one'];

const NAME = (key: readonly string[]): string => JSON.stringify(key);

/** Growth per operation in each run of a side, by key. A run without the row counts as 0. */
function sideOf(runs: readonly CounterDifference[], counters: readonly string[]): (key: readonly string[]) => Side[] {
  const tables = runs.map(({ rows, operations, counters: own }) => ({
    count: operations?.count ?? 0,
    places: counters.map((name) => own.indexOf(name)),
    byKey: new Map(rows.map(({ key, grew }) => [NAME(key), grew])),
  }));
  return (key) =>
    counters.map((_, index) => {
      const known = tables.flatMap(({ count, places, byKey }) => {
        const place = places[index] ?? -1;
        if (count <= 0 || place < 0) return [];
        const grew = byKey.get(NAME(key));
        const by = grew ? grew[place] : 0;
        return by === null || by === undefined ? [] : [by / count];
      });
      if (known.length === 0) return {};
      const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
      return known.length === 1 ? { mean } : { mean, low: Math.min(...known), high: Math.max(...known) };
    });
}

/** Counters of two groups of runs compared, per operation of the tool: the mean over the runs of each. */
export function compareCounters(
  one: readonly CounterDifference[],
  other: readonly CounterDifference[],
): ComparedCounters | undefined {
  const all = [...one, ...other];
  const [first] = all;
  if (!first || one.length === 0 || other.length === 0) return undefined;
  const counters = first.counters.filter((name) => all.every((run) => run.counters.includes(name)));
  const word = all.find(({ operations }) => operations)?.operations?.word ?? 'operation';
  const about = { name: first.name, keys: first.keys, counters, word, runs: { one: one.length, other: other.length } };
  const counted = (runs: readonly CounterDifference[]) => runs.filter(({ operations }) => (operations?.count ?? 0) > 0);
  const [ofOne, ofOther] = [counted(one), counted(other)];
  if (ofOne.length === 0 || ofOther.length === 0)
    return { ...about, rows: [], why: 'The tool counted no operations, so there are no figures per operation.' };
  const keys = new Map(all.flatMap(({ rows }) => rows.map(({ key }) => [NAME(key), key] as const)));
  const [inOne, inOther] = [sideOf(ofOne, counters), sideOf(ofOther, counters)];
  const rows = [...keys.values()].map((key): Row => {
    const [left, right] = [inOne(key), inOther(key)];
    return { key, values: counters.map((_, index) => pairOf(left[index] ?? {}, right[index] ?? {})) };
  });
  const size = ({ values: [value] }: Row): number => (value?.one.mean ?? 0) + (value?.other.mean ?? 0);
  return { ...about, runs: { one: ofOne.length, other: ofOther.length }, rows: rows.sort((a, b) => size(b) - size(a)) };
}

/** `change`: share by which the other side exceeds the first. */
const pairOf = (one: Side, other: Side): Row['values'][number] => ({
  one,
  other,
  ...(one.mean !== undefined && other.mean !== undefined && one.mean > 0 && { change: other.mean / one.mean - 1 }),
});
