import { operationLatency, percentileMetric } from '../../../../shared/metrics/index.ts';
import { percentileOf, type Spread } from './times.ts';

const NS_PER_MS = 1_000_000;
const PERCENTILES = [50, 90, 95, 99, 99.9];
const PERCENTILES_OF_ONE = [99];

export const milliseconds = (ns: number): number => ns / NS_PER_MS;

/** Latencies of all operations, or of one kind with its few. Empty when there were none. */
export function latencies(spread: Spread, operation?: string): Record<string, number> {
  if (spread.count <= 0 || spread.sum < 0) return {};
  const id = (latency: string): string => (operation ? operationLatency(operation, latency) : latency);
  const found: Record<string, number> = { [id('latency_avg_ms')]: milliseconds(spread.sum / spread.count) };
  if (spread.max !== undefined) found[id('latency_max_ms')] = milliseconds(spread.max);
  for (const percentile of operation ? PERCENTILES_OF_ONE : PERCENTILES) {
    const value = spread.bins && percentileOf(spread.bins, percentile);
    if (value !== undefined) found[id(percentileMetric(percentile))] = milliseconds(value);
  }
  return found;
}
