import { metricOf } from '../metrics/index.ts';
import type { Scalar } from '../model/experiment.ts';
import { valueOfLevel } from '../model/factor.ts';
import type { CellResult, LoadLine, SessionResult } from '../model/result.ts';
import { formatLevels, formatNumber, formatPercent, formatValue } from '../util/format.ts';
import { type Knee, kneeOf, type LoadLevel, pooledNoise, type RunNoise } from './knee.ts';
import { studentQuantile } from './student.ts';
import { fitUsl, type LoadedRun, type UslFit } from './usl.ts';

type Measured = Pick<SessionResult, 'metric' | 'factors' | 'cells'>;
type Factor = SessionResult['factors'][number];

/** The factor that raises the load: among those that are a load, the last one with two or more numbers above 0. */
export const loadFactorOf = <F extends Pick<Factor, 'levels' | 'load'>>(factors: readonly F[]): F | undefined =>
  [...factors]
    .reverse()
    .find(
      ({ load, levels }) =>
        load !== undefined && levels.every((level) => typeof level === 'number') && loadsOf(levels).length > 1,
    );

/** Levels that are a load: a rate of 0 means no limit, and has no place on a scale. */
export const loadsOf = (levels: Factor['levels']): number[] =>
  levels.filter((level): level is number => typeof level === 'number' && level > 0);

/** Used if no factor is a load: the last one whose levels have values above 0. */
const valuedFactorOf = (factors: readonly Factor[]): Factor | undefined =>
  [...factors].reverse().find(({ values }) => values && loadsOf(Object.values(values)).length > 1);

/** Levels of a cell in the other factors. */
const othersOf = (cell: Pick<CellResult, 'levels'>, name: string): CellResult['levels'] =>
  Object.fromEntries(Object.entries(cell.levels).filter(([factor]) => factor !== name));

/** The line of `lines` that a cell belongs to: the cell has all of its levels, and none of another factor. */
export const lineOfCell = <Line extends Pick<LoadLine, 'factor' | 'levels'>>(
  lines: readonly Line[],
  cell: Pick<CellResult, 'levels'>,
): Line | undefined =>
  lines.find(({ factor, levels }) => {
    const others = Object.entries(othersOf(cell, factor));
    return others.length === Object.keys(levels).length && others.every(([name, level]) => levels[name] === level);
  });

/**
 * Knee and fit of every line along the load, or else the knee along the values of levels; empty for a metric that is not a throughput, or
 * without a factor of either kind. `heldRate`: operations per second that the workload is limited to; absent: it runs as fast as possible.
 */
export function loadLines({ metric, factors, cells }: Measured, heldRate?: number): LoadLine[] {
  const factor = loadFactorOf(factors) ?? valuedFactorOf(factors);
  if (!factor || metricOf(metric).better !== 'higher') return [];
  const lines = new Map<string, CellResult[]>();
  for (const cell of cells) {
    const key = JSON.stringify(othersOf(cell, factor.name));
    lines.set(key, [...(lines.get(key) ?? []), cell]);
  }
  const rates = factors.filter((other) => other !== factor && other.load === 'rate');
  return [...lines.values()].flatMap((line) => {
    const measured = line.filter(({ means }) => means.length > 0);
    if (measured.length === 0 || !line[0]) return [];
    const levels = othersOf(line[0], factor.name);
    const held = [heldRate ?? 0, ...rates.map(({ name }) => Number(levels[name]))].find((rate) => rate > 0);
    return [lineOf(factor, levels, measured, metric, held)];
  });
}

