import {
  completionLatency,
  operationLatency,
  percentileMetric,
  submissionLatency,
} from '../../../../../shared/metrics/index.ts';
import { percentileOf, type Spread } from './times.ts';

const NS_PER_MS = 1_000_000;
const PERCENTILES = [50, 90, 95, 99, 99.9];
const PERCENTILES_OF_ONE = [99];

export const milliseconds = (ns: number): number => ns / NS_PER_MS;

/** Percentiles by metric id, where the spread is known. */
function percentiles(
  spread: Spread,
  wanted: readonly number[],
  id: (latency: string) => string,
): Record<string, number> {
  const found: Record<string, number> = {};
  for (const percentile of wanted) {
    const value = spread.bins && percentileOf(spread.bins, percentile);
    if (value !== undefined) found[id(percentileMetric(percentile))] = milliseconds(value);
  }
  return found;
}

/** Percentiles of the completion alone, which is a part of the latency. */
export const completions = (spread: Spread, operation?: string): Record<string, number> =>
  percentiles(spread, operation ? PERCENTILES_OF_ONE : PERCENTILES, (id) => completionLatency(id, operation));

/** Means of the two parts of a latency: handing an I/O over, and its completion. Empty where fio does not tell them apart. */
export function meansOfParts(submission: Spread, completion: Spread, operation?: string): Record<string, number> {
  if (submission.count <= 0 || submission.sum < 0 || completion.count <= 0 || completion.sum < 0) return {};
  return {
    [submissionLatency('latency_avg_ms', operation)]: milliseconds(submission.sum / submission.count),
    [completionLatency('latency_avg_ms', operation)]: milliseconds(completion.sum / completion.count),
  };
}

/** Latencies of all operations, or of one kind with its few. Empty when there were none. */
export function latencies(spread: Spread, operation?: string): Record<string, number> {
  if (spread.count <= 0 || spread.sum < 0) return {};
  const id = (latency: string): string => (operation ? operationLatency(operation, latency) : latency);
  const found: Record<string, number> = { [id('latency_avg_ms')]: milliseconds(spread.sum / spread.count) };
  if (spread.max !== undefined) found[id('latency_max_ms')] = milliseconds(spread.max);
  return Object.assign(found, percentiles(spread, operation ? PERCENTILES_OF_ONE : PERCENTILES, id));
}
