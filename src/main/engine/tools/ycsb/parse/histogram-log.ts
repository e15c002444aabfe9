import { type HistogramPart, HistogramParts } from '../../../../../shared/stats/index.ts';
import { HISTOGRAM_MARK } from '../plan/launcher.ts';
import { decodeHistogram } from './hdr-histogram.ts';
import { operationName } from './samples.ts';

const BASE = /^#\[StartTime: (\d+(?:\.\d+)?) \(seconds since epoch\)/;
/** Seconds since the base at which an interval began, its length, its maximum, and its histogram. */
const ROW = /^(\d+\.\d+),(\d+\.\d+),\d+\.\d+,(HIST[\w+/]+=*)$/;
/**
 * Two threads that begin a kind of operation at once both open its log; the later one empties it. Where the other has written rows, and writes
 * on behind them, zeros are left. Seen for CLEANUP, which all threads begin at the end.
 */
const EMPTIED = /^\0+/;
const COMMENT = /^(#\[.*\]|"StartTimestamp",.*)$/;
const US_PER_MS = 1000;
/** Zones of the printed clock differ from UTC by multiples of this. */
const ZONE_STEP = 900;
/** Intervals end with a status line, a little before or after its second. */
const JITTER = 0.3;

interface Interval {
  /** Epoch seconds of its end. */
  readonly end: number;
  readonly counts: ReadonlyMap<number, number>;
}

/** Logs of HdrHistogram that the launcher prints after a run: how many operations took how long between two status lines, by operation. */
export class HistogramLogs {
  readonly #logs = new Map<string, Interval[]>();
  readonly #damaged = new Set<string>();
  #name: string | undefined;
  #base = 0;
  #zero: number | undefined;

  /** A status line tells when YCSB's second 0 was: `clock` in ms, of an unknown zone. Whole seconds are rounded down, so the earliest is it. */
  status(clock: number | undefined, t: number): void {
    if (clock === undefined) return;
    const zero = clock / 1000 - t;
    this.#zero = Math.min(this.#zero ?? zero, zero);
  }

  /** Whether the line belongs to a log. */
  line(text: string): boolean {
    if (text.startsWith(HISTOGRAM_MARK)) {
      this.#name = text.slice(HISTOGRAM_MARK.length);
      this.#base = 0;
      return true;
    }
    if (this.#name === undefined) return false;
    const base = BASE.exec(text)?.[1];
    if (base !== undefined) this.#base = Number(base);
    const row = text.replace(EMPTIED, '');
    const [, start, length, packed] = ROW.exec(row) ?? [];
    if (packed === undefined) return base !== undefined || COMMENT.test(text);
    const counts = decodeHistogram(packed);
    if (!counts || row !== text || this.#base === 0) {
      this.#damaged.add(this.#name);
      // What is no load is not needed.
      return counts !== undefined && operationName(this.#name).kind === undefined;
    }
    const log = this.#logs.get(this.#name) ?? [];
    this.#logs.set(this.#name, log);
    log.push({ end: this.#base + Number(start) + Number(length), counts });
    return true;
  }

  /**
   * By family, on the seconds of the status lines: `read_latency`, and `latency` where there was one kind of operation only. Without those
   * of failed operations. Undefined where there is no log.
   */
  get latencies(): Record<string, readonly HistogramPart[]> | undefined {
    const found: Record<string, readonly HistogramPart[]> = {};
    const kinds = new Set<string>();
    for (const [name, log] of this.#logs) {
      const { kind, failed, intended, form } = operationName(name);
      const parts = this.#parts(log);
      if (kind === undefined || failed || form !== 'hdr' || !parts) continue;
      if (!intended) kinds.add(kind);
      if (!this.#damaged.has(name)) found[`${kind}${intended ? '_intended' : ''}_latency`] = parts;
    }
    const [only, ...others] = kinds;
    const all = others.length === 0 ? found[`${only}_latency`] : undefined;
    if (all) found.latency = all;
    return Object.keys(found).length > 0 ? found : undefined;
  }

  #parts(log: readonly Interval[]): readonly HistogramPart[] | undefined {
    const zero = this.#epochOfZero(log[0]?.end ?? 0);
    const parts = new HistogramParts();
    for (const { end, counts } of log) {
      const [t, nearest] = [end - zero, Math.round(end - zero)];
      const to = Math.abs(t - nearest) < JITTER ? nearest : t;
      // Status lines begin with one of second 0.
      parts.add(Math.max(1, to), new Map([...counts].map(([us, count]) => [us / US_PER_MS, count])));
    }
    return parts.parts;
  }

  #epochOfZero(near: number): number {
    const zero = this.#zero ?? this.#earliest;
    return zero - Math.round((zero - near) / ZONE_STEP) * ZONE_STEP;
  }

  /** Without status lines: the first interval ends with the first second. */
  get #earliest(): number {
    return Math.min(...[...this.#logs.values()].map(([first]) => (first?.end ?? Number.POSITIVE_INFINITY) - 1));
  }
}
