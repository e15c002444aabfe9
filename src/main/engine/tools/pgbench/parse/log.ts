import { LOG_MARK } from '../plan/index.ts';

/** Epoch second, transactions, sum, sum of squares, shortest and longest latency in µs; what follows depends on the version. */
const ROW = /^\d{9,11} (\d+) \d+ \d+ (\d+) (\d+)((?: \d+){0,9})$/;

/** Rows of the aggregated logs, as the run's step prints them behind pgbench's report. */
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

  /** Shortest and longest latency of the whole run in ms, warm-up included. */
  get summary(): Record<string, number> {
    return this.#longest < this.#shortest
      ? {}
      : { latency_min_ms: this.#shortest / 1000, latency_max_ms: this.#longest / 1000 };
  }
}
