import type { Finding } from '../../../../../shared/model/finding.ts';
import { readNumber } from '../../../../../shared/patterns/index.ts';
import { formatCount } from '../../../../../shared/util/format.ts';
import { secondRanges, secondsMissing } from '../../faults.ts';
import type { ParsedSample } from '../../tool.ts';
import { factorOf, type GroupMetric, TIME_GROUP } from '../options/metric-lines.ts';

const MOST_MISSING = 100_000;

/**
 * Turns the figures of matched lines of one stream into samples. If several lines belong to a second, it is emitted when all of them have arrived.
 */
export class Series {
  readonly #emit: (sample: ParsedSample) => void;
  readonly #metrics: readonly GroupMetric[];
  readonly #patterns: number;
  readonly #interval: number;
  readonly #clock: Clock;
  #pending: { t: number | undefined; metrics: Record<string, number>; seen: Set<number> } | undefined;
  #last: number | undefined;
  #count = 0;
  #unread: string | undefined;
  readonly #missing: number[] = [];
  readonly #repeated: number[] = [];

  constructor(
    emit: (sample: ParsedSample) => void,
    how: { metrics: readonly GroupMetric[]; patterns: number; interval: number },
  ) {
    this.#emit = emit;
    this.#metrics = how.metrics;
    this.#patterns = how.patterns;
    this.#interval = how.interval;
    this.#clock = new Clock(how.interval);
  }

  get any(): boolean {
    return this.#count > 0;
  }

  /** Whether the groups found by the pattern with this index contain any figures. */
  add(pattern: number, groups: ReadonlyMap<string, string>, line: string): boolean {
    const metrics = this.#figures(groups, line);
    const time = groups.get(TIME_GROUP);
    const t = time === undefined ? undefined : this.#clock.read(time);
    if (time !== undefined && t === undefined) this.#unread ??= line;
    if (time !== undefined && t === undefined) return false;
    if (this.#pending && (this.#pending.seen.has(pattern) || (t !== undefined && t !== this.#pending.t))) this.#flush();
    this.#pending ??= { t, metrics: {}, seen: new Set() };
    this.#pending.t ??= t;
    Object.assign(this.#pending.metrics, metrics);
    this.#pending.seen.add(pattern);
    if (this.#pending.seen.size === this.#patterns) this.#flush();
    return time !== undefined || Object.keys(metrics).length > 0;
  }

  #figures(groups: ReadonlyMap<string, string>, line: string): Record<string, number> {
    const metrics: Record<string, number> = {};
    for (const { group, metric, factor, unitGroup } of this.#metrics) {
      const text = groups.get(group);
      if (text === undefined) continue;
      const unit = unitGroup === undefined ? 1 : factorOf(metric, groups.get(unitGroup) ?? '');
      const number = readNumber(text);
      if (number === undefined || unit === undefined) this.#unread ??= line;
      else metrics[metric] = number * factor * unit;
    }
    return metrics;
  }

  #flush(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (!pending) return;
    const t = pending.t ?? this.#clock.next();
    if (Object.keys(pending.metrics).length === 0) return;
    const last = this.#last;
    if (last !== undefined && t <= last) {
      this.#repeated.push(t);
      return;
    }
    this.#last = t;
    this.#count += 1;
    if (last !== undefined && this.#interval > 0) this.#gap(last, t);
    this.#emit({ t, metrics: pending.metrics });
  }

  #gap(last: number, t: number): void {
    const step = this.#interval;
    for (let second = last + step; second < t - step / 2 && this.#missing.length < MOST_MISSING; second += step)
      this.#missing.push(Number(second.toFixed(3)));
  }

  /** Findings at the end of the output. */
  findings(): Finding[] {
    const findings: Finding[] = [];
    if (this.#missing.length > 0) findings.push(secondsMissing('The command', this.#missing, this.#interval));
    if (this.#repeated.length > 0)
      findings.push({
        code: 'seconds-repeated',
        severity: 'warn',
        message: `${formatCount(this.#repeated.length, 'line')} repeated a second that was already reported (${secondRanges(this.#repeated, this.#interval || 1)}), and ${this.#repeated.length === 1 ? 'is' : 'are'} excluded.`,
        next: 'If a program prints several lines per second, make the pattern match only one of them, or write a pattern for each.',
      });
    if (this.#unread !== undefined)
      findings.push({
        code: 'values-unread',
        severity: 'warn',
        message: 'A pattern matches, but one of its groups is not a number in a known unit.',
        evidence: this.#unread.slice(0, 300),
        next: 'Make the group match digits only, and enter the unit under “Metrics”.',
      });
    return findings;
  }
}

/** A larger number is seconds since 1970, and is converted to seconds since the first line. */
const EPOCH = 1_000_000_000;
const DAY = 86_400;
const CLOCK = /^(?:(\d{1,2}):)?(\d{1,2}):(\d{2}(?:\.\d+)?)$/;

/** Seconds of a sample: from the time printed in a line, or by counting lines, one per interval (0: no fixed pace). */
class Clock {
  readonly #interval: number;
  #zero: number | undefined;
  #last: number | undefined;
  #lines = 0;

  constructor(interval: number) {
    this.#interval = interval;
  }

  /** `12.5`, `1:02:03`, or seconds since 1970. Undefined for any other format. */
  read(text: string): number | undefined {
    const [, hours, minutes, seconds] = CLOCK.exec(text.trim()) ?? [];
    if (seconds !== undefined)
      return this.#since(Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds), DAY);
    const number = readNumber(text);
    if (number === undefined || number < 0) return undefined;
    return number >= EPOCH ? this.#since(number, 0) : number;
  }

  /** The end of the next interval. */
  next(): number {
    this.#lines += 1;
    return Number((this.#lines * (this.#interval || 1)).toFixed(6));
  }

  /** A time of day restarts at midnight, `wrap` seconds after the previous midnight. The first line ends the first interval. */
  #since(at: number, wrap: number): number {
    this.#zero ??= at - this.#interval;
    if (wrap > 0 && this.#last !== undefined && at < this.#last - wrap / 2) this.#zero -= wrap;
    this.#last = at;
    return Number((at - this.#zero).toFixed(6));
  }
}
