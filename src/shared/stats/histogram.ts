/** Number of events by latency: rows in ascending order of latency. */
export type Histogram = readonly { ms: number; count: number }[];

/** The events of a part of a run: after second `from`, up to second `to`, on the tool's own counter. */
export interface HistogramPart {
  readonly from: number;
  readonly to: number;
  readonly histogram: Histogram;
}

/** Merges histograms with the same bounds: nothing is lost, unlike with percentiles of each. */
export function mergeHistograms(histograms: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const { ms, count } of histograms.flat()) counts.set(ms, (counts.get(ms) ?? 0) + count);
  return [...counts].map(([ms, count]) => ({ ms, count })).sort((a, b) => a.ms - b.ms);
}

export const eventsOf = (histogram: Histogram): number => histogram.reduce((sum, { count }) => sum + count, 0);

/** Latency that this share of the events (0 to 100) did not exceed; undefined without events. */
export function percentileOf(histogram: Histogram, percentile: number): number | undefined {
  const wanted = Math.round((eventsOf(histogram) * percentile) / 100);
  let seen = 0;
  for (const { ms, count } of histogram) {
    seen += count;
    if (seen >= wanted) return ms;
  }
  return histogram.at(-1)?.ms;
}

/** One part per second up to here; later ones are of a minute, as cuts of long runs need no such precision. */
const FINE_SECONDS = 600;
const COARSE_SECONDS = 60;

/** Consecutive histograms, in no more parts than a cut of the warm-up needs. */
export class HistogramParts {
  readonly #parts: { from: number; to: number; counts: Map<number, number> }[] = [];
  #slot: number | undefined;

  /** Adds the events after the previous ones, up to second `to`: latency in ms → count. */
  add(to: number, counts: ReadonlyMap<number, number>): void {
    const slot =
      to <= FINE_SECONDS ? Math.ceil(to) : FINE_SECONDS + Math.ceil((to - FINE_SECONDS) / COARSE_SECONDS) * 60;
    let part = this.#parts.at(-1);
    if (!part || slot !== this.#slot) {
      part = { from: part?.to ?? 0, to, counts: new Map() };
      this.#parts.push(part);
    }
    this.#slot = slot;
    part.to = Math.max(part.to, to);
    for (const [ms, count] of counts) if (count > 0) part.counts.set(ms, (part.counts.get(ms) ?? 0) + count);
  }

  /** Undefined without events. */
  get parts(): readonly HistogramPart[] | undefined {
    const some = this.#parts.map(({ from, to, counts }) => ({ from, to, histogram: rowsOf(counts) }));
    return some.some(({ histogram }) => histogram.length > 0) ? some : undefined;
  }
}

/** Rows of latencies in ms and the number of events with each. */
const rowsOf = (counts: ReadonlyMap<number, number>): Histogram =>
  [...counts].map(([ms, count]) => ({ ms, count })).sort((a, b) => a.ms - b.ms);

/** This share of the window's length before the cut is negligible. */
const NEGLIGIBLE = 0.02;

/**
 * The events of a window that begins at second `cut`: all parts that end after it. `whole`: one of them begins so long before it that
 * events of the warm-up count.
 */
export function eventsBehind(
  parts: readonly HistogramPart[],
  cut: number,
  end = Number.POSITIVE_INFINITY,
): { histogram: Histogram; whole: boolean } {
  const inside = parts.filter(({ from, to }) => to > cut && (to <= end || from < end));
  const last = inside.reduce((latest, { to }) => Math.max(latest, to), cut);
  const whole = inside.some(({ from }) => cut - from > Math.max(1, (last - cut) * NEGLIGIBLE));
  return { histogram: mergeHistograms(inside.map(({ histogram }) => histogram)), whole };
}
