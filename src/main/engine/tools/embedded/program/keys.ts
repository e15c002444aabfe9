/** A stream of numbers in [0, 1). */
export type Random = () => number;

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** Spreads a small seed over 32 bits, with unrelated values for neighbouring seeds (the finaliser of MurmurHash3). */
function mix32(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** xoshiro128** by Blackman and Vigna with 53-bit results. `stream` separates the threads of a run. */
export function randomOf(seed: number, stream: number): Random {
  const state = new Int32Array(4);
  for (let index = 0; index < 4; index += 1) {
    state[index] = mix32(mix32(seed + 0x9e3779b9) ^ mix32(stream * 4 + index + 1));
  }
  let [a, b, c, d] = [state[0] ?? 1, state[1] ?? 2, state[2] ?? 3, state[3] ?? 4];
  const next = (): number => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9);
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result >>> 0;
  };
  return () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;
}

export const ZIPFIAN_CONSTANT = 0.99;

/** ∑ 1/i^theta for i in (from, to], added to `zeta`: extends the normalizing constant of a zipfian distribution by its new terms only. */
export function growZeta(zeta: number, from: number, to: number, theta: number): number {
  let sum = zeta;
  for (let rank = from + 1; rank <= to; rank += 1) sum += 1 / rank ** theta;
  return sum;
}

/**
 * Ranks 0 … items-1, most popular first: rank r has probability 1 / ((r+1)^theta · zeta(items)). Method of Gray et al., "Quickly Generating
 * Billion-Record Synthetic Databases" (1994), as in the YCSB paper: exact for the first two ranks, a continuous approximation after them. `items` may
 * grow between calls.
 */
export class Zipfian {
  readonly #random: Random;
  readonly #theta: number;
  readonly #alpha: number;
  readonly #zeta2: number;
  #items: number;
  #zeta: number;
  #eta = 0;

  constructor(items: number, random: Random, theta: number = ZIPFIAN_CONSTANT) {
    this.#random = random;
    this.#theta = theta;
    this.#alpha = 1 / (1 - theta);
    this.#zeta2 = growZeta(0, 0, 2, theta);
    this.#items = items;
    this.#zeta = growZeta(0, 0, items, theta);
    this.#scale();
  }

  next(items: number = this.#items): number {
    if (items > this.#items) {
      this.#zeta = growZeta(this.#zeta, this.#items, items, this.#theta);
      this.#items = items;
      this.#scale();
    }
    const drawn = this.#random();
    const scaled = drawn * this.#zeta;
    if (scaled < 1 || this.#items < 2) return 0;
    if (scaled < 1 + 0.5 ** this.#theta) return 1;
    const rank = Math.floor(this.#items * (this.#eta * drawn - this.#eta + 1) ** this.#alpha);
    return Math.min(rank, this.#items - 1);
  }

  #scale(): void {
    this.#eta = (1 - (2 / this.#items) ** (1 - this.#theta)) / (1 - this.#zeta2 / this.#zeta);
  }
}

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
