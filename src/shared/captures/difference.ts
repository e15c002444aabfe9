import type { Capture, CapturedTable, CounterDifference } from '../model/capture.ts';
import { formatCount } from '../util/format.ts';

type Cell = CapturedTable['rows'][number][number];

const isNumber = (value: Cell | undefined): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)));

const WHOLE = /^-?\d+$/;
/** Beyond, a number of JavaScript does not hold every whole number. */
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
    : // Decimals of a server are not those of a number: 1.1 − 0.1 is 1.
      Number((Number(one) - Number(other)).toPrecision(12));

interface Split {
  readonly keys: readonly number[];
  readonly counters: readonly number[];
}

/** Which columns name a row and which count: those that are named as keys, else all that are no numbers in any row; without one, the first. */
function splitOf({ columns, rows }: CapturedTable, wanted: readonly string[] | undefined): Split {
  const all = columns.map((_, index) => index);
  const lower = wanted?.map((name) => name.toLowerCase());
  const named = all.filter((index) => lower?.includes(columns[index]?.toLowerCase() ?? ''));
  const isCounter = (index: number): boolean =>
    rows.every((row) => row[index] === null || isNumber(row[index])) && rows.some((row) => isNumber(row[index]));
  const worded = all.filter((index) => !isCounter(index));
  const keys = named.length > 0 ? named : worded.length > 0 ? worded : all.slice(0, 1);
  return { keys, counters: all.filter((index) => !keys.includes(index) && isCounter(index)) };
}

/** Sums by key: several rows with one key are one. */
function sumsOf({ rows }: CapturedTable, { keys, counters }: Split): Map<string, { key: string[]; sums: Sum[] }> {
  const found = new Map<string, { key: string[]; sums: Sum[] }>();
  for (const row of rows) {
    const key = keys.map((index) => String(row[index] ?? ''));
    const name = JSON.stringify(key);
    const values = counters.map((index) => wholeOf(row[index]) ?? Number(row[index] ?? 0));
    const before = found.get(name);
    found.set(name, { key, sums: before ? before.sums.map((sum, place) => plus(sum, values[place] ?? 0)) : values });
  }
  return found;
}

/**
 * How much the counters of a table grew between two moments, by the key of each row. A row that was not there at the start began at 0. A counter
 * that is smaller at the end began again in between: how much it grew is not known.
 */
export function differenceOf(
  start: CapturedTable,
  end: CapturedTable,
  { key }: Pick<Capture, 'key'>,
): Pick<CounterDifference, 'keys' | 'counters' | 'rows' | 'unchanged' | 'gone' | 'notes'> {
  // The columns of an empty table at the start have no type.
  const { keys, counters } = splitOf(
    { columns: end.columns, rows: [...end.rows, ...(sameColumns(start, end) ? start.rows : [])] },
    key,
  );
  const before = sameColumns(start, end) ? sumsOf(start, { keys, counters }) : new Map<string, { sums: Sum[] }>();
  const after = sumsOf(end, { keys, counters });
  const all = [...after].map(([name, { key: words, sums }]) => {
    const first = before.get(name)?.sums;
    const grew = sums.map((sum, place) => {
      const by = minus(sum, first?.[place] ?? (typeof sum === 'bigint' ? 0n : 0));
      return by < 0 ? null : by;
    });
    return { key: words, grew };
  });
  const rows = all
    .filter(({ grew }) => grew.some((by) => by !== 0))
    .sort((one, other) => (other.grew[0] ?? -1) - (one.grew[0] ?? -1));
  const again = rows.filter(({ grew }) => grew.includes(null)).length;
  const gone = [...before.keys()].filter((name) => !after.has(name)).length;
  return {
    ...{
      keys: keys.map((index) => end.columns[index] ?? ''),
      counters: counters.map((index) => end.columns[index] ?? ''),
    },
    ...{ rows, unchanged: all.length - rows.length, gone },
    notes: [
      ...(sameColumns(start, end) ? [] : ['The columns differ between start and end, so everything counts from 0.']),
      ...(counters.length === 0 ? ['The table has no column of numbers besides its key.'] : []),
      ...(again > 0
        ? [`Counters of ${formatCount(again, 'row')} began again: the server was restarted, or they were reset.`]
        : []),
      ...(gone > 0 ? [`${formatCount(gone, 'row')} of the start are missing at the end.`] : []),
    ],
  };
}

const sameColumns = (one: CapturedTable, other: CapturedTable): boolean =>
  one.columns.length === other.columns.length && one.columns.every((name, index) => name === other.columns[index]);
