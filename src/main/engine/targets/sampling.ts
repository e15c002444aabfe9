import type { Lane, SeriesRule } from '../../../shared/model/monitored.ts';
import { numbersFrom } from './server-facts.ts';
import type { AnswerTable } from './target.ts';

/** Maximum figures from one statement, and its time limit in milliseconds. */
const FIGURES_LISTED = 200;
export const FIGURES_LIMIT = 5000;

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)));

/** Numeric columns of the first row. With two columns, the first of which holds names: each row. */
export function figuresOf({ columns, rows }: AnswerTable): Record<string, number> {
  const [first = []] = rows;
  const named = columns.length === 2 && !isNumber(first[0]) && isNumber(first[1]);
  const pairs = named
    ? rows.map(([name, value]) => [String(name), value] as const)
    : columns.map((column, index) => [column, first[index]] as const);
  return numbersFrom(pairs.slice(0, FIGURES_LISTED));
}

/**
 * Counts by names that come and go, such as session states. A name seen before on this connection counts as 0 while absent, which avoids apparent
 * gaps. Limited to `limit` names. `known`: counters of the previous sample; those that begin with `prefix` count as seen.
 */
export function comingAndGoing(
  limit: number,
  prefix: string,
  known: readonly string[] = [],
): (counts: Iterable<readonly [string, number]>) => [string, number][] {
  const seen = new Set(known.filter((name) => name.startsWith(prefix)));
  return (counts) => {
    const now = new Map(counts);
    for (const name of now.keys()) if (seen.size < limit) seen.add(name);
    return [...seen].map((name) => [name, now.get(name) ?? 0]);
  };
}

/** Bytes as MiB. */
export const MIB = 1 / 1024 ** 2;

/** Properties of a rule in addition to its counters; `scale` is that of its reading. */
interface About extends Partial<Pick<SeriesRule, 'unit' | 'digits' | 'main' | 'means' | 'own' | 'stack' | 'limit'>> {
  readonly scale?: number;
}

const ruleOf = (id: string, lane: Lane, label: string, reading: SeriesRule['reading'], { scale, ...about }: About) => ({
  ...{ id, label, lane, unit: '', digits: 0 },
  ...about,
  reading: scale === undefined ? reading : { ...reading, scale },
});

/** Counters per second, without decimals by default. */
export const rate = (id: string, lane: Lane, label: string, of: string[], about: About = {}): SeriesRule =>
  ruleOf(id, lane, label, { kind: 'rate', of }, { unit: '/s', ...about });

export const gauge = (id: string, lane: Lane, label: string, of: string[], about: About = {}): SeriesRule =>
  ruleOf(id, lane, label, { kind: 'gauge', of }, about);

const plain = (id: string, lane: Lane, reading: SeriesRule['reading']): SeriesRule => ({
  id,
  label: id,
  unit: reading.kind === 'rate' ? '/s' : '',
  lane,
  reading,
});

/** Gauges under their own names. */
export const gauges = (lane: Lane, names: readonly string[]): SeriesRule[] =>
  names.map((name) => plain(name, lane, { kind: 'gauge', of: [name] }));

/** Counters per second, under their own names. */
export const rates = (lane: Lane, names: readonly string[]): SeriesRule[] =>
  names.map((name) => plain(name, lane, { kind: 'rate', of: [name] }));
