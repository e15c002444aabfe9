import { KneepointError } from '../../../shared/model/problem.ts';
import { codeOf, wordsOf } from './failure.ts';
import type { Obstacle } from './target.ts';

/** The server has refused a change of settings, with its own words. `rights`: the account may not make it. */
export function refused(names: readonly string[], error: unknown, rights?: string): KneepointError {
  const what = names.map((name) => `“${name}”`).join(', ');
  return new KneepointError(
    {
      code: rights === undefined ? 'change-refused' : 'change-not-possible',
      message: `The server did not take the change of ${what}: ${wordsOf(error)}.`,
      next: rights ?? 'Choose a value that the server takes.',
      details: { words: wordsOf(error), code: codeOf(error) },
    },
    { cause: error },
  );
}

/** What a setting that decides where the server is found cannot be varied for. */
export const movesTheServer = (name: string): Obstacle => ({
  message: `“${name}” decides where the server is found, so it would be lost with the change.`,
  next: 'Make a second target for the other place, and vary the target.',
});

/** A number outside of what the server takes; `unit` as it counts. */
export const outOfRange = (name: string, value: string, least: string, most: string, unit = ''): Obstacle => ({
  message: `“${name}” cannot be ${value}: the server takes ${least} to ${most}${unit === '' ? '' : `, counted in ${unit}`}.`,
  next: 'Choose a value in this range.',
});

export const notInList = (name: string, value: string, list: readonly string[]): Obstacle => ({
  message: `“${name}” cannot be “${value}”: the server takes ${list.join(', ')}.`,
  next: 'Choose one of them.',
});

/** `several`: “client app from 10.0.0.7” once for all that read the same, with their number. */
export function counted(several: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const each of several) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${count})`));
}
