import fc from 'fast-check';
import { NIGHT } from '../../../../shared/util/testing/depth.ts';

/**
 * The share of tries of a property outside of nightly runs, which are thorough. A failure reports the seed and the path to repeat it: pass them to
 * `fc.assert` as `{ seed, path }`.
 */
const NORMAL_SHARE = 20;

/** `night`: number of tries in nightly runs. Otherwise a twentieth of it, but at least five. */
export const tries = (night: number): { numRuns: number; endOnFailure: boolean } => ({
  numRuns: NIGHT ? night : Math.max(5, Math.ceil(night / NORMAL_SHARE)),
  // Each try reads whole outputs: a failure is reported without a long search for a smaller one.
  endOnFailure: !NIGHT,
});

/** Maximum positions at which an output is cut if it is not cut everywhere. */
const SOME_CUTS = 40;

/** Cuts an output at every byte in nightly runs, otherwise at some: anywhere, and around line ends, where most errors occur. */
export function cutEverywhere(text: string, holds: (end: number) => void, step = 1): void {
  if (NIGHT) for (let end = 0; end <= text.length; end += step) holds(end);
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const aroundEnd = fc
    .tuple(fc.constantFrom(0, ...ends), fc.integer({ min: -2, max: 2 }))
    .map(([end, by]) => Math.min(text.length, Math.max(0, end + by)));
  fc.assert(fc.property(fc.oneof(fc.nat(text.length), aroundEnd), holds), {
    numRuns: SOME_CUTS,
    examples: [[0], [text.length]],
    endOnFailure: true,
  });
}

/** A text with up to `most` characters replaced by invalid UTF-8. */
export const withForeignBytes = (text: string, most: number): fc.Arbitrary<string> =>
  fc.array(fc.nat(Math.max(0, text.length - 1)), { minLength: 1, maxLength: most }).map((places) => {
    const letters = [...text];
    for (const place of places) letters[place % letters.length] = '\uFFFD';
    return letters.join('');
  });

/** A text with a piece removed. */
export const withoutPiece = (text: string, longest: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.integer({ min: 1, max: longest }))
    .map(([from, length]) => text.slice(0, from) + text.slice(from + length));

/** A text with a piece of it duplicated elsewhere. */
export const withInsertedPiece = (text: string, longest: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(text.length), fc.nat(text.length), fc.nat(longest))
    .map(([at, from, length]) => text.slice(0, at) + text.slice(from, from + length) + text.slice(at));

/** Interleaves the lines of two outputs, each in its own order. */
export function mixedLines(first: string, second: string): fc.Arbitrary<string> {
  const [left, right] = [first.split('\n'), second.split('\n')];
  const count = left.length + right.length;
  return fc.array(fc.boolean(), { minLength: count, maxLength: count }).map((choices) => {
    const [one, other] = [left.values(), right.values()];
    const mixed = choices.map((choice) => {
      const [wanted, rest] = choice ? [one, other] : [other, one];
      return wanted.next().value ?? rest.next().value ?? '';
    });
    return `${mixed.join('\n')}\n`;
  });
}

/** Random text of these characters. */
export const nonsense = (letters: string): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...letters), maxLength: 400 });

const MEGABYTE = 1_000_000;
/** A line of a megabyte that repeats one of these pieces. */
export const longLine = (pieces: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...pieces).map((piece) => piece.repeat(MEGABYTE / piece.length));

const SOME = 10;
/** Some of the entries, or all in nightly runs. */
export function someOf<Entry>(entries: readonly Entry[]): readonly Entry[] {
  if (NIGHT || entries.length <= SOME) return entries;
  const subsets = fc.shuffledSubarray([...entries], { minLength: SOME, maxLength: SOME });
  return fc.sample(subsets, 1).flat();
}
