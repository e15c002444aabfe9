import { formatNumber } from '../../../../../shared/util/format.ts';
import { zipfian } from '../../accesses.ts';
import type { Accesses } from '../../tool.ts';
import { RANDOM_SCRIPTS } from '../scripts/index.ts';
import type { SysbenchOptions } from './index.ts';

/** Above this, the sum of an Irwin-Hall distribution loses precision, and a normal distribution is equally accurate. */
const EXACT = 20;

/** The distribution of accesses over the rows of a table, as in sysbench 1.0 (`sb_rand.c`; zipfian: 1.1). Empty if no rows are drawn. */
export function rowAccesses(options: SysbenchOptions): readonly Accesses[] {
  return RANDOM_SCRIPTS.some((script) => script === options.script) ? [{ of: 'rows', ...drawn(options) }] : [];
}

function drawn(options: SysbenchOptions): Omit<Accesses, 'of'> {
  const iterations = options['rand-spec-iter'];
  switch (options['rand-type']) {
    case 'uniform':
      return { words: 'uniform: all rows equally', cumulative: (x) => x };
    case 'gaussian':
      return {
        words: `gaussian: mean of ${iterations} numbers, mostly in the middle of the table`,
        cumulative: meanOfUniform(iterations),
      };
    case 'special':
      return special(options);
    case 'pareto': {
      const h = options['rand-pareto-h'];
      const exponent = Math.log(1 - h) / Math.log(h);
      return { words: `pareto, h = ${h}`, cumulative: (x) => x ** exponent };
    }
    case 'zipfian': {
      const { 'table-size': rows, 'rand-zipfian-exp': exponent } = options;
      return {
        words: `zipfian, exponent ${exponent}, ${formatNumber(rows)} rows`,
        cumulative: zipfian(rows, exponent),
        ranked: true,
      };
    }
  }
}

/**
 * Part of the accesses go uniformly to a few rows around the middle; the others are the mean of several numbers, which is bell-shaped over all rows.
 * In sysbench 1.0.20, the number of hot rows is `rand-spec-res` percent of `rand-spec-pct`: 0.75 % of the rows by default, not 1 %.
 */
function special(options: SysbenchOptions): Omit<Accesses, 'of'> {
  const { 'rand-spec-pct': pct, 'rand-spec-res': res, 'rand-spec-iter': iterations } = options;
  const [few, many] = [pct / 100, res / 100];
  const hump = meanOfUniform(iterations);
  const width = few * many;
  const start = 0.5 - few * (many - 0.5);
  return {
    words: `special: ${res} % of the accesses go to ${formatNumber(width * 100, 2)} % of the rows`,
    cumulative(x) {
      const hot = width === 0 ? Number(x >= 0.5) : Math.min(1, Math.max(0, (x - start) / width));
      return many * hot + (1 - many) * hump(x);
    },
  };
}

/** The probability that the mean of n uniform numbers between 0 and 1 is below x. */
function meanOfUniform(n: number): (x: number) => number {
  if (n > EXACT) return (x) => normal((x - 0.5) * Math.sqrt(12 * n));
  const factorial = Array.from({ length: n }, (_, index) => index + 1).reduce((product, each) => product * each, 1);
  const below = (x: number): number => {
    let sum = 0;
    let sign = 1;
    let choose = 1;
    for (let k = 0; k <= Math.floor(n * x); k += 1) {
      sum += sign * choose * (n * x - k) ** n;
      sign = -sign;
      choose = (choose * (n - k)) / (k + 1);
    }
    return Math.min(1, Math.max(0, sum / factorial));
  };
  // The second half mirrors the first, where no precision is lost by cancellation.
  return (x) => (x <= 0.5 ? below(x) : 1 - below(1 - x));
}

/** Abramowitz and Stegun 7.1.26, to 1e-7. */
function normal(z: number): number {
  const t = 1 / (1 + 0.3275911 * (Math.abs(z) / Math.SQRT2));
  const poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const erf = 1 - poly * Math.exp(-(z * z) / 2);
  return z < 0 ? (1 - erf) / 2 : (1 + erf) / 2;
}
