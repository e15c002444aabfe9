import type { CapturedTable } from '../model/capture.ts';
import type { ComparedFact } from '../model/result.ts';
import { formatCount, NO_VALUE } from '../util/format.ts';

/** A name and a value of a capture; a capture of a single value has no name other than its own. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** A fact of one run. */
export interface KeptFact extends Fact {
  /** Name of the capture. */
  readonly capture: string;
}

/** Maximum number of facts of one capture, and of characters of a value. */
export const MOST_FACTS = 200;
const MOST_LETTERS = 1000;
/** Maximum number of different values of one side that are shown. */
const SHOWN = 4;

const words = (value: string | number | null | undefined): string =>
  (value === null || value === undefined ? 'NULL' : String(value))
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_LETTERS);

/**
 * A query result as facts: one column is one fact, combining all rows; two columns are a name and a value in each row; with more columns,
 * those of the first row.
 */
export function factsInTable({ columns, rows }: CapturedTable): Fact[] {
  const [first] = rows;
  if (!first) return [];
  if (columns.length === 1) return [{ name: '', value: words(rows.map(([value]) => words(value)).join(', ')) }];
  if (columns.length === 2) return rows.map(([name, value]) => ({ name: words(name), value: words(value) }));
  return columns.map((name, index) => ({ name, value: words(first[index]) }));
}

const NAMED = /^\s*([^:=]{1,80}?)\s*[:=]\s*(\S.*?)\s*$/;

/** Output as facts: if all lines are `name: value` or `name = value`, each is one; anything else is a single fact. */
export function factsInText(text: string): Fact[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const named = lines.flatMap((line): Fact[] => {
    const [, name, value] = NAMED.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [{ name: words(name), value: words(value) }];
  });
  if (named.length === lines.length && named.length > 0) return named;
  return lines.length > 0 ? [{ name: '', value: words(lines.join(' ')) }] : [];
}

/** Facts of both sides by capture and name, in stored order: equal if the runs of both have the same values. */
export function comparedFacts(baseline: readonly KeptFact[], other: readonly KeptFact[]): ComparedFact[] {
  const keyOf = ({ capture, name }: KeptFact): string => JSON.stringify([capture, name]);
  const all = new Map([...baseline, ...other].map((fact) => [keyOf(fact), fact]));
  const [one, two] = [baseline, other].map(valuesBy(keyOf));
  return [...all].map(([key, { capture, name }]): ComparedFact => {
    const [left, right] = [one, two].map((values) => [...(values?.get(key) ?? [])].sort());
    return {
      what: name === '' ? capture : `${capture}: ${name}`,
      ...{ baseline: sideWords(left), other: sideWords(right) },
      isEqual: JSON.stringify(left) === JSON.stringify(right),
    };
  });
}

const valuesBy =
  (keyOf: (fact: KeptFact) => string) =>
  (facts: readonly KeptFact[]): ReadonlyMap<string, ReadonlySet<string>> => {
    const values = new Map<string, Set<string>>();
    for (const fact of facts) {
      const key = keyOf(fact);
      const known = values.get(key) ?? new Set();
      values.set(key, known.add(fact.value));
    }
    return values;
  };

function sideWords(values: readonly string[] = []): string {
  if (values.length === 0) return NO_VALUE;
  const more = values.length - SHOWN;
  return [...values.slice(0, SHOWN), ...(more > 0 ? [formatCount(more, 'more value')] : [])].join(' · ');
}