function lineOf(
  factor: Factor,
  levels: LoadLine['levels'],
  cells: readonly CellResult[],
  metric: string,
  held: number | undefined,
): LoadLine {
  const line = { factor: factor.name, levels };
  if (held !== undefined && factor.load === 'concurrency') {
    const sentence = `No knee: the load is limited to a rate of ${formatNumber(held)}, so throughput does not show where the target’s limit is.`;
    return { ...line, knee: { verdict: 'unsure' }, sentences: [sentence] };
  }
  const measured = cells
    .map((cell): LoadLevel => ({ load: valueOfLevel(factor, cell.levels[factor.name]) ?? 0, rates: cell.means }))
    .filter(({ load, rates }) => load > 0 && rates.every((rate) => rate > 0))
    .sort((a, b) => a.load - b.load);
  const runs = measured.flatMap(({ load, rates }): LoadedRun[] => rates.map((rate) => ({ load, rate })));
  const fit = factor.load === 'concurrency' ? fitUsl(runs) : undefined;
  // With one run per level, the scatter around the fit replaces the noise of repeats: it is larger, never smaller.
  const noise =
    pooledNoise(measured) ??
    (fit && !fit.misfit && fit.freedom > 1
      ? { deviation: fit.scatter, freedom: fit.freedom, ofFit: true as const }
      : undefined);
  const knee = kneeOf(measured, noise);
  const last = measured.at(-1)?.load ?? 0;
  const at = (load: number): string => formatLevels({ [factor.name]: levelAt(factor, load) });
  return {
    ...line,
    knee: {
      verdict: knee.verdict,
      ...(knee.verdict === 'found' && { load: knee.load }),
      ...(knee.within !== undefined && { within: knee.within }),
    },
    sentences: [
      kneeSentence(knee, last, at, factor.load === undefined ? OF_VALUE : OF_LOAD),
      ...(fit ? [uslSentence(fit, { measured, noise, at, metric }), ...costSentences(fit, last, at)] : []),
    ],
    ...(fit && !fit.misfit && { usl: { ...fitOf(fit), curve: curveOf(fit, measured[0]?.load ?? 1, last) } }),
  };
}

/** The level with this value; the number itself if levels are numbers. */
export const levelAt = (factor: Factor, value: number): Scalar =>
  factor.levels.find((level) => valueOfLevel(factor, level) === value) ?? value;

/** Words for the quantity that rises along a line. */
const OF_LOAD = {
  least: 'three load levels',
  largest: 'the largest load',
  larger: 'larger loads gain',
  more: 'more load gains',
};
const OF_VALUE: typeof OF_LOAD = {
  least: 'three levels',
  largest: 'the largest level',
  larger: 'larger levels gain',
  more: 'a larger level gains',
};

function kneeSentence(knee: Knee, last: number, at: (load: number) => string, words: typeof OF_LOAD): string {
  if (knee.verdict === 'unsure' && knee.why === 'rise')
    return `No knee: beyond ${at(knee.load)} levels are indistinguishable, but throughput may still rise by up to ${formatPercent(knee.rise)}. More repeats would resolve this.`;
  if (knee.verdict === 'unsure') return UNSURE[knee.why](formatPercent(knee.within), words);
  const noise = formatPercent(knee.within);
  if (knee.verdict === 'none')
    return knee.highest === last
      ? `No knee in the measured range: throughput still rises at ${at(last)}, ${words.largest}.`
      : `No knee in the measured range: too few levels beyond ${at(knee.highest)}, where throughput is highest.`;
  const fall = knee.falls > 0 ? ` At ${at(last)} throughput is ${formatPercent(knee.falls)} below the highest.` : '';
  return knee.first
    ? `Knee at ${at(knee.load)} or below: ${words.larger} no more than noise (${noise}).${fall}`
    : `Knee at ${at(knee.load)}: throughput there is within the noise (${noise}) of the maximum, so ${words.more} nothing.${fall}`;
}

const UNSURE: Readonly<
  Record<
    Exclude<Extract<Knee, { verdict: 'unsure' }>['why'], 'rise'>,
    (within: string, words: typeof OF_LOAD) => string
  >
> = {
  levels: (_, { least }) => `No knee: at least ${least} are needed.`,
  'noise-unknown': () => 'No knee: one run per level, so variance is unknown. Two or more repeats are needed.',
  'one-run': (within) =>
    `No knee: with one run per level, noise (±${within}) hides differences. Measure two or more repeats.`,
  noise: (within) => `No knee: noise between runs of a level (±${within}) hides differences.`,
  repeats: (within) => `No knee: with few repeats, noise (±${within}) hides differences. More repeats would help.`,
};

interface FittedLine {
  readonly measured: readonly LoadLevel[];
  readonly noise: RunNoise | undefined;
  readonly at: (load: number) => string;
  readonly metric: string;
}

