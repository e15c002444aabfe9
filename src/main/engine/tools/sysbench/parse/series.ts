import { isMetric, percentileMetric } from '../../../../../shared/metrics/index.ts';
import type { Finding } from '../../../../../shared/model/finding.ts';
import { linesDoubled, noProgress, runsMixed, secondRanges, secondsMissing } from '../../faults.ts';
import type { ParsedSample } from '../../tool.ts';

/** The content of an interval line. A figure is undefined if the line does not have it, NaN if it is not a plausible number. */
export interface Figures {
  metrics: Record<string, number | undefined>;
  /** `percentile` as in the label; 0 = disabled. */
  latencies: readonly { percentile: number; ms: number | undefined }[];
  /** Above zero if anything was completed in this interval. */
  progress: number | undefined;
}

export interface Shape {
  /** Sticky; its groups are passed to `read` in order. */
  pattern: RegExp;
  read(groups: (string | undefined)[]): Figures;
}

export const INTEGER = '(\\d{1,9})';
/** Always with the decimals of the format, so that a truncated number is not read as a complete one. */
export const DECIMAL = ' *(-?(?:\\d+\\.\\d{2,3}|nan|inf)|N/A)';

/** Allowed text after the last figure of a line: a byte damaged in transit must not shorten the figure. */
export const END = '(?=\\s|$|\\[)';

/** Counters that were reset between two readings wrap around, with figures near 2^64: not a value. */
const IMPLAUSIBLE = 1e15;

/** The completed work in an interval of SQL. Statements count if there are no transactions, as in scripts that do not use them. */
export const ended = (...rates: (number | undefined)[]): number | undefined => {
  const known = rates.filter((rate): rate is number => rate !== undefined && !Number.isNaN(rate));
  return known.length === 0 ? undefined : Math.max(...known);
};

/** A number as printed. NaN if implausible; undefined if missing. */
export function decimal(text: string | undefined): number | undefined {
  // go-sysbench prints N/A for values that its driver does not count.
  if (text === undefined || text === 'N/A') return undefined;
  const value = Number(text);
  return Math.abs(value) < IMPLAUSIBLE ? value : Number.NaN;
}

/** End of sysbench's percentile scale; longer times count as this. */
export const LARGEST_MS = 100_000;

export const scaleEnds = (where: string): Finding => ({
  code: 'percentile-at-limit',
  severity: 'warn',
  message: `A percentile is 100,000 ms${where}: the end of sysbench’s scale, so the true value is this or more.`,
  next: 'Take the largest latency from the final report, and find out why events take minutes.',
});

type Sample = { t: number } & Figures;

/** Converts interval figures to samples, and collects irregular times and values. */
export class Series {
  readonly #emit: (sample: ParsedSample) => void;
  #pending: ParsedSample | undefined;
  #queueExpected = false;
  #interval = 1;
  #checkpoint: number | undefined;
  #own: ParsedSample | undefined;
  #first: number | undefined;
  #last: number | undefined;
  #count = 0;
  #withErrors = false;
  #withReconnects = false;
  /** Whether a transaction was counted in any interval so far. */
  #committed = false;
  #uncounted = 0;
  readonly #zero: number[] = [];
  readonly #missing: number[] = [];
  readonly #repeated: number[] = [];
  /** The previous line, to detect a duplicate. */
  #line = '';
  #doubled = 0;
  readonly #wrapped: number[] = [];
  readonly #capped: number[] = [];

  constructor(emit: (sample: ParsedSample) => void) {
    this.#emit = emit;
  }

  get any(): boolean {
    return this.#count > 0;
  }
  /** Whether a time equals that of the first line again, after later ones: another run has begun. */
  restarts(t: number): boolean {
    return t === this.#first && this.#last !== undefined && this.#last > t;
  }
  get withErrors(): boolean {
    return this.#withErrors;
  }
  get withReconnects(): boolean {
    return this.#withReconnects;
  }

  /** With a target rate, each interval line is followed by one about the queue; together they form one sample. */
  expectQueue(): void {
    this.#queueExpected = true;
  }
  setInterval(seconds: number): void {
    if (seconds > 0) this.#interval = seconds;
  }
  /** A script's own figures, which belong to the next interval if it has the same second. */
  own(sample: ParsedSample): void {
    this.#own = sample;
  }
  checkpoint(t: number): void {
    this.flush();
    this.#checkpoint = t;
  }

