import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../../../shared/util/numbers.ts';
import { accessShares } from '../../accesses.ts';
import { recordAccesses } from './accesses.ts';
import { YcsbOptions } from './index.ts';

const SEED = 29;
const of = (options: Record<string, unknown>) => {
  const [accesses] = recordAccesses(YcsbOptions.parse({ directory: '/y', ...options }));
  if (!accesses) throw new Error('Nothing is told.');
  return accessShares(accesses);
};

/** The smallest shares of records that received half and 90 % of the draws. 99 % would need too many draws for a test. */
function drawn(records: number, draws: number, draw: () => number): number[] {
  const counts = new Uint32Array(records);
  for (let index = 0; index < draws; index += 1) {
    const record = draw();
    counts[record] = (counts[record] ?? 0) + 1;
  }
  counts.sort().reverse();
  return [0.5, 0.9].map((share) => {
    let sum = 0;
    return (
      (counts.findIndex((count) => {
        sum += count;
        return sum >= share * draws;
      }) +
        1) /
      records
    );
  });
}

/** `ZipfianGenerator.nextLong` of YCSB, with its own sum for 10^10 items. */
function zipfian(items: number, zetan: number, random: () => number): () => number {
  const theta = 0.99;
  const zeta2 = 1 + 0.5 ** theta;
  const eta = (1 - (2 / items) ** (1 - theta)) / (1 - zeta2 / zetan);
  return () => {
    const u = random();
    const uz = u * zetan;
    if (uz < 1) return 0;
    if (uz < 1 + 0.5 ** theta) return 1;
    return Math.floor(items * (eta * u - eta + 1) ** (1 / (1 - theta)));
  };
}

/** Absolute value of YCSB's `Utils.fnvhash64`. */
function fnv(value: number): bigint {
  let rest = BigInt(value);
  let hash = 0xcbf29ce484222325n;
  for (let byte = 0; byte < 8; byte += 1) {
    hash = BigInt.asUintN(64, (hash ^ (rest & 0xffn)) * 1_099_511_628_211n);
    rest >>= 8n;
  }
  const signed = BigInt.asIntN(64, hash);
  return signed < 0n ? -signed : signed;
}

const sumOf = (items: number): number => {
  let sum = 0;
  for (let rank = 1; rank <= items; rank += 1) sum += rank ** -0.99;
  return sum;
};

describe('the share of records with half and 90 % of the operations', () => {
  const random = randomFrom(SEED);
  const RECORDS = 500;
  // Enough draws that chance does not look like popularity; a 64-bit hash is slow.
  const drawsOf = (name: string): number => (name === 'zipfian' ? 300_000 : 1_000_000);
  const scrambled = zipfian(10_000_000_000, 26.46902820178302, random);
  const newest = zipfian(RECORDS, sumOf(RECORDS), random);
  const gamma = -Math.log(1 - 0.95) / (RECORDS * 0.857_142_857_1);
  const within = (draw: () => number) => (): number => {
    for (;;) {
      const value = draw();
      if (value < RECORDS) return value;
    }
  };
  const draws: Record<string, () => number> = {
    uniform: () => Math.floor(random() * RECORDS),
    zipfian: () => Number(fnv(scrambled()) % BigInt(RECORDS)),
    latest: newest,
    hotspot: () => Math.floor(random() < 0.8 ? random() * RECORDS * 0.2 : RECORDS * (0.2 + random() * 0.8)),
    exponential: within(() => Math.floor(-Math.log(random()) / gamma)),
  };

  it.each(Object.keys(draws))(`matches the draws of YCSB for %s (seed ${SEED})`, (requestdistribution) => {
    const { shares } = of({ requestdistribution, recordcount: RECORDS });
    drawn(RECORDS, drawsOf(requestdistribution), draws[requestdistribution] as () => number).forEach((rows, index) => {
      expect(Math.abs((shares[index]?.rows ?? 0) - rows), `${index}`).toBeLessThan(0.02);
    });
  });

  it('of zipfian shrinks with the number of records', () => {
    const half = (recordcount: number) => of({ recordcount }).shares[0]?.rows ?? 1;
    // A tenth of all draws have ranks below 13, regardless of the number of records.
    for (const [few, many] of [
      [1000, 100_000],
      [100_000, 100_000_000],
    ] as const)
      expect(half(many)).toBeLessThan(half(few));
    const { curve } = of({ recordcount: 1_000_000_000 });
    for (const [at, point] of curve.entries()) {
      expect(point.accesses).toBeGreaterThanOrEqual(curve[at - 1]?.accesses ?? 0);
      expect(point.accesses).toBeGreaterThanOrEqual(point.rows - 1e-9);
    }
    expect(curve.at(-1)?.accesses).toBeCloseTo(1, 6);
  });

  it('is described with the default distribution of a workload', () => {
    const words = (workload: string): string => of({ workload }).words;
    expect(['A', 'D', 'own'].map((workload) => words(workload).split(/[ :,]/)[0])).toEqual([
      'zipfian',
      'latest',
      'uniform',
    ]);
    expect(recordAccesses(YcsbOptions.parse({ directory: '/y', phase: 'load' }))).toEqual([]);
  });
});