function uslSentence(fit: UslFit, { measured, noise, at, metric }: FittedLine): string {
  const { sigma, kappa, peak } = fit;
  const last = measured.at(-1)?.load ?? 0;
  const isOnce = measured.every(({ rates }) => rates.length === 1);
  if (fit.misfit)
    return isOnce
      ? `One level deviates by ${formatPercent(fit.worst)} from the Universal Scalability Law. With one run per level this may be noise or a different law, so no peak is derived.`
      : `The Universal Scalability Law does not fit this line: one level deviates by ${formatPercent(fit.worst)}, so no peak is derived.`;
  const law = `Universal Scalability Law: contention σ ${share(sigma.value)} (95 % ${share(sigma.low)} to ${share(sigma.high)}), coherency κ ${tiny(kappa.value)} (${tiny(kappa.low)} to ${tiny(kappa.high)})`;
  const end = peak.high === undefined ? 'no upper bound' : formatNumber(peak.high, peak.high < 10 ? 1 : 0);
  const low = formatNumber(peak.low, peak.low < 10 ? 1 : 0);
  const highest = contradicting(fit, measured, noise);
  if (highest)
    return `${law}; no peak is derived because throughput was highest at ${at(highest.load)}, not between ${low} and ${end}.`;
  if (peak.value !== undefined && peak.high !== undefined && peak.high <= last)
    return `${law}; peak at ${at(Number(formatted(peak.value)))} (95 % ${low} to ${end}) with ${formatValue(peak.rate, metricOf(metric))}.`;
  if (peak.low >= last) return `${law}; peak beyond the measured range, above ${at(Number(formatted(peak.low)))}.`;
  return `${law}; peak not determined in the measured range (95 % ${low} to ${end}).`;
}

/** Minimum share of an operation's time at the largest load that is worth mentioning. */
const NOTABLE = 0.05;

/**
 * Costs of contention and coherency at the largest measured load: by the law, an operation takes 1 + σ(N − 1) + κN(N − 1) times as long
 * there as alone. Only significant costs are named.
 */
function costSentences({ misfit, sigma, kappa }: UslFit, last: number, at: (load: number) => string): string[] {
  if (misfit || last <= 1) return [];
  const parts = [
    {
      sure: sigma.low > 0,
      takes: sigma.value * (last - 1),
      words: 'waiting for serialized resources (contention)',
    },
    { sure: kappa.low > 0, takes: kappa.value * last * (last - 1), words: 'coordination between them (coherency)' },
  ];
  const all = 1 + parts.reduce((sum, { takes }) => sum + takes, 0);
  const notable = parts
    .filter(({ sure, takes }) => sure && takes >= NOTABLE * all)
    .sort((one, other) => other.takes - one.takes);
  if (notable.length === 0) return [];
  const much = notable.map(({ takes, words }) => `${formatPercent(takes / all)} of that is ${words}`).join(', ');
  return [
    `By this law, an operation takes ${formatNumber(all, all < 10 ? 1 : 0)} times as long at ${at(last)} as at load 1: ${much}.`,
  ];
}

/**
 * The highest measured level, if it contradicts the peak of the fit: neither it nor a neighbour is in the interval of the peak, and it
 * exceeds the levels that are in or around that interval by more than noise.
 */
function contradicting(
  { peak }: UslFit,
  measured: readonly LoadLevel[],
  noise: RunNoise | undefined,
): LoadLevel | undefined {
  const meanOf = ({ rates }: LoadLevel): number => rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const highest = measured.reduce((best, level) => (meanOf(level) > meanOf(best) ? level : best));
  const place = measured.indexOf(highest);
  const high = peak.high ?? Number.POSITIVE_INFINITY;
  const [before, behind] = [measured[place - 1]?.load ?? 0, measured[place + 1]?.load ?? Number.POSITIVE_INFINITY];
  if (behind >= peak.low && before <= high) return undefined;
  const below = measured.filter(({ load }) => load <= peak.low).length - 1;
  const above = measured.findIndex(({ load }) => load >= high);
  const around = measured.slice(Math.max(0, below), above < 0 ? undefined : above + 1);
  const isHigher = (level: LoadLevel): boolean => {
    const error =
      noise && !noise.ofFit ? noise.deviation * Math.sqrt(1 / level.rates.length + 1 / highest.rates.length) : 0;
    return (
      Math.log(meanOf(highest) / meanOf(level)) >
      (noise && error > 0 ? studentQuantile(0.975, noise.freedom) * error : 0)
    );
  };
  return around.length > 0 && around.every(isHigher) ? highest : undefined;
}

const share = (value: number): string => formatPercent(value, value < 0.1 ? 2 : 0);
const tiny = (value: number): string => (value === 0 ? '0' : value.toPrecision(2));
const formatted = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

const POINTS = 60;

/** The fit along the measured range, evenly spaced on a logarithmic scale. */
function curveOf(fit: UslFit, first: number, last: number): NonNullable<LoadLine['usl']>['curve'] {
  return Array.from({ length: POINTS + 1 }, (_, index) => {
    const load = index === POINTS ? last : first * (last / first) ** (index / POINTS);
    return { load, ...fit.at(load) };
  });
}

const fitOf = ({ lambda, sigma, kappa, peak }: UslFit) => ({ lambda, sigma, kappa, peak });
