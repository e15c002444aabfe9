/** How many events took how long: rows in rising order of their latency. */
export type Histogram = readonly { ms: number; count: number }[];

/** Several histograms with the same bounds as one: nothing is lost, as with the percentiles that were taken of each. */
export function mergeHistograms(histograms: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const { ms, count } of histograms.flat()) counts.set(ms, (counts.get(ms) ?? 0) + count);
  return [...counts].map(([ms, count]) => ({ ms, count })).sort((a, b) => a.ms - b.ms);
}

export const eventsOf = (histogram: Histogram): number => histogram.reduce((sum, { count }) => sum + count, 0);

/** Latency that this share of the events (0 to 100) stayed within; undefined of no events. */
export function percentileOf(histogram: Histogram, percentile: number): number | undefined {
  const wanted = Math.round((eventsOf(histogram) * percentile) / 100);
  let seen = 0;
  for (const { ms, count } of histogram) {
    seen += count;
    if (seen >= wanted) return ms;
  }
  return histogram.at(-1)?.ms;
}
