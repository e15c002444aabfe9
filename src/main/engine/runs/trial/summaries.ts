import { metricOf, percentileIn } from '../../../../shared/metrics/index.ts';
import { mergeHistograms, percentileOf } from '../../../../shared/stats/index.ts';
import type { ParseOutcome } from '../../tools/tool.ts';

type Summary = Readonly<Record<string, number>>;

/**
 * The final figures of several generators as one: rates and counts added up, extremes kept, a mean latency weighted by its events,
 * percentiles taken anew from all histograms. A figure that one of them lacks, or that cannot be put together (a percentile without
 * histograms), is left out: each generator keeps its own.
 */
export function mergeSummaries(
  outcomes: readonly Pick<ParseOutcome, 'summary' | 'histogram'>[],
): Record<string, number> {
  const summaries = outcomes.map(({ summary }) => summary);
  const [first = {}, ...rest] = summaries;
  const common = Object.keys(first).filter((key) => rest.every((summary) => Object.hasOwn(summary, key)));
  const merged: Record<string, number> = {};
  for (const key of common) {
    const value = mergedFigure(key, summaries);
    if (value !== undefined) merged[key] = value;
  }
  const { latency_sum_ms: sum, events_total: events } = merged;
  if (common.includes('latency_avg_ms') && sum !== undefined && events) merged.latency_avg_ms = sum / events;
  const histograms = outcomes.flatMap(({ histogram }) => (histogram ? [histogram] : []));
  if (histograms.length < outcomes.length) return merged;
  const whole = mergeHistograms(histograms);
  for (const key of common) {
    const percentile = percentileIn(key);
    const ms = percentile === undefined ? undefined : percentileOf(whole, percentile);
    if (ms !== undefined) merged[key] = ms;
  }
  return merged;
}

function mergedFigure(key: string, summaries: readonly Summary[]): number | undefined {
  const values = summaries.map((summary) => summary[key] as number);
  const sum = (): number => values.reduce((total, value) => total + value, 0);
  const how = metricOf(key).combine;
  if (how === 'sum' || key.endsWith('_total') || key === 'latency_sum_ms') return sum();
  if (how === 'max' || key === 'total_time_s') return Math.max(...values);
  return key === 'latency_min_ms' ? Math.min(...values) : undefined;
}
