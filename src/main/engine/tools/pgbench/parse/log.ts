import { type HistogramPart, HistogramParts } from '../../../../../shared/stats/index.ts';
import type { ParsedSample } from '../../tool.ts';
import { LATENCIES_MARK, LOG_MARK } from '../plan/index.ts';

/** Epoch second, transactions, sum, sum of squares, minimum and maximum latency in µs; further columns depend on the version. */
const ROW = /^\d{9,11} (\d+) \d+ \d+ (\d+) (\d+)((?: \d+){0,9})$/;

/** Epoch second, latency in µs, transactions. */
const LATENCY_ROW = /^(\d{9,11}) (\d+) (\d+)$/;

/** Latencies of all transactions, counted by the run's command after pgbench's report. */
export class LatencyReader {
  #inRows = false;
  readonly #seconds = new Map<number, Map<number, number>>();

  line(line: string): boolean {
    if (line === LATENCIES_MARK) {
      this.#inRows = true;
      return true;
    }
    const found = this.#inRows ? LATENCY_ROW.exec(line) : null;
    if (!found) return false;
    const [second = 0, microseconds = 0, count = 0] = found.slice(1).map(Number);
    const counts = this.#seconds.get(second) ?? new Map<number, number>();
    counts.set(microseconds / 1000, (counts.get(microseconds / 1000) ?? 0) + count);
    this.#seconds.set(second, counts);
    return true;
  }

  /** By seconds since the first transaction. Undefined without transactions. */
  get parts(): readonly HistogramPart[] | undefined {
    const parts = new HistogramParts();
    const seconds = [...this.#seconds].sort(([a], [b]) => a - b);
    const first = seconds[0]?.[0] ?? 0;
    for (const [second, counts] of seconds) parts.add(second - first + 1, counts);
    return parts.parts;
  }
}

/** Rows of the aggregated logs, printed by the run's command after pgbench's report. */
export class LogReader {
  #inLog = false;
  #shortest = Number.POSITIVE_INFINITY;
  #longest = Number.NEGATIVE_INFINITY;

  line(line: string): boolean {
    if (line === LOG_MARK) {
      this.#inLog = true;
      return true;
    }
    const found = this.#inLog ? ROW.exec(line) : null;
    if (!found) return false;
    const [transactions = 0, shortest = 0, longest = 0] = found.slice(1).map(Number);
    if (transactions > 0) {
      this.#shortest = Math.min(this.#shortest, shortest);
      this.#longest = Math.max(this.#longest, longest);
    }
    return true;
  }

  /** Minimum and maximum latency of the whole run in ms, including the warm-up. */
  get summary(): Record<string, number> {
    return this.#longest < this.#shortest
      ? {}
      : { latency_min_ms: this.#shortest / 1000, latency_max_ms: this.#longest / 1000 };
  }
}

const TUPLES =
  /^(\d+) of (\d+) tuples \((\d+)%\)(?: of pgbench_accounts)? done \(elapsed ([\d.]+) s, remaining [\d.]+ s\) *$/;
const DONE = /^done(?: in ([\d.]+) s(?: \((.*)\))?)?\.$/;
const PART =
  /^(drop tables|create tables|client-side generate|server-side generate|vacuum|primary keys|foreign keys) ([\d.]+) s$/;
const WORDS =
  /^(dropping old tables|creating tables|creating \d+ partitions|generating data \((client|server)-side\)|vacuuming|creating primary keys|creating foreign keys|set primary keys|generating data)\.\.\.$/;

/** Reads the output of `--initialize`: progress, as a sample for each second, and the seconds of its steps. */
export class InitReader {
  readonly #summary: Record<string, number> = {};
  readonly #emit: (sample: ParsedSample) => void;
  #done = false;
  /** The progress at the last sample. */
  #last = { seconds: 0, rows: 0 };

  constructor(emit: (sample: ParsedSample) => void) {
    this.#emit = emit;
  }

  get done(): boolean {
    return this.#done;
  }

  get summary(): Record<string, number> {
    return this.#summary;
  }

  line(line: string): boolean {
    const tuples = TUPLES.exec(line);
    if (tuples) this.#progress(Number(tuples[1]), Number(tuples[4]));
    const done = DONE.exec(line);
    if (done) this.#finished(done[1], done[2]);
    return tuples !== null || done !== null || WORDS.test(line);
  }

  #progress(rows: number, seconds: number): void {
    this.#summary.rows_inserted_total = rows;
    const { seconds: before, rows: had } = this.#last;
    if (Math.floor(seconds) <= Math.floor(before)) return;
    this.#emit({ t: Math.floor(seconds), metrics: { rows_per_s: (rows - had) / (seconds - before) } });
    this.#last = { seconds, rows };
  }

  #finished(total: string | undefined, parts: string | undefined): void {
    this.#done = true;
    if (total !== undefined) this.#summary.total_time_s = Number(total);
    for (const part of parts?.split(', ') ?? []) {
      const [, name, seconds] = PART.exec(part) ?? [];
      if (name) this.#summary[`${name.replaceAll(/[ -]/g, '_')}_s`] = Number(seconds);
    }
  }
}
