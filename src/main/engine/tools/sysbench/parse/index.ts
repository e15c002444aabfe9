import type { ExitStatus } from '../../../../../shared/model/session.ts';
import type { ParseEvents, ParseOutcome, Parser, Phase } from '../../tool.ts';
import { StreamFaults } from '../faults/index.ts';
import type { SysbenchOptions } from '../options/index.ts';
import { DataSteps, isKnownLine } from './banner.ts';
import { findIntervals, type Interval } from './interval.ts';
import { judge } from './outcome.ts';
import { ReportReader } from './report.ts';
import { ReporterReader } from './reporters.ts';
import { ownTotals, Series } from './series.ts';

/** Maximum length of a shown line; the raw output contains all of it. */
const LONGEST_SHOWN = 4000;
/** Rows of reports and banners are short: longer lines are only searched for interval lines and faults. */
const LONGEST_ROW = 2000;

const RUN_HEADER = 'Running the test with following options:';
const ASYNCHRONOUS = 'Using asynchronous I/O mode';
const NO_INTERVALS: ReturnType<typeof findIntervals> = { intervals: [], rest: '' };

/** The row that ends a report, with all decimals that sysbench prints. */
const LAST_ROW = /^\s*(execution time \(avg\/stddev\):\s+\d+\.\d{4}\/|sum:\s+)\d+\.\d{2}$/;
/** fileio prints three decimals after this; all other final figures of interval lines have the two decimals required by their pattern. */
const SHORT_FIGURE = /latency \(ms,\d+%\): +\d+\.\d{2}$/;

/** Whether a last line is complete except for its newline, as in text copied from a page or an editor. */
function lacksNewlineOnly(line: string): boolean {
  if (LAST_ROW.test(line)) return true;
  const { intervals, rest } = findIntervals(line);
  return intervals.length === 1 && intervals[0]?.kind === 'sample' && rest === '' && !SHORT_FIGURE.test(line);
}

/**
 * Reads sysbench 1.0, and 0.4, 0.5 and 1.1 where their lines differ. sysbench writes its errors to standard output; standard error only contains
 * errors about options, and those of the shell.
 */
export class SysbenchParser implements Parser {
  readonly #phase: Phase;
  readonly #options: SysbenchOptions;
  readonly #events: ParseEvents;
  readonly #series: Series;
  readonly #reporters: ReporterReader;
  readonly #faults: { stdout: StreamFaults; stderr: StreamFaults };
  readonly #data = new DataSteps();
  readonly #checkpoints: { t: number; report: ReportReader }[] = [];
  #report = new ReportReader();
  #checkpointAt: number | undefined;
  #totals: Record<string, number> = {};
  #started = false;
  #runs = 0;
  #last = '';
  #asynchronous = false;
  #cut: string | undefined;
  #lines = 0;

  constructor(phase: Phase, options: SysbenchOptions, events: ParseEvents) {
    this.#phase = phase;
    this.#options = options;
    this.#events = events;
    this.#series = new Series((sample) => events.sample(sample));
    this.#reporters = new ReporterReader(options.percentile);
    const report = events.finding.bind(events);
    const reported = new Set<string>();
    this.#faults = { stdout: new StreamFaults(report, reported), stderr: new StreamFaults(report, reported) };
  }

