import { metricOf } from '../metrics/index.ts';
import type { Finding } from '../model/finding.ts';
import type { SessionResult } from '../model/result.ts';
import { formatChange } from '../util/format.ts';
import { mean, sampleVariance } from './spread.ts';
import { studentQuantile } from './student.ts';

/** With a larger distance in time, in standard errors of their places, a drift alone would look like a difference. */
const FARTHEST = 1.5;

/**
 * Whether two cells were interleaved, so that a drift affects both alike: their mean places in the order of trials differ little compared
 * with their own spread. Rounds of every cell are interleaved, in a fixed or a random order; all repeats of one cell before the other's are
 * not.
 */
export function areInterleaved(one: readonly number[], other: readonly number[]): boolean {
  if (one.length < 2 || other.length < 2) return false;
  const error = Math.sqrt(sampleVariance(one) / one.length + sampleVariance(other) / other.length);
  return Math.abs(mean(one) - mean(other)) <= FARTHEST * error;
}

export interface Ordered {
  /** One figure per complete repeat. */
  readonly means: readonly number[];
  /** Place of each of these repeats in the order of trials. */
  readonly trials: readonly number[];
}

export interface Trend {
  /** Change of the figures from the first trial to the last: 0.9 for a fall by a tenth. */
  ratio: number;
  low: number;
  high: number;
}

/** A trend is reported only if chance produces one this rarely: a session is checked once for each metric. */
const CONFIDENCE = 0.99;
const FEWEST_FREEDOM = 4;

/**
 * Change of the figures over the order of trials, common to all cells: a straight line through the logarithms, with a separate height for
 * each cell. Undefined if it may be chance, or if there are too few repeats.
 */
export function trendOf(cells: readonly Ordered[]): Trend | undefined {
  const usable = cells.filter(
    ({ means, trials }) => means.length === trials.length && means.every((value) => value > 0),
  );
  const points = usable.flatMap(({ means, trials }) => {
    const logs = means.map(Math.log);
    const [height, place] = [mean(logs), mean(trials)];
    return logs.map((log, index) => ({ x: (trials[index] as number) - place, y: log - height }));
  });
  const freedom = points.length - usable.filter(({ means }) => means.length > 0).length - 1;
  const sxx = points.reduce((sum, { x }) => sum + x * x, 0);
  if (freedom < FEWEST_FREEDOM || sxx === 0) return undefined;
  const slope = points.reduce((sum, { x, y }) => sum + x * y, 0) / sxx;
  const rest = points.reduce((sum, { x, y }) => sum + (y - slope * x) ** 2, 0) / freedom;
  const half = studentQuantile(1 - (1 - CONFIDENCE) / 2, freedom) * Math.sqrt(rest / sxx);
  if (Math.abs(slope) <= half) return undefined;
  const all = usable.flatMap(({ trials }) => trials);
  const length = Math.max(...all) - Math.min(...all);
  return {
    ratio: Math.exp(slope * length),
    low: Math.exp((slope - half) * length),
    high: Math.exp((slope + half) * length),
  };
}

/** Findings if the figures of a session, or its canary, rise or fall with the order of its trials; empty if that may be chance. */
export const trendFindings = (result: Pick<SessionResult, 'trend' | 'metric' | 'canary'>, name: string): Finding[] => [
  ...canaryFindings(result, name),
  ...trendOverTrials(result, name),
];

function canaryFindings({ canary }: Pick<SessionResult, 'canary'>, name: string): Finding[] {
  if (canary?.verdict !== 'drift') return [];
  return [
    {
      code: 'canary-drift',
      severity: 'warn',
      message: `“${name}”: ${canary.sentence}`,
      next: 'Compare only interleaved cells. Find what changes over time: temperature, other guests, growing data, caches.',
    },
  ];
}

function trendOverTrials({ trend, metric }: Pick<SessionResult, 'trend' | 'metric'>, name: string): Finding[] {
  if (!trend) return [];
  const [change, low, high] = [trend.ratio, trend.low, trend.high].map((ratio) => formatChange(ratio - 1));
  return [
    {
      code: 'trend-over-trials',
      severity: 'warn',
      message: `${metricOf(metric).label} of “${name}” drifts by ${change} from the first to the last trial, 99 % interval ${low} to ${high}.`,
      next: 'Something filled up, warmed up or slowed down during the session. Compare only interleaved cells; a longer warm-up or fresh data may help.',
    },
  ];
}
