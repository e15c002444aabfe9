import { formatNumber } from '../../../../../shared/util/format.ts';
import { zipfian, zipfSum } from '../../accesses.ts';
import type { Accesses } from '../../tool.ts';
import { distributionOf, type YcsbOptions } from './index.ts';

/**
 * Constants of `ZipfianGenerator`, and of the generator inside `ScrambledZipfianGenerator`: a fixed number of ranks, whatever the number of records.
 */
const CONSTANT = 0.99;
const RANKS = 10_000_000_000;
/** Maximum records counted one by one; beyond this, each counted record represents several. */
const COUNTED = 50_000;
/** Ranks, in units of records represented by a counted one, that are effectively alone on their record. */
const ALONE = 10;
/** Ranks beyond this multiple of the records are so many per record that all records get equal shares of them. */
const SPREAD = 10;

/** Constants of `ExponentialGenerator`: the share of accesses that go to this share of the records, the newest. */
const EXPONENTIAL = { accesses: 0.95, records: 0.857_142_857_1 };

/** The distribution of a run's operations over the records, as in YCSB 0.12 to 0.17. Empty for a load, which writes each record once. */
export function recordAccesses(options: YcsbOptions): readonly Accesses[] {
  if (options.phase === 'load') return [];
  return [{ of: 'records', ...drawn(options) }];
}

function drawn(options: YcsbOptions): Omit<Accesses, 'of'> {
  const { recordcount: records, hotspotdatafraction: hot, hotspotopnfraction: often } = options;
  switch (distributionOf(options)) {
    case 'uniform':
      return { words: 'uniform: all records equally', cumulative: (x) => x };
    case 'sequential':
      return { words: 'sequential: one record after the other', cumulative: (x) => x };
    case 'hotspot':
      return {
        words: `hotspot: ${percent(often)} of the operations on ${percent(hot)} of the records`,
        cumulative: (x) => part(x, 0, hot) * often + part(x, hot, 1) * (1 - often),
      };
    case 'exponential': {
      const rate = -Math.log(1 - EXPONENTIAL.accesses) / EXPONENTIAL.records;
      const within = 1 - Math.exp(-rate);
      return {
        words: 'exponential: mostly the newest',
        cumulative: (x) => (1 - Math.exp(-rate * x)) / within,
        ranked: true,
      };
    }
    case 'latest':
      return {
        words: `latest: zipfian, newest first, constant ${CONSTANT}, ${formatNumber(records)} records`,
        cumulative: zipfian(records, CONSTANT),
        ranked: true,
      };
    case 'zipfian': {
      // Calculated on demand: only one of many cells with the same accesses needs it.
      let shares: ((x: number) => number) | undefined;
      return {
        words: `zipfian, scattered by a hash: ranks of 10,000,000,000 on ${formatNumber(records)} records`,
        cumulative(x) {
          shares ??= scattered(records);
          return shares(x);
        },
        ranked: true,
      };
    }
  }
}

const percent = (share: number): string => `${Number((share * 100).toFixed(2))} %`;
const part = (x: number, from: number, to: number): number =>
  to > from ? Math.min(1, Math.max(0, (x - from) / (to - from))) : Number(x >= to);

/**
 * The cumulative shares of the most popular records, if the ranks of a zipfian distribution over 10^10 items are mapped to fewer records by a hash. A
 * record gets one popular rank by chance, plus a share of all others: the less popular half is nearly uniform.
 */
function scattered(records: number): (x: number) => number {
  const sum = zipfSum(CONSTANT);
  const total = sum(RANKS);
  const counted = Math.min(records, COUNTED);
  const each = records / counted;
  const spread = (total - sum(Math.min(RANKS, SPREAD * records))) / total / records;
  const rows = new Float64Array(counted).fill(spread * each);
  let before = sum(ALONE * each);
  for (let rank = ALONE; rank < SPREAD * counted; rank += 1) {
    const place = hashOf(rank) % counted;
    const upTo = sum((rank + 1) * each);
    rows[place] = (rows[place] ?? 0) + (upTo - before) / total;
    before = upTo;
  }
  rows.sort().reverse();
  const alone = Math.min(records, ALONE * each);
  // Records with a rank of their own also get the mean of the rest.
  const restMean = rows.reduce((all, row) => all + row, 0) / records;
  const ofAlone = (count: number): number => sum(count) / total + restMean * count;
  const share = alone / records;
  const rest = (1 - ofAlone(alone)) / rows.reduce((all, row) => all + row, 0);
  const sums = new Float64Array(counted + 1);
  rows.forEach((row, at) => {
    sums[at + 1] = (sums[at] ?? 0) + row * rest;
  });
  return (x) => {
    if (x <= share) return ofAlone(x * records);
    const at = ((x - share) / (1 - share)) * counted;
    const low = Math.min(counted - 1, Math.floor(at));
    return ofAlone(alone) + (sums[low] ?? 0) + (at - low) * ((sums[low + 1] ?? 0) - (sums[low] ?? 0));
  };
}

/** Mixes the bits of a number (lowbias32): a deterministic mapping of ranks to records. */
function hashOf(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
