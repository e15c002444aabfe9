import type { CanaryResult } from '../model/result.ts';
import { formatCount, formatLevels, formatPercent, withinSentence } from '../util/format.ts';
import { leastVariance } from './noise.ts';
import { mean } from './spread.ts';
import { studentQuantile } from './student.ts';

/** A canary: its figure and its time, on any scale. */
export interface Canary {
  readonly at: number;
  readonly value: number;
  /** As in `Repeats`: the smallest step of the metric, and the variance caused by its own seconds. */
  readonly resolution?: number | undefined;
  readonly within?: number | undefined;
}

export type Drift = Pick<CanaryResult, 'verdict' | 'change' | 'most'>;

/** With fewer, the noise around a line through them is unknown. */
const FEWEST = 4;
const UPPER = 0.975;
/** A drift of this size would matter: canaries that cannot exclude it are inconclusive. */
const LARGEST = 0.1;

/**
 * A steady drift along a session: a straight line through the logarithms of the canaries over time. A slope is called a drift at 5 %
 * (Student's t); otherwise its interval limits how large one could be. A rise that falls back is not a slope.
 */
export function driftOf(canaries: readonly Canary[]): Drift {
  const length = Math.max(...canaries.map(({ at }) => at)) - Math.min(...canaries.map(({ at }) => at));
  if (canaries.length < FEWEST || canaries.some(({ value }) => value <= 0) || !(length > 0))
    return { verdict: 'unknown' };
  const [place, height] = [mean(canaries.map(({ at }) => at)), mean(canaries.map(({ value }) => Math.log(value)))];
  const points = canaries.map(({ at, value }) => ({ x: (at - place) / length, y: Math.log(value) - height }));
  const sxx = points.reduce((sum, { x }) => sum + x * x, 0);
  const slope = points.reduce((sum, { x, y }) => sum + x * y, 0) / sxx;
  const freedom = points.length - 2;
  const rest = points.reduce((sum, { x, y }) => sum + (y - slope * x) ** 2, 0) / freedom;
  const variance = Math.max(rest, floorOf(canaries));
  const half = studentQuantile(UPPER, freedom) * Math.sqrt(variance / sxx);
  const change = { ratio: Math.exp(slope), low: Math.exp(slope - half), high: Math.exp(slope + half) };
  const most = Math.max(1 - change.low, change.high - 1);
  const verdict = Math.abs(slope) > half ? 'drift' : most <= LARGEST ? 'steady' : 'unknown';
  return { verdict, change, most };
}

/** Canaries that are on a line by luck are not trusted, as with the repeats of a cell. */
function floorOf(canaries: readonly Canary[]): number {
  const within = canaries.flatMap((canary) => canary.within ?? []);
  const steps = canaries.flatMap(({ resolution }) => resolution ?? []);
  return leastVariance({
    values: canaries.map(({ value }) => value),
    ...(within.length > 0 && { within: mean(within) }),
    ...(steps.length > 0 && { resolution: Math.min(...steps) }),
  });
}

/** `label`: of the metric. `canaries`: number of complete ones. */
export function driftWords(
  { verdict, change, most = 0 }: Drift,
  { label, levels, canaries }: { label: string; levels: CanaryResult['levels']; canaries: number },
): string {
  const of = `Canary (${formatLevels(levels) || 'the only cell'})`;
  const trials = formatCount(canaries, 'complete trial');
  if (!change) return `${of}: drift unknown because there are only ${trials}. ${FEWEST} or more are needed.`;
  if (verdict === 'steady')
    return `${of}: no steady drift of ${withinSentence(label)} larger than ${share(most)} over the session, ${trials}, 95 % confidence.`;
  if (verdict === 'unknown')
    return `${of}: drift unknown: ${trials} vary too much to reveal a drift of ${share(most)}.`;
  const [near, far] = [Math.abs(change.low - 1), Math.abs(change.high - 1)].sort((a, b) => a - b) as [number, number];
  return `${of}: ${withinSentence(label)} ${change.ratio > 1 ? 'rose' : 'fell'} by ${share(Math.abs(change.ratio - 1))} (95 % interval ${share(near)} to ${share(far)}) over the session, ${trials}. Cells measured late are not comparable with cells measured early.`;
}

const share = (value: number): string => formatPercent(value, value < 0.0995 ? 1 : 0);
