import type { Level } from '../../../../../../shared/model/factor.ts';

type Named = Extract<Level, object>;

/** A line of what a level sets: a name that may give way, and a value that stays. */
export interface PartWords {
  readonly name: string;
  readonly value?: string;
}

/** What a named level says beside its name, a line for each thing: “sync_binlog = 0”. */
export const partsInWords = ({ name: _, ...parts }: Named): PartWords[] =>
  Object.entries(parts).flatMap(([part, value]) => linesOf(part, value));

function linesOf(part: string, value: unknown): PartWords[] {
  if (Array.isArray(value))
    return value.every((each) => typeof each === 'string')
      ? value.map((each) => ({ name: firstLine(each) }))
      : [{ name: part }];
  if (typeof value !== 'object' || value === null) return [{ name: `${part}: ${firstLine(String(value))}` }];
  if (part === 'price') return [{ name: priceWords(value as Readonly<Record<string, unknown>>) }];
  return Object.entries(value).map(([name, set]) => ({ name, value: set === null ? 'as found' : String(set) }));
}

function priceWords({
  amount,
  per = 'month',
  currency = 'USD',
  components,
}: Readonly<Record<string, unknown>>): string {
  if (Array.isArray(components)) return `${components.length} components`;
  return `${String(amount)} ${String(currency)} per ${String(per)}`;
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