  add(sample: Sample): void {
    const line = JSON.stringify(sample);
    if (line === this.#line) {
      this.#doubled += 1;
      return;
    }
    this.#line = line;
    this.flush();
    this.#clock(sample.t);
    const metrics: Record<string, number> = this.#own?.t === sample.t ? { ...this.#own.metrics } : {};
    this.#own = undefined;
    for (const [id, value] of Object.entries(sample.metrics)) {
      if (Number.isNaN(value)) this.#wrapped.push(sample.t);
      else if (value !== undefined) metrics[id] = value;
    }
    // 0.00 is printed if no event completed, and in the second of a checkpoint, which has just reset the counters.
    const idle = sample.progress === 0 || sample.metrics.tps === 0 || sample.t === this.#checkpoint;
    for (const { percentile, ms } of sample.latencies)
      if (percentile > 0 && ms !== undefined && !Number.isNaN(ms) && !(ms === 0 && idle))
        metrics[percentileMetric(percentile)] = ms;
    if (sample.latencies.some(({ ms }) => ms === LARGEST_MS)) this.#capped.push(sample.t);
    if (sample.progress === 0) this.#zero.push(sample.t);
    if (this.#statementsOnly(sample)) delete metrics.tps;
    if ((metrics.errors_per_s ?? 0) > 0) this.#withErrors = true;
    if ((metrics.reconnects_per_s ?? 0) > 0) this.#withReconnects = true;
    this.#count += 1;
    const parsed = { t: sample.t, metrics };
    if (this.#queueExpected) this.#pending = parsed;
    else this.#emit(parsed);
  }

  /**
   * 0.4 and 0.5 print `tps: 0.00` together with thousands of reads if a script commits nothing: the rate does not exist then, rather than being zero.
   * Once a transaction was counted, a zero is real.
   */
  #statementsOnly({ metrics, progress = 0 }: Sample): boolean {
    if ((metrics.tps ?? 0) > 0) this.#committed = true;
    const none = metrics.tps === 0 && metrics.qps === undefined && progress > 0 && !this.#committed;
    if (none) this.#uncounted += 1;
    return none;
  }

  /** False if there is no sample of this second to add it to. */
  queue(t: number, length: number, concurrency: number): boolean {
    this.#queueExpected = true;
    const sample = this.#pending;
    if (sample?.t !== t) return false;
    sample.metrics.queue_length = length;
    sample.metrics.queue_concurrency = concurrency;
    this.flush();
    return true;
  }

  /** Emits a sample that was not followed by a queue line. */
  flush(): void {
    const sample = this.#pending;
    this.#pending = undefined;
    if (sample) this.#emit(sample);
  }

  #clock(t: number): void {
    const last = this.#last;
    this.#first ??= t;
    this.#last = t;
    if (last === undefined || t < last) return;
    if (t === last) this.#repeated.push(t);
    // The statistics table of Lua reporters counts in fractions of a second.
    for (
      let second = last + this.#interval;
      Math.round(second) < Math.round(t) && this.#missing.length < 100_000;
      second += this.#interval
    )
      this.#missing.push(Math.round(second));
  }

  /** Findings at the end of the output. */
  findings(): Finding[] {
    const findings: Finding[] = [];
    const step = this.#interval;
    if (this.#zero.length > 0) findings.push(noProgress('event', 'the system', this.#zero, step));
    if (this.#uncounted > 0 && !this.#committed)
      findings.push({
        code: 'transactions-uncounted',
        severity: 'note',
        message:
          'sysbench counted statements but no transactions: the script runs statements outside of transactions. There is no transaction rate; use the read and write rates.',
      });
    if (this.#capped.length > 0) findings.push(scaleEnds(` in second ${secondRanges(this.#capped, step)}`));
    if (this.#doubled > 0) findings.push(linesDoubled(this.#doubled));
    // A tool that catches up has missed seconds before.
    if (this.#repeated.length > 1 && this.#missing.length === 0)
      findings.push(runsMixed('sysbench', this.#repeated, step));
    else if (this.#repeated.length > 0)
      findings.push({
        code: 'seconds-repeated',
        severity: 'warn',
        message: `sysbench printed a second more than once (${secondRanges(this.#repeated, step)}): the tool was suspended for a while and then caught up.`,
        next: 'The generator was overloaded or suspended, or the process was stopped: repeat the run.',
      });
    if (this.#missing.length > 0) findings.push(secondsMissing('sysbench', this.#missing, step));
    if (this.#wrapped.length > 0)
      findings.push({
        code: 'values-implausible',
        severity: 'note',
        message: `Some figures of second ${secondRanges([...new Set(this.#wrapped)], step)} are implausible (counters wrapped around) and were omitted.`,
      });
    return findings;
  }
}

/** Figures counted by a script: `[ 3s ] metrics: new_orders_per_s=118.00 rows_inserted=4711`, before the interval line of the same second. */
const FIGURE = new RegExp(`([a-z][a-z0-9_]*)=(-?\\d+(?:\\.\\d+)?|-?nan|-?inf)${END} ?`, 'y');
const WORD = /metrics: /y;
/** At the end of the run: `metrics total: new_orders_total=1177`. */
const TOTALS = /^metrics total:((?: [a-z][a-z0-9_]*=-?\d+(?:\.\d+)?)+)$/;

/** Registered metrics from position `at`. Undefined without such a statement. It ends at the first figure with another name. */
export function ownMetricsAt(line: string, at: number): { metrics: Record<string, number>; end: number } | undefined {
  WORD.lastIndex = at;
  if (!WORD.test(line)) return undefined;
  const metrics: Record<string, number> = {};
  let end = WORD.lastIndex;
  for (;;) {
    FIGURE.lastIndex = end;
    const [, id = '', text] = FIGURE.exec(line) ?? [];
    if (text === undefined || !isMetric(id)) break;
    const value = decimal(text);
    if (value !== undefined && !Number.isNaN(value)) metrics[id] = value;
    end = FIGURE.lastIndex;
  }
  return Object.keys(metrics).length > 0 ? { metrics, end } : undefined;
}

/** Totals of a script by its own names. Undefined for any other line. */
export function ownTotals(line: string): Record<string, number> | undefined {
  const figures = TOTALS.exec(line)?.[1];
  if (figures === undefined) return undefined;
  return Object.fromEntries(
    figures
      .trim()
      .split(' ')
      .map((figure) => {
        const [name = '', value] = figure.split('=');
        return [name, Number(value)];
      }),
  );
}
