import { z } from 'zod';
import type { ParseEvents, ParseOutcome, Parser, ToolReader } from '../tool.ts';

/** Columns of `*.samples.csv` by their headings, and their metrics. Latencies are in microseconds there. */
const METRICS: Readonly<Record<string, string>> = {
  'Throughput (requests/second)': 'ops',
  'Minimum Latency (microseconds)': 'latency_min_ms',
  'Median Latency (microseconds)': 'latency_p50_ms',
  'Average Latency (microseconds)': 'latency_avg_ms',
  '75th Percentile Latency (microseconds)': 'latency_p75_ms',
  '90th Percentile Latency (microseconds)': 'latency_p90_ms',
  '95th Percentile Latency (microseconds)': 'latency_p95_ms',
  '99th Percentile Latency (microseconds)': 'latency_p99_ms',
  'Maximum Latency (microseconds)': 'latency_max_ms',
};
const TIME = 'Time (seconds)';
const REQUESTS = 'Requests';

/**
 * `*.samples.csv` of BenchBase: a line for each second, labelled with its start. Requests aborted by the server are included. Source:
 * `ResultWriter.java` of BenchBase. Its `*.results.csv` has longer intervals in milliseconds, and is refused because of its header.
 */
export const benchbaseReader: ToolReader = {
  id: 'benchbase',
  title: 'BenchBase',
  options: z.object({}),
  metrics: { primary: () => 'ops' },
  parser: (_phase, _options, events) => new SamplesParser(events),
};

class SamplesParser implements Parser {
  readonly #events: ParseEvents;
  #head: readonly string[] | undefined;
  #requests = 0;
  #seconds = 0;

  constructor(events: ParseEvents) {
    this.#events = events;
  }

  line(text: string, _stream: 'stdout' | 'stderr', cut = false): void {
    if (text.trim() === '') return;
    const cells = text.split(',');
    if (!this.#head && cells[0] === TIME && cells[1] === REQUESTS && cells.some((each) => each in METRICS)) {
      this.#head = cells;
      return;
    }
    const values = cells.map(Number);
    // The last line of a truncated file may be incomplete.
    if (cut || values.length !== this.#head?.length || values.some(Number.isNaN)) {
      this.#events.unparsed(text);
      return;
    }
    const [start = 0, requests = 0] = values;
    this.#requests += requests;
    this.#seconds += 1;
    this.#events.sample({ t: start + 1, metrics: this.#metricsOf(values) });
  }

  #metricsOf(values: readonly number[]): Record<string, number> {
    const entries = (this.#head ?? []).flatMap((words, index): [string, number][] => {
      const [metric, value = -1] = [METRICS[words], values[index]];
      // A second in which nothing completed has negative latencies: no values.
      if (metric === undefined || value < 0) return [];
      return [[metric, words.endsWith('(microseconds)') ? value / 1000 : value]];
    });
    return Object.fromEntries(entries);
  }

  end(): ParseOutcome {
    if (this.#seconds > 0)
      return { ok: true, summary: { ops_total: this.#requests, ops: this.#requests / this.#seconds } };
    return {
      ok: false,
      summary: {},
      reason: {
        code: 'nothing-read',
        severity: 'error',
        message: 'It contains no line of BenchBase’s *.samples.csv.',
        next: 'Use the file whose name ends in .samples.csv: it has every second.',
      },
    };
  }
}
