import type { IntervalLine, SummaryLine } from './lines.ts';
import { KINDS, kindsOf, type MixName } from './settings.ts';
import {
  ERRORS,
  HISTOGRAM_CELLS,
  LATENCY_MAX,
  LATENCY_MIN,
  LATENCY_SUM,
  quantiles,
  type ThreadMemory,
} from './shared.ts';

const FRACTIONS = [0.5, 0.95, 0.99, 0.999, 1] as const;

/** Changes between two readings of the threads' counters. */
interface Span {
  counts: number[];
  errors: number;
  latencySum: number;
  histogram: Float64Array;
}

type Totals = Pick<SummaryLine, 'ops' | 'errors'> & Partial<Record<(typeof KINDS)[number], number>>;
type Latencies = Pick<SummaryLine, 'mean_ms' | 'p50_ms' | 'p95_ms' | 'p99_ms' | 'p999_ms' | 'max_ms'>;

const milliseconds = (nanoseconds: number): number => Number((nanoseconds / 1e6).toPrecision(4));

const emptySpan = (): Span => ({
  counts: KINDS.map(() => 0),
  errors: 0,
  latencySum: 0,
  histogram: new Float64Array(HISTOGRAM_CELLS),
});

/** Turns the threads' growing counters into lines. Every operation falls into exactly one interval, so the intervals add up to the summary. */
export class Report {
  readonly #threads: readonly ThreadMemory[];
  readonly #mix: MixName;
  readonly #seen: { counters: Float64Array; histogram: Uint32Array }[];
  readonly #whole = emptySpan();

  constructor(threads: readonly ThreadMemory[], mix: MixName) {
    this.#threads = threads;
    this.#mix = mix;
    this.#seen = threads.map(({ counters, histogram }) => ({
      counters: new Float64Array(counters.length),
      histogram: new Uint32Array(histogram.length),
    }));
  }

  /** Changes since the last call. `seconds` is called after the counters are read, so nothing is counted that happened after its time. */
  interval(t: number, seconds: () => number): IntervalLine {
    const span = this.#take();
    return { kind: 'interval', t, seconds: seconds(), ...this.#totals(span), ...latenciesOf(span, this.#most()) };
  }

  /** The total of all intervals. */
  summary(ended: SummaryLine['ended'], seconds: number, databaseBytes: number): SummaryLine {
    const least = this.#threads.map(({ counters }) => counters[LATENCY_MIN] ?? 0).filter((value) => value > 0);
    return {
      kind: 'summary',
      ended,
      seconds,
      ...this.#totals(this.#whole),
      ...(least.length > 0 ? { min_ms: milliseconds(Math.min(...least)) } : {}),
      ...latenciesOf(this.#whole, this.#most()),
      databaseBytes,
    };
  }

  /** The exact longest latency so far. The histogram is only accurate to 0.2 %. */
  #most(): number {
    return Math.max(...this.#threads.map(({ counters }) => counters[LATENCY_MAX] ?? 0));
  }

  #totals(span: Span): Totals {
    const kinds = kindsOf(this.#mix).map((kind) => [kind, span.counts[KINDS.indexOf(kind)] ?? 0] as const);
    return {
      ops: span.counts.reduce((sum, count) => sum + count, 0),
      ...Object.fromEntries(kinds),
      errors: span.errors,
    };
  }

  #take(): Span {
    const span = emptySpan();
    this.#threads.forEach((thread, index) => {
      const seen = this.#seen[index];
      if (!seen) return;
      const counters = thread.counters.slice();
      const histogram = thread.histogram.slice();
      const since = (cell: number): number => (counters[cell] ?? 0) - (seen.counters[cell] ?? 0);
      KINDS.forEach((_, kind) => {
        span.counts[kind] = (span.counts[kind] ?? 0) + since(kind);
      });
      span.errors += since(ERRORS);
      span.latencySum += since(LATENCY_SUM);
      for (let cell = 0; cell < histogram.length; cell += 1) {
        // Unsigned difference: correct even after a cell exceeded 2^32 in a run of days.
        span.histogram[cell] =
          (span.histogram[cell] ?? 0) + (((histogram[cell] ?? 0) - (seen.histogram[cell] ?? 0)) >>> 0);
      }
      seen.counters.set(counters);
      seen.histogram.set(histogram);
    });
    this.#keep(span);
    return span;
  }

  #keep(span: Span): void {
    const whole = this.#whole;
    span.counts.forEach((count, kind) => {
      whole.counts[kind] = (whole.counts[kind] ?? 0) + count;
    });
    whole.errors += span.errors;
    whole.latencySum += span.latencySum;
    span.histogram.forEach((count, cell) => {
      whole.histogram[cell] = (whole.histogram[cell] ?? 0) + count;
    });
  }
}

function latenciesOf(span: Span, most: number): Latencies {
  const values = quantiles(span.histogram, FRACTIONS);
  if (!values) return {};
  const count = span.histogram.reduce((sum, cell) => sum + cell, 0);
  const [p50 = 0, p95 = 0, p99 = 0, p999 = 0, max = 0] = values.map((value) => milliseconds(Math.min(value, most)));
  return {
    mean_ms: milliseconds(span.latencySum / count),
    p50_ms: p50,
    p95_ms: p95,
    p99_ms: p99,
    p999_ms: p999,
    max_ms: max,
  };
}
