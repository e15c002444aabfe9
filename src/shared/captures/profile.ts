import type { ComparedCounters, CounterDifference } from '../model/capture.ts';

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
