import { KneepointError } from '../../../shared/model/problem.ts';
import type { DataPart } from '../store/store.ts';
import type { TrialControl } from '../trial/index.ts';
import type { DataContext, DataKind, Need } from './kind.ts';
import { kindOf } from './kinds.ts';
import { untilServerAnswers } from './server-watch.ts';

/** Result of a check of data. */
export interface Seen {
  /** Everything is as a workload needs it. */
  complete: boolean;
  /** Nothing of it exists. */
  empty: boolean;
  parts: readonly DataPart[];
}

export function seenOf(kind: DataKind, parts: readonly DataPart[]): Seen {
  return {
    complete: parts.every((part) => part.found === undefined || kind.fits(part)),
    empty: parts.every(({ found }) => found === null),
    parts,
  };
}

/** Checks once. */
export async function lookAt(context: DataContext, need: Need, signal: AbortSignal): Promise<Seen> {
  const kind = kindOf(need);
  return seenOf(kind, await kind.look(context, need.place, need, signal));
}

/** Checks, and waits for an unreachable host or a server that does not respond. */
export function lookWaiting(context: DataContext, need: Need, control: TrialControl): Promise<Seen> {
  const look = (): Promise<Seen> => lookAt(context, need, control.signal);
  if (need.kind === 'tables') return untilServerAnswers(context, need.place, control, look);
  return kindOf(need).untilReachable(context, need.place, control, look);
}

const SHOWN = 4;

/** Describes the first few parts that are not as needed. `exact`: right after they were made, when no trial can have changed them. */
export function wrongWords(kind: DataKind, { parts }: Pick<Seen, 'parts'>, exact = false): string {
  const isRight = exact ? kind.isAsMade : kind.fits;
  const wrong = parts.filter((part) => part.found !== undefined && !isRight(part));
  const words = wrong.slice(0, SHOWN).map((part) => kind.words.wrongPart(part, exact));
  return `${words.join('; ')}${wrong.length > SHOWN ? '; …' : ''}`;
}

/** The error for data that is not as needed, with expected and found parts. */
export function wrongData(need: Need, seen: Seen, next: 'keep' | 'replace' | 'made'): KneepointError {
  const { words, at, kind } = kindOf(need);
  return new KneepointError({
    code: kind === 'tables' && seen.empty ? 'table-missing' : 'data-mismatch',
    message: `${words.wrong(need)} (${wrongWords(kindOf(need), seen, next === 'made')}).`,
    ...at(need.place),
    safe: `No trial was started on ${words.parts === 'tables' ? 'it' : 'them'}.`,
    next: words.next[next],
  });
}
