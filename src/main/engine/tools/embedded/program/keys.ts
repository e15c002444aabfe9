import { mix32, type Random } from './random.ts';
import { Zipfian } from './zipfian.ts';

export type Distribution = 'zipfian' | 'uniform' | 'latest';

/** Draws the number of a record from 0 … count-1. `count` never decreases. */
export type KeyChooser = (count: number) => number;

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/** A factor coprime to `items`, near the golden ratio: rank·factor mod items visits every item once, with neighbours far apart. */
export function scrambleFactor(items: number): number {
  let factor = Math.max(1, Math.floor(items * 0.6180339887498949));
  while (commonDivisor(factor, items) !== 1) factor += 1;
  return factor;
}

/**
 * zipfian: popular records are scattered over the keys. Popularity covers the initially loaded records, so new records do not change which ones are
 * popular. latest: the newest record is the most popular. uniform: all are equally popular.
 */
export function keyChooser(distribution: Distribution, loaded: number, random: Random): KeyChooser {
  if (distribution === 'uniform') return (count) => Math.floor(random() * count);
  const zipfian = new Zipfian(loaded, random);
  if (distribution === 'latest') return (count) => count - 1 - zipfian.next(count);
  const factor = scrambleFactor(loaded);
  return () => (zipfian.next() * factor) % loaded;
}

/** The key of record `number`: ordered by a hash of the number, like YCSB's `insertorder=hashed`, and unique because it contains the number. */
export function keyOf(number: number): string {
  return `user${mix32(number).toString(16).padStart(8, '0')}${number.toString(16).padStart(8, '0')}`;
}
