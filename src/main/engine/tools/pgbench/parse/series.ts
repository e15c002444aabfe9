import type { Finding } from '../../../../../shared/model/finding.ts';
import { noProgress, secondRanges } from '../../faults.ts';
import type { ParsedSample } from '../../tool.ts';

/** A `--progress` line: rates per second, times in ms, counts of the interval. Undefined: not printed, or not a number. */
interface Progress {
  /** Seconds since the start, or epoch seconds with `--progress-timestamp`. */
  t: number;
  tps: number;
  latency?: number;
  stddev?: number;
  lag?: number;
  failed?: number;
  skipped?: number;
  retries?: number;
}

const FIGURE = String.raw`(\d+(?:\.\d+)?|-?nan|-?inf)`;
/** Versions before 15 print no failures. With `--rate` they print a lag, with `--latency-limit` also skipped transactions. */
const LINE = new RegExp(
  `^progress: (\\d+\\.\\d+) s, ${FIGURE} tps, lat ${FIGURE} ms stddev ${FIGURE}` +
    `(?:, (\\d+) failed)?(?:, lag ${FIGURE} ms)?(?:, (\\d+) skipped)?(?:, (\\d+) retried, (\\d+) retries)?$`,
  'i',
);

const number = (text: string | undefined): number | undefined => {
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) ? undefined : value;
};

/** Parses a progress line. Undefined for any other line. */
function readProgress(line: string): Progress | undefined {
  const found = LINE.exec(line);
  if (!found) return undefined;
  const [t, tps, latency, stddev, failed, lag, skipped, , retries] = found.slice(1).map(number);
  if (t === undefined || tps === undefined) return undefined;
  // Without a transaction, 0.000 is printed, which is not a latency.
  const times = tps > 0 ? { latency, stddev, lag } : {};
  const known = Object.entries({ ...times, failed, skipped, retries }).filter(([, value]) => value !== undefined);
  return { t, tps, ...Object.fromEntries(known) };
}

/** A larger time is an epoch time (`--progress-timestamp`), not that of the run. */
const EPOCH = 1_000_000_000;

/** Converts the progress lines of one stream to samples, and collects irregularities. */
export class Series {
  readonly #emit: (sample: ParsedSample) => void;
  /** End of the previous interval. Undefined after an unreadable line. */
  #last: number | undefined = 0;
  #epoch: number | undefined;
  #line = '';
  #count = 0;
  #runs = 1;
  /** The latest time of any line, in any run. */
  #latest = 0;
  #first: number | undefined;
  #failed = 0;
  #skipped = 0;
  readonly #zero: number[] = [];
  readonly #late: number[] = [];
  readonly #repeated: number[] = [];

  constructor(emit: (sample: ParsedSample) => void) {
    this.#emit = emit;
  }

  get any(): boolean {
    return this.#count > 0;
  }
  get failed(): number {
    return this.#failed;
  }
  get skipped(): number {
    return this.#skipped;
  }

  /** Number of runs in the lines, as far as their times show. Lines after the first run are ignored. */
  get runs(): number {
    return this.#runs;
  }

  /** Whether it is a progress line. */
  line(text: string): boolean {
    const progress = readProgress(text);
    // A duplicate line was recorded from both a terminal and a file.
    if (progress && text !== this.#line) this.#add(progress);
    if (progress) this.#line = text;
    return progress !== undefined;
  }

  /** Called for an unknown line, which may have been a progress line: the length of the next interval is unknown then. */
  lost(): void {
    this.#last = undefined;
  }

  #add(progress: Progress): void {
    const t = this.#relative(progress.t);
    this.#first ??= t;
    if (t <= this.#first && this.#latest > t) this.#runs += 1;
    this.#latest = t;
    if (this.#runs > 1) return;
    const length = this.#last === undefined ? undefined : Number((t - this.#last).toFixed(3));
    if (this.#count > 0 && length !== undefined) {
      if (length <= 0) this.#repeated.push(t);
      else if (length > 1.5) this.#late.push(t);
    }
    const perSecond = (count: number | undefined): number | undefined =>
      count === undefined || (count > 0 && (length === undefined || length <= 0)) ? undefined : count / (length || 1);
    const metrics = {
      tps: progress.tps,
      latency_avg_ms: progress.latency,
      latency_stddev_ms: progress.stddev,
      lag_avg_ms: progress.lag,
      errors_per_s: perSecond(progress.failed),
      retries_per_s: perSecond(progress.retries),
      skipped_per_s: perSecond(progress.skipped),
    };
    this.#last = t;
    this.#count += 1;
    this.#failed += progress.failed ?? 0;
    this.#skipped += progress.skipped ?? 0;
    if (progress.tps === 0) this.#zero.push(t);
    const known = Object.entries(metrics).filter((entry): entry is [string, number] => entry[1] !== undefined);
    this.#emit({ t, metrics: Object.fromEntries(known) });
  }

  /** Epoch times count from one second before the first line, which is the start of the run with `--progress=1`. */
  #relative(t: number): number {
    if (t < EPOCH) return t;
    this.#epoch ??= t - 1;
    return Number((t - this.#epoch).toFixed(3));
  }

  /** Findings at the end of the output. */
  findings(): Finding[] {
    const findings: Finding[] = [];
    if (this.#zero.length > 0) findings.push(noProgress('transaction', 'the server', this.#zero));
    if (this.#late.length > 0)
      findings.push({
        code: 'seconds-missing',
        severity: 'note',
        message: `Some intervals are longer than a second (ending at second ${secondRanges(this.#late)}): pgbench was configured for longer ones, was too busy to print, or output was lost.`,
        next: 'If this was not intended, check whether the generator was overloaded; more threads of pgbench may help.',
      });
    if (this.#repeated.length > 0)
      findings.push({
        code: 'seconds-repeated',
        severity: 'warn',
        message: `Second ${secondRanges(this.#repeated)} was printed more than once: the output of several runs may be mixed.`,
        next: 'Parse the output of each run separately.',
      });
    return findings;
  }
}
