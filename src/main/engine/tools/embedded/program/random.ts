/** A stream of numbers in [0, 1). */
export type Random = () => number;

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** Spreads a small seed over 32 bits, with unrelated values for neighbouring seeds (the finaliser of MurmurHash3). */
export function mix32(value: number): number {
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
