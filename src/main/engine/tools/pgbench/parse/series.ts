import type { Finding } from '../../../../../shared/model/finding.ts';
import { noProgress, secondRanges } from '../../seconds.ts';
import type { ParsedSample } from '../../tool.ts';

/** What one line of `--progress` says: rates per second, times in ms, counts of the interval. Absent: not printed, or no number. */
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
/** Versions before 15 print no failures, those with `--rate` a lag, with `--latency-limit` too what was skipped. */
const LINE = new RegExp(
  `^progress: (\\d+\\.\\d+) s, ${FIGURE} tps, lat ${FIGURE} ms stddev ${FIGURE}` +
    `(?:, (\\d+) failed)?(?:, lag ${FIGURE} ms)?(?:, (\\d+) skipped)?(?:, (\\d+) retried, (\\d+) retries)?$`,
  'i',
);

const number = (text: string | undefined): number | undefined => {
  const value = Number(text);
  return text === undefined || !Number.isFinite(value) ? undefined : value;
};

/** Reads a progress line; undefined for any other. */
function readProgress(line: string): Progress | undefined {
  const found = LINE.exec(line);
  if (!found) return undefined;
  const [t, tps, latency, stddev, failed, lag, skipped, , retries] = found.slice(1).map(number);
  if (t === undefined || tps === undefined) return undefined;
  // Without a transaction 0.000 is printed, and that is no time.
  const times = tps > 0 ? { latency, stddev, lag } : {};
  const known = Object.entries({ ...times, failed, skipped, retries }).filter(([, value]) => value !== undefined);
  return { t, tps, ...Object.fromEntries(known) };
}

/** A time above this is of the clock (`--progress-timestamp`), not of the run. */
const EPOCH = 1_000_000_000;

/** Turns the progress lines of one stream into samples, and remembers what is odd about them. */
export class Series {
  readonly #emit: (sample: ParsedSample) => void;
  /** End of the interval before; undefined when a line in between could not be read. */
  #last: number | undefined = 0;
  #epoch: number | undefined;
  #line = '';
  #count = 0;
  #runs = 1;
  /** The latest time of any line, of whichever run. */
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

  /** How many runs the lines are of, as far as their times tell; those behind the first are left out. */
  get runs(): number {
    return this.#runs;
  }

  /** Whether the line is one of progress. */
  line(text: string): boolean {
    const progress = readProgress(text);
    // A line that stands twice was printed to a terminal and a file that went into one.
    if (progress && text !== this.#line) this.#add(progress);
    if (progress) this.#line = text;
    return progress !== undefined;
  }

  /** A line that nobody understood can have been a progress line: how long the next interval is, is then unknown. */
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

  /** Clock times count from one second before the first line, which is when the run began with `--progress=1`. */
  #relative(t: number): number {
    if (t < EPOCH) return t;
    this.#epoch ??= t - 1;
    return Number((t - this.#epoch).toFixed(3));
  }

  /** What to tell at the end. */
  findings(): Finding[] {
    const findings: Finding[] = [];
    if (this.#zero.length > 0) findings.push(noProgress('transaction', 'the server', this.#zero));
    if (this.#late.length > 0)
      findings.push({
        code: 'seconds-missing',
        severity: 'note',
        message: `Some intervals are longer than a second (those that end at second ${secondRanges(this.#late)}): pgbench was set to longer ones, was too busy to print, or output was lost.`,
        next: 'If this was not wanted, check whether the generator was overloaded; more threads of pgbench may help.',
      });
    if (this.#repeated.length > 0)
      findings.push({
        code: 'seconds-repeated',
        severity: 'warn',
        message: `Second ${secondRanges(this.#repeated)} was printed more than once: the output of several runs may be mixed.`,
        next: 'Read the output of each run by itself.',
      });
    return findings;
  }
}
