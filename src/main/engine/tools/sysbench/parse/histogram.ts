import { percentileMetric } from '../../../../../shared/metrics/index.ts';
import { eventsOf, type Histogram, percentileOf } from '../../../../../shared/stats/index.ts';

const HEADER = /^\s*value\s+-+ distribution -+ count$/;
const ROW = /^\s*(\d+\.\d{3}) \|\**\s+(\d+)$/;
/** Percentiles that a histogram is good for, and the events it takes for each to mean something. */
const PERCENTILES = [
  { percentile: 50, events: 1 },
  { percentile: 75, events: 4 },
  { percentile: 90, events: 10 },
  { percentile: 95, events: 20 },
  { percentile: 99, events: 100 },
  { percentile: 99.9, events: 1000 },
];

/** The latency histogram of `--histogram`: events by latency, in rising order, as sysbench prints it in front of its final report. */
export class LatencyHistogram {
  readonly #rows: Histogram[number][] = [];

  /** Whether the line belongs to it. */
  line(text: string): boolean {
    const [, ms, count] = ROW.exec(text) ?? [];
    if (ms !== undefined) this.#rows.push({ ms: Number(ms), count: Number(count) });
    return ms !== undefined || HEADER.test(text);
  }

  /** Its size, and percentiles if it holds the `events` of the report: after a checkpoint a few of them can be missing. */
  figures(events: number | undefined): Record<string, number> {
    if (this.#rows.length === 0) return {};
    const total = eventsOf(this.#rows);
    const figures: Record<string, number> = { histogram_rows: this.#rows.length, histogram_events_total: total };
    const whole = this.whole(events);
    if (!whole) return figures;
    for (const { percentile, events: least } of PERCENTILES) {
      const ms = total >= least ? percentileOf(whole, percentile) : undefined;
      if (ms !== undefined) figures[percentileMetric(percentile)] = ms;
    }
    return figures;
  }

  /** Its rows, if they hold the `events` of the report. */
  whole(events: number | undefined): Histogram | undefined {
    const total = eventsOf(this.#rows);
    const holds = events !== undefined && Math.abs(events - total) <= Math.max(1, events / 100);
    return this.#rows.length > 0 && holds ? this.#rows : undefined;
  }
}
