import type { Finding } from '../../../../../shared/model/finding.ts';
import { formatCount, formatDuration, formatNumber } from '../../../../../shared/util/format.ts';
import { linesDoubled, noProgress, secondRanges, secondsMissing } from '../../faults.ts';
import type { ParsedSample } from '../../tool.ts';
import { failuresIn, metricsOf } from './samples.ts';
import type { StatusLine } from './status-line.ts';

/** Below this rate, YCSB's clock determines the length of an interval more precisely than the rate with its two decimals. */
const EXACT_RATE = 50;
const MOST_MISSING = 100_000;

/**
 * Converts status lines to samples. The first line has an interval of length zero, and the last one covers the rest of a partial second: neither is a
 * sample. Lines that a suspended tool prints when it catches up have the second of the previous line.
 */
export class Series {
  readonly #emit: (sample: ParsedSample) => void;
  #previous: StatusLine | undefined;
  #interval: number | undefined;
  #sampled = 0;
  #runs = 1;
  /** The last line, if it covers less than an interval. */
  #partial: { line: StatusLine; done: number; length: number | undefined } | undefined;
  #count = 0;
  #failures = 0;
  #extra: number | undefined;
  readonly #zero: number[] = [];
  readonly #missing: number[] = [];
  readonly #repeated: number[] = [];
  #doubled = 0;

  constructor(emit: (sample: ParsedSample) => void) {
    this.#emit = emit;
  }

  /** Whether there was any status line. */
  get any(): boolean {
    return this.#previous !== undefined;
  }
  get samples(): number {
    return this.#count;
  }
  /** Completed operations at the last line, including failed ones. */
  get operations(): number {
    return this.#previous?.operations ?? 0;
  }
  get failures(): number {
    return this.#failures;
  }

  /** Number of runs in the lines. Those after the first are ignored. */
  get runs(): number {
    return this.#runs;
  }

  add(line: StatusLine): void {
    const previous = this.#previous;
    if (previous && line.t === 0 && previous.t > 0) this.#runs += 1;
    if (this.#runs > 1) return;
    if (previous && line.t > 0 && isSame(line, previous)) {
      this.#doubled += 1;
      return;
    }
    this.#partial = undefined;
    this.#previous = line;
    if (this.#extra !== undefined) this.#repeated.push(this.#extra);
    this.#extra = undefined;
    this.#failures += failuresIn(line.figures) ?? 0;
    const done = previous ? line.operations - previous.operations : undefined;
    const length = previous ? intervalLength(line, previous) : undefined;
    if (line.t === 0 || !this.#isFull(line, previous, length)) {
      if (previous && line.t > 0 && line.t === previous.t) this.#extra = line.t;
      if (previous && line.t > 0 && (done ?? 0) > 0) this.#partial = { line, done: done ?? 0, length };
      return;
    }
    const rate = line.rate ?? (line.operations === 0 || done === 0 ? 0 : undefined);
    this.#gap(line.t);
    // Until the first operation has completed, threads are still connecting.
    if (rate === 0 && line.operations > 0) this.#zero.push(line.t);
    this.#sampled = line.t;
    this.#count += 1;
    this.#emit({ t: line.t, metrics: metricsOf(line, rate, length) });
  }

  #isFull(line: StatusLine, previous: StatusLine | undefined, length: number | undefined): boolean {
    if (line.t <= this.#sampled) return false;
    if (!previous || length === undefined) return true;
    const seconds = line.t - previous.t;
    // status.interval is not printed. It is derived from the first line that is not the last one.
    const mayBeLast = [...line.figures.keys()].some((name) => name.includes('CLEANUP'));
    if (this.#interval === undefined && (!mayBeLast || Math.abs(length / 1000 - seconds) < 0.25))
      this.#interval = seconds;
    if (this.#interval === undefined) return false;
    return line.t % this.#interval === 0 || length >= this.#interval * 900;
  }

  #gap(t: number): void {
    const step = this.#interval ?? 1;
    if (this.#sampled === 0 && this.#interval === undefined) return;
    for (let second = this.#sampled + step; second < t && this.#missing.length < MOST_MISSING; second += step)
      this.#missing.push(second);
  }

  findings(): Finding[] {
    const findings: Finding[] = [];
    const step = this.#interval ?? 1;
    if (this.#zero.length > 0) findings.push(noProgress('operation', 'the system', this.#zero, step));
    if (this.#doubled > 0) findings.push(linesDoubled(this.#doubled));
    if (this.#repeated.length > 0)
      findings.push({
        code: 'seconds-repeated',
        severity: 'warn',
        message: `YCSB printed a second more than once (${secondRanges([...new Set(this.#repeated)], step)}): the tool was suspended for a while and then caught up.`,
        next: 'The generator was overloaded or suspended, or Java collected garbage for seconds: repeat the run, if necessary with more memory (-Xmx in the JVM arguments).',
      });
    if (this.#missing.length > 0) findings.push(secondsMissing('YCSB', this.#missing, step));
    if (this.#partial && (step > 1 || this.#count === 0)) findings.push(partialFinding(this.#partial));
    return findings;
  }
}

/** Whether a line was printed to both streams. */
const isSame = (line: StatusLine, other: StatusLine): boolean =>
  line.t === other.t &&
  line.clock === other.clock &&
  line.operations === other.operations &&
  JSON.stringify([...line.figures]) === JSON.stringify([...other.figures]);

function partialFinding({
  line,
  done,
  length,
}: {
  line: StatusLine;
  done: number;
  length: number | undefined;
}): Finding {
  const lasts = length === undefined ? 'a part of an interval' : `the last ${formatDuration(length / 1000)}`;
  return {
    code: 'last-interval-partial',
    severity: 'note',
    message: `The last status line (second ${line.t}) covers only ${lasts}, with ${formatCount(done, 'operation')}${line.rate === undefined ? '' : ` at ${formatNumber(line.rate)} operations per second`}. It is not shown as an interval; the final figures include it.`,
  };
}

/** Milliseconds between two lines, from the divisor of YCSB's rate; its clock is read slightly later. */
function intervalLength(line: StatusLine, previous: StatusLine): number | undefined {
  const done = line.operations - previous.operations;
  if (line.rate !== undefined && line.rate >= EXACT_RATE && done > 0) return (1000 * done) / line.rate;
  if (line.clock !== undefined && previous.clock !== undefined && line.clock >= previous.clock)
    return line.clock - previous.clock;
  return line.t > previous.t ? (line.t - previous.t) * 1000 : undefined;
}
