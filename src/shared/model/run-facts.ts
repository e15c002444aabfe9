import type { CellResult } from './result.ts';
import type { Run, RunFact } from './session.ts';

type Thing = Pick<RunFact, 'place' | 'what'>;

/** `server mysql-8.0: sync_binlog`. */
export const factName = ({ place, what }: Thing): string => `${place.kind} ${place.name}: ${what}`;

/** A value as read back; null: it was not set. */
export const factValue = (value: string | null): string => (value === null ? 'not set' : value || 'empty');

/** A setting of a place with equal desired and found values: `runs` by id, in order. */
export interface FactRow extends RunFact {
  readonly runs: readonly number[];
}

/** Settings and values read back in runs, each combination of values once, grouped by setting. */
export function factRows(runs: readonly Pick<Run, 'id' | 'facts'>[]): FactRow[] {
  const things = new Map<string, Map<string, RunFact & { runs: number[] }>>();
  for (const { id, facts = [] } of runs)
    for (const fact of facts) {
      const rows = things.get(factName(fact)) ?? new Map<string, RunFact & { runs: number[] }>();
      things.set(factName(fact), rows);
      const key = JSON.stringify([fact.wanted, fact.found, fact.first, fact.matches]);
      const row = rows.get(key) ?? { ...fact, runs: [] };
      rows.set(key, row);
      row.runs.push(id);
    }
  return [...things.values()].flatMap((rows) => [...rows.values()]);
}

/** Names of all settings read back in these runs, in order. */
export const factNames = (runs: readonly Pick<Run, 'facts'>[]): string[] => [
  ...new Set(runs.flatMap(({ facts = [] }) => facts.map(factName))),
];

type Found = NonNullable<CellResult['facts']>;

/** Distinct values found for each setting in these runs. */
export const foundIn = (runs: readonly Pick<Run, 'facts'>[]): Found =>
  mergedFacts(runs.map(({ facts = [] }) => facts.map(({ place, what, found }) => ({ place, what, found: [found] }))));

/** The same, merged from several. */
export function mergedFacts(all: readonly Found[]): Found {
  const things = new Map<string, Found[number]>();
  for (const { place, what, found } of all.flat()) {
    const thing = things.get(factName({ place, what })) ?? { place, what, found: [] };
    things.set(factName(thing), thing);
    thing.found.push(...found.filter((value) => !thing.found.includes(value)));
  }
  return [...things.values()];
}

/** Values found for a setting, in words: several if runs differed. */
export const foundWords = ({ found }: Pick<Found[number], 'found'>): string => found.map(factValue).join(', ');