  line(text: string, stream: 'stdout' | 'stderr', cut = false): void {
    const line = text.replace(/\r+$/, '');
    if (line !== '') this.#lines += 1;
    if (cut) this.#cutLine(line, stream);
    else if (stream === 'stderr') this.#errorLine(line);
    else if (!this.#ofAnotherRun(line)) this.#outputLine(line);
  }

  end(exit?: ExitStatus): ParseOutcome {
    this.#series.flush();
    for (const line of this.#reporters.open) this.#unparsed(line);
    return judge({
      phase: this.#phase,
      options: this.#options,
      exit,
      series: this.#series,
      report: this.#report,
      checkpoints: this.#checkpoints,
      data: this.#data,
      totals: this.#totals,
      faults: this.#faults,
      started: this.#started,
      runs: this.#runs,
      asynchronous: this.#asynchronous,
      ownReport: this.#reporters.ownReport,
      empty: this.#lines === 0,
      cut: this.#cut,
      addFinding: (finding) => this.#events.finding(finding),
    });
  }

  /** Whether the line belongs to a later run, as in a file to which several were appended. Such lines are ignored. */
  #ofAnotherRun(line: string): boolean {
    if (line === RUN_HEADER && line !== this.#last) this.#runs += 1;
    this.#last = line;
    return this.#runs > 1;
  }

  #outputLine(line: string): void {
    const long = line.length > LONGEST_ROW;
    if (line === ASYNCHRONOUS) this.#asynchronous = true;
    const { intervals, rest } = long || /s ?\]/.test(line) ? findIntervals(line) : NO_INTERVALS;
    for (const interval of intervals) this.#interval(interval, line);
    const remaining = intervals.length > 0 ? rest : line;
    if (intervals.length > 0 && remaining === '') this.#faults.stdout.over();
    else if (this.#faults.stdout.marked(remaining)) return;
    else if (intervals.length > 0 || long) this.#unparsed(remaining);
    else this.#plainLine(line);
  }

  #interval(interval: Interval, line: string): void {
    if (interval.kind === 'sample') {
      // Lines of several runs without their headers, as in search results.
      if (this.#series.restarts(interval.t)) this.#runs = Math.max(1, this.#runs) + 1;
      else this.#series.add(interval);
    } else if (interval.kind === 'metrics') this.#series.own({ t: interval.t, metrics: interval.metrics });
    else if (interval.kind === 'queue') {
      if (!this.#series.queue(interval.t, interval.length, interval.concurrency)) this.#unparsed(line);
    } else {
      this.#series.checkpoint(interval.t);
      this.#checkpointAt = interval.t;
      this.#report = new ReportReader();
    }
  }

  #plainLine(line: string): void {
    const reported = this.#reporters.line(line);
    if (reported.taken) {
      for (const sample of reported.samples) this.#series.add(sample);
    } else if (!this.#reportLine(line) && !this.#ownTotals(line) && !this.#data.line(line) && !this.#header(line)) {
      if (!isKnownLine(line)) this.#unparsed(line);
      if (line.trim() === '') return;
    }
    this.#faults.stdout.over();
  }

  #reportLine(line: string): boolean {
    const taken = this.#report.line(line);
    if (taken && this.#report.complete && this.#checkpointAt !== undefined) {
      this.#checkpoints.push({ t: this.#checkpointAt, report: this.#report });
      this.#checkpointAt = undefined;
      this.#report = new ReportReader();
    }
    return taken;
  }

  #ownTotals(line: string): boolean {
    const totals = ownTotals(line);
    Object.assign(this.#totals, totals);
    return totals !== undefined;
  }

  #header(line: string): boolean {
    const interval = /^Report intermediate results every (\d+) second\(s\)$/.exec(line)?.[1];
    if (interval !== undefined) this.#series.setInterval(Number(interval));
    const rate = /^Target transaction rate: (\d+)\/sec$/.exec(line)?.[1];
    if (rate !== undefined && Number(rate) > 0) this.#series.expectQueue();
    if (line === RUN_HEADER) this.#started = true;
    return interval !== undefined || rate !== undefined;
  }

  #errorLine(line: string): void {
    if (!this.#faults.stderr.marked(line) && !this.#faults.stderr.unmarked(line) && !isKnownLine(line))
      this.#unparsed(line);
  }

  /** Handles a truncated last line: a figure in it may be incomplete, so unless the line is complete, it is neither a sample nor a row. */
  #cutLine(line: string, stream: 'stdout' | 'stderr'): void {
    if (line === '') return;
    if (stream === 'stdout' && lacksNewlineOnly(line)) {
      if (!this.#ofAnotherRun(line)) this.#outputLine(line);
      return;
    }
    const known = stream === 'stdout' ? this.#faults.stdout.marked(line) : this.#faults.stderr.unmarked(line);
    if (stream === 'stdout' && !known) this.#cut = line;
    if (!known && !isKnownLine(line) && !this.#data.line(line)) this.#unparsed(line);
  }

  #unparsed(line: string): void {
    this.#events.unparsed(line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line);
  }
}
