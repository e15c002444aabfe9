import { formatNumber } from '../../../../../shared/util/format.ts';
import { zipfian, zipfSum } from '../../accesses.ts';
import type { Accesses } from '../../tool.ts';
import { distributionOf, type YcsbOptions } from './index.ts';

/** Of `ZipfianGenerator`, and of what lies below `ScrambledZipfianGenerator`: so many ranks, whatever the number of records. */
const CONSTANT = 0.99;
const RANKS = 10_000_000_000;
/** Records that are counted one by one; more of them stand for several each. */
const COUNTED = 50_000;
/** Ranks, in units of what one counted record stands for, that are alone on their record as far as it matters. */
const ALONE = 10;
/** Ranks beyond so many times the records come so often to each that all get the same of them. */
const SPREAD = 10;

/** Of `ExponentialGenerator`: this share of the accesses goes to this share of the records, the newest. */
const EXPONENTIAL = { accesses: 0.95, records: 0.857_142_857_1 };

/** How YCSB (0.12 to 0.17, its generators) spreads the operations of a run over the records; none of a load, which makes each once. */
export function recordAccesses(options: YcsbOptions): readonly Accesses[] {
  if (options.phase === 'load') return [];
  return [{ of: 'records', ...drawn(options) }];
}

function drawn(options: YcsbOptions): Omit<Accesses, 'of'> {
  const { recordcount: records, hotspotdatafraction: hot, hotspotopnfraction: often } = options;
  switch (distributionOf(options)) {
    case 'uniform':
      return { words: 'uniform: all records alike', cumulative: (x) => x };
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
        words: 'exponential: the newest most',
        cumulative: (x) => (1 - Math.exp(-rate * x)) / within,
        ranked: true,
      };
    }
    case 'latest':
      return {
        words: `latest: zipfian from the newest on, constant ${CONSTANT}, ${formatNumber(records)} records`,
        cumulative: zipfian(records, CONSTANT),
        ranked: true,
      };
    case 'zipfian': {
      // Worked out once it is asked for: of many cells with the same accesses, one is.
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
 * What the most popular records get when ranks of a zipfian distribution over 10^10 items are put on fewer records by a hash. A record gets
 * one popular rank by chance, and some of all others: the less popular half is nearly alike.
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
  // Records with a rank of their own get the mean of the rest besides.
  const besides = rows.reduce((all, row) => all + row, 0) / records;
  const ofAlone = (count: number): number => sum(count) / total + besides * count;
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

/** A number's bits well mixed (lowbias32): which record a rank comes to, the same each time. */
function hashOf(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
