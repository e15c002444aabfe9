import type { ExitStatus } from '../../../../../shared/model/session.ts';
import type { ParseEvents, ParseOutcome, Parser, Phase } from '../../tool.ts';
import { StreamFaults } from '../faults/index.ts';
import { InitReader, LatencyReader, LogReader } from './log.ts';
import { judge } from './outcome.ts';
import { ReportReader } from './report.ts';
import { Series } from './series.ts';

/** Maximum length of a shown line; the raw output contains all of it. */
const LONGEST_SHOWN = 4000;
/** Rows of reports and progress are short: longer lines can only be messages. */
const LONGEST_ROW = 2000;

/** The first line of a run since version 14. */
const BANNER = /^pgbench \((?:PostgreSQL\) )?\d/;
/** The row that ends a report. */
const LAST_ROW = /^tps = [\d.]+ \(.*\)$/;

type Stream = 'stdout' | 'stderr';

/** Reads pgbench 9.4 and later. Progress and messages are on standard error, the report is on standard output; a terminal recording combines them. */
export class PgbenchParser implements Parser {
  readonly #phase: Phase;
  readonly #events: ParseEvents;
  readonly #series: Record<Stream, Series>;
  readonly #faults: Record<Stream, StreamFaults>;
  readonly #report = new ReportReader();
  /** Takes the rows of later runs, which are ignored. */
  readonly #behind = new ReportReader();
  #reports = 0;
  #banners = 0;
  #last = '';
  #isAgain = false;
  readonly #init: InitReader;
  readonly #log = new LogReader();
  readonly #latencies = new LatencyReader();
  #started = false;
  #empty = true;
  #cut: string | undefined;

  constructor(phase: Phase, events: ParseEvents) {
    this.#phase = phase;
    this.#events = events;
    this.#init = new InitReader((sample) => events.sample(sample));
    const series = () => new Series((sample) => events.sample(sample));
    const newFaults = () => new StreamFaults((finding) => events.finding(finding));
    this.#series = { stdout: series(), stderr: series() };
    this.#faults = { stdout: newFaults(), stderr: newFaults() };
  }

  /** A terminal's progress bar overwrites itself: each of its pieces is a line. */
  line(text: string, stream: Stream, cut = false): void {
    const pieces = text.replace(/\r+$/, '').split(/\r+/);
    pieces.forEach((piece, index) => {
      if (piece === '') return;
      this.#empty = false;
      if (cut && index === pieces.length - 1) this.#cutLine(piece, stream);
      else this.#whole(piece, stream);
    });
  }

  end(exit?: ExitStatus): ParseOutcome {
    const latency = this.#latencies.parts;
    const outcome = judge({
      phase: this.#phase,
      exit,
      series: [this.#series.stdout, this.#series.stderr],
      // Errors are on standard error; they are on the other stream only in a recording of both.
      faults: [this.#faults.stderr, this.#faults.stdout],
      report: this.#report,
      init: this.#init,
      summary: { ...this.#init.summary, ...this.#report.values, ...this.#log.summary },
      started: this.#started || this.#series.stdout.any || this.#series.stderr.any,
      empty: this.#empty,
      runs: Math.max(this.#banners, this.#reports, this.#series.stdout.runs, this.#series.stderr.runs),
      cut: this.#cut,
      addFinding: (finding) => this.#events.finding(finding),
    });
    return latency ? { ...outcome, latencies: { latency } } : outcome;
  }

  #whole(line: string, stream: Stream): void {
    if (stream === 'stdout') {
      this.#isAgain = line === this.#last;
      this.#last = line;
      if (BANNER.test(line) && !this.#isAgain) this.#banners += 1;
    }
    // A second banner begins another run, as in a file to which several were appended.
    if (stream === 'stdout' && this.#banners > 1) return;
    const short = line.length <= LONGEST_ROW;
    if (short && (this.#series[stream].line(line) || this.#row(line, stream))) {
      this.#faults[stream].over();
      return;
    }
    if (this.#faults[stream].line(line)) return;
    this.#series[stream].lost();
    this.#unparsed(line);
  }

  #row(line: string, stream: Stream): boolean {
    if (this.#init.line(line)) return true;
    if (stream !== 'stdout') return false;
    if (line.startsWith('transaction type: ') && !this.#isAgain) this.#reports += 1;
    const report = this.#reports > 1 ? this.#behind : this.#report;
    if (!(report.line(line) || this.#log.line(line) || this.#latencies.line(line))) return false;
    if (/^pgbench \(\d|^transaction type: /.test(line)) this.#started = true;
    return true;
  }

  /** Handles a truncated last line: a figure in it may be incomplete, so it is neither a sample nor a row. */
  #cutLine(line: string, stream: Stream): void {
    if (this.#faults[stream].line(line)) return;
    // The closing bracket ends the row, so only the newline is missing.
    if (LAST_ROW.test(line) && this.#row(line, stream)) return;
    this.#series[stream].lost();
    this.#cut = line;
    this.#unparsed(line);
  }

  #unparsed(line: string): void {
    this.#events.unparsed(line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line);
  }
}
