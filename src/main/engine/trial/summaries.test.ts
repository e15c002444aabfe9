import { describe, expect, it } from 'vitest';
import { mergeHistograms, percentileOf } from '../../../shared/stats/index.ts';
import { mergeSummaries } from './summaries.ts';

describe('final figures of several generators', () => {
  const one = {
    summary: {
      ...{ tps: 100, transactions_total: 1000, events_total: 1000, total_time_s: 10.01, latency_sum_ms: 4000 },
      ...{ latency_min_ms: 1, latency_avg_ms: 4, latency_max_ms: 30, latency_p95_ms: 10, histogram_rows: 2 },
    },
    histogram: [
      { ms: 2, count: 940 },
      { ms: 10, count: 60 },
    ],
  };
  const other = {
    summary: {
      ...one.summary,
      tps: 300,
      transactions_total: 3000,
      events_total: 3000,
      total_time_s: 10.4,
      latency_sum_ms: 30_000,
    },
    histogram: [
      { ms: 2, count: 100 },
      { ms: 8, count: 2899 },
      { ms: 50, count: 1 },
    ],
  };

  const counted = ({ summary, histogram }: typeof one) => ({
    summary,
    latencies: { latency: [{ from: 0, to: 10, histogram }] },
  });

  it('are added up, kept as extremes, or weighted by events', () => {
    expect(mergeSummaries([{ summary: one.summary }, { summary: { ...other.summary, latency_min_ms: 0.5 } }])).toEqual({
      ...{ tps: 400, transactions_total: 4000, events_total: 4000, total_time_s: 10.4, latency_sum_ms: 34_000 },
      ...{ latency_min_ms: 0.5, latency_avg_ms: 8.5, latency_max_ms: 30 },
    });
  });

  it('have percentiles of all events if every generator has a histogram, and none otherwise', () => {
    // 95 % of 4,000 events are 3,800: 1,040 took 2 ms, 2,899 took 8 ms.
    expect(mergeSummaries([counted(one), counted(other)]).latency_p95_ms).toBe(8);
    expect(
      mergeSummaries([{ summary: { constructor_total: 1, constructor: 1 } }, { summary: { constructor_total: 2 } }]),
    ).toEqual({ constructor_total: 3 });
    expect(mergeSummaries([counted(one), { summary: other.summary }]).latency_p95_ms).toBeUndefined();
  });

  it('omit values that one of them lacks', () => {
    expect(mergeSummaries([one, { summary: { tps: 5 } }])).toEqual({ tps: 105 });
    expect(mergeSummaries([one, { summary: {} }])).toEqual({});
  });

  it('do not depend on the order of generators, and merging one with itself changes no percentile', () => {
    expect(mergeHistograms([one.histogram, other.histogram])).toEqual(
      mergeHistograms([other.histogram, one.histogram]),
    );
    for (const percentile of [0, 50, 94, 95, 100])
      expect(percentileOf(mergeHistograms([one.histogram, one.histogram]), percentile)).toBe(
        percentileOf(one.histogram, percentile),
      );
    expect(percentileOf([], 95)).toBeUndefined();
  });
});
