import { sumBy } from '../util/numbers.ts';
import { studentQuantile } from './student.ts';

/** A load and the throughputs of its complete runs, one or more, all > 0. */
export interface LoadLevel {
  readonly load: number;
  readonly rates: readonly number[];
}

/** Relative standard deviation of a run (of the logarithm), and its degrees of freedom. `ofFit`: from one run per level, around a curve. */
export interface RunNoise {
  readonly deviation: number;
  readonly freedom: number;
  readonly ofFit?: true;
}

/**
 * found: `load` is the smallest from which throughput is within `within` of the highest, and enough was measured beyond it. none:
 * throughput still rises where the range ends. unsure: `why` names what is missing.
 */
export type Knee =
  | { verdict: 'found'; load: number; first: boolean; within: number; highest: number; falls: number }
  | { verdict: 'none'; within: number; highest: number }
  | { verdict: 'unsure'; why: 'levels' | 'noise-unknown' | 'one-run' | 'noise' | 'repeats'; within?: number }
  /** From `load` on, levels are not distinguishable, but one of them may be higher by up to `rise`, a share. */
  | { verdict: 'unsure'; why: 'rise'; load: number; rise: number; within: number };

/** Closer throughputs are equal in practice, however precisely they are known. */
const MARGIN = 0.03;
/** If more load may still gain more than this, there is no knee to name; with more noise than this, none can be seen. */
const MOST = 0.1;

/** Noise of a run from the repeats of all levels together; undefined with fewer than two degrees of freedom. */
export function pooledNoise(levels: readonly LoadLevel[]): RunNoise | undefined {
  const freedom = sumBy(levels, ({ rates }) => rates.length - 1);
  if (freedom < 2) return undefined;
  const squares = sumBy(levels, ({ rates }) => {
    const logs = rates.map(Math.log);
    const mean = logMean(rates);
    return sumBy(logs, (value) => (value - mean) ** 2);
  });
  return { deviation: Math.sqrt(squares / freedom), freedom };
}

const logMean = (rates: readonly number[]): number => sumBy(rates, Math.log) / rates.length;

/**
 * The load at which a curve stops rising. `noise`: of a run, if repeats do not show it.
 *
 * The knee is the smallest level whose throughput is not distinguishable from the highest (95 %, Student's t on logarithms with the pooled
 * noise of a run; at least 3 %). It is only named if no level beyond it is higher by 10 % or more (95 %, one-sided: levels that are not
 * distinguishable need not be equal), and if the range continues so far beyond it that throughput rising half as fast as the load would
 * have left that band.
 */
export function kneeOf(all: readonly LoadLevel[], noise: RunNoise | undefined = pooledNoise(all)): Knee {
  const levels = all
    .filter(({ load, rates }) => load > 0 && rates.length > 0 && rates.every((rate) => rate > 0))
    .sort((a, b) => a.load - b.load);
  const [first, last] = [levels[0], levels.at(-1)];
  if (levels.length < 3 || !first || !last) return { verdict: 'unsure', why: 'levels' };
  if (!noise) return { verdict: 'unsure', why: 'noise-unknown' };
  const highest = levels.reduce((best, level) => (logMean(level.rates) > logMean(best.rates) ? level : best));
  const t = studentQuantile(0.975, noise.freedom);
  const bandOf = ({ rates }: LoadLevel): number =>
    Math.max(-Math.log1p(-MARGIN), t * noise.deviation * Math.sqrt(1 / rates.length + 1 / highest.rates.length));
  const lossOf = ({ rates }: LoadLevel): number => logMean(highest.rates) - logMean(rates);
  const knee = levels.find((level) => lossOf(level) <= bandOf(level)) ?? highest;
  const band = bandOf(knee);
  const within = -Math.expm1(-band);
  const why = noise.ofFit ? 'one-run' : noise.freedom < 6 ? 'repeats' : 'noise';
  if (within > MOST) return { verdict: 'unsure', why, within };
  if (Math.log(last.load / knee.load) / 2 <= band) return { verdict: 'none', within, highest: highest.load };
  const oneSided = studentQuantile(0.95, noise.freedom);
  const riseTo = ({ rates }: LoadLevel): number =>
    logMean(rates) -
    logMean(knee.rates) +
    oneSided * noise.deviation * Math.sqrt(1 / rates.length + 1 / knee.rates.length);
  const rise = Math.expm1(Math.max(...levels.filter(({ load }) => load > knee.load).map(riseTo)));
  if (rise > MOST) return { verdict: 'unsure', why: 'rise', load: knee.load, rise, within };
  const fall = lossOf(last);
  return {
    verdict: 'found',
    load: knee.load,
    first: knee === first,
    within,
    highest: highest.load,
    falls: fall > bandOf(last) ? -Math.expm1(-fall) : 0,
  };
}

/** Kleinrock's power point: the entry with the most throughput per latency. */
export const powerPointOf = <Entry extends { readonly rate: number; readonly latency: number }>(
  entries: readonly Entry[],
): Entry | undefined =>
  entries.reduce<Entry | undefined>(
    (best, entry) => (best && best.rate / best.latency >= entry.rate / entry.latency ? best : entry),
    undefined,
  );
