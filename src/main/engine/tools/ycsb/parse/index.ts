import type { Finding } from '../../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../../shared/model/session.ts';
import type { ParsedSample, ParseEvents, ParseOutcome, Parser, Phase } from '../../tool.ts';
import { StreamFaults } from '../faults/index.ts';
import type { YcsbOptions } from '../options/index.ts';
import { installationFinding } from '../options/program.ts';
import { HistogramLogs } from './histogram-log.ts';
import { judge } from './outcome.ts';
import { Relatives } from './relatives.ts';
import { Report } from './report.ts';
import { isKnownOperation, operationName } from './samples.ts';
import { Series } from './series.ts';
import { continuation, type StatusLine, statusLine } from './status-line.ts';

/** Lines without information: banners, notices of YCSB and its JDBC binding, the usage text, verbose output of BasicDB. */
const KNOWN: readonly RegExp[] = [
  /^\s*$/,
  /^Command line: /,
  /^Command line:$/,
  /^YCSB Client \d/,
  /^Loading workload\.\.\.$/,
  // Printed after two seconds, on a busy machine also for small data.
  /^ ?\(might take a few minutes for large data sets\)$/,
  /^Starting test\.$/,
  /^DBWrapper: report latency for each error is /,
  /^Maximum execution time specified as: \d+ secs$/,
  /^(Maximum time elapsed\. Requesting stop for the workload\.|Stop requested for workload\. Now Joining!)$/,
  /^(Still waiting for thread \S+ to complete\.|Could not wait until max specified time, TerminatorThread interrupted\.)/,
  // Logging of drivers: important messages are also exceptions.
  /^\[ ?(WARN|INFO|DEBUG)\] /,
  /^Raw data measurement: will output to /,
  /^mongo (client )?connection created with mongodb/,
  /^Exception while trying bulk insert with \d+$/,
  // The JVM's own log.
  /^\[\d+\.\d+s\]\[[a-z]+ *\]\[[a-z0-9,+]+ *\] /,
  // Logging of Java and Logback.
  /^[A-Z][a-z]{2} \d\d, \d{4} \d{1,2}:\d\d:\d\d [AP]M com\.mongodb\.\S+ \S+$/,
  /^(INFO|WARNING): /,
  /^\d\d:\d\d:\d\d[.,]\d{3} \[[^\]]+\] +(DEBUG|INFO|WARN) /,
  /^Adding shard node URL: /,
  /^Using shards: \d+, batchSize:-?\d+, fetchSize: -?\d+$/,
  /^Command {2}".*" successfully executed\.$/,
  /^Closing database connection\.$/,
  /^\*{5,}( properties \*{5,})?$/,
  /^"[^"]+"="/,
  /^(READ|UPDATE|INSERT|SCAN|DELETE) \S+ user\d+ /,
];
/** YCSB's usage text before an error about arguments. */
const USAGE: readonly RegExp[] = [
  /^Usage: java \S+ \[options\]$/,
  /^(Options|Required properties):$/,
  /^ {2,}(-[a-zA-Z]|workload:|also specified|"threadcount"|can also be|be specified|multiple properties|values in|"target"|as the)/,
  /^ {6,}\S/,
  /^To run the (transaction|load) phase from multiple servers, start a separate client on each(\.|; additionally,)$/,
  /^use the "insertcount" and "insertstart" properties/,
];
const LONGEST = 4000;

const isKnownLine = (line: string): boolean =>
  (line.length <= LONGEST || line.startsWith('Command line: ')) &&
  [...KNOWN, ...USAGE].some((pattern) => pattern.test(line));

/** Maximum length of a shown line; the raw output contains all of it. */
const LONGEST_SHOWN = 4000;

type StreamName = 'stdout' | 'stderr';

/** One output stream. Status lines are on standard error; the time-series measurement also prints them on standard output. */
interface Stream {
  series: Series;
  faults: StreamFaults;
  /** A status line that continues in the next line. */
  open: StatusLine | undefined;
  /** Runs that began in this stream. Those after the first are ignored. */
  runs: number;
  last: string;
}

/**
 * Reads YCSB 0.1 to 0.17. Samples come from standard error. They come from standard output only if standard error has no status line at all, as in a
 * recording of both in one stream; this is known only at the end.
 */
export class YcsbParser implements Parser {
  readonly #phase: Phase;
  readonly #options: YcsbOptions;
  readonly #events: ParseEvents;
  readonly #report = new Report();
  readonly #logs = new HistogramLogs();
  readonly #relatives: Relatives;
  readonly #reported = new Set<string>();
  readonly #pendingSamples: ParsedSample[] = [];
  readonly #unknownOperations = new Set<string>();
  readonly #streams: Record<StreamName, Stream>;
  #commandLine = '';
  #limited = false;
  #over = false;
  #cut: string | undefined;

  constructor(phase: Phase, options: YcsbOptions, events: ParseEvents) {
    this.#phase = phase;
    this.#options = options;
    this.#events = events;
    this.#relatives = new Relatives((sample) => events.sample(sample));
    const stream = (sample: (sample: ParsedSample) => void, report: (finding: Finding) => void): Stream => ({
      series: new Series(sample),
      faults: new StreamFaults(report),
      open: undefined,
      runs: 0,
      last: '',
    });
    this.#streams = {
      stderr: stream(
        (sample) => events.sample(sample),
        (finding) => this.#addFinding(finding),
      ),
      // Contains the same stack traces as standard error. Reported at the end, and only what standard error did not contain.
      stdout: stream(
        (sample) => this.#pendingSamples.push(sample),
        () => {},
      ),
    };
  }

  line(text: string, name: StreamName, cut = false): void {
    const line = text.replace(/\r+$/, '');
    const stream = this.#streams[name];
    // A recording of both streams in one file can contain each line twice.
    if (line.startsWith('Command line: ') && line !== stream.last) stream.runs += 1;
    stream.last = line;
    if (stream.runs > 1) return;
    if (cut) this.#cutLine(line, stream);
    else if (stream.open && this.#continues(line, stream, stream.open)) return;
    else {
      this.#close(stream);
      this.#wholeLine(line, stream);
    }
  }

  end(exit?: ExitStatus): ParseOutcome {
    const { stdout, stderr } = this.#streams;
    this.#close(stdout);
    this.#close(stderr);
    const only = stderr.series.any ? stderr : stdout;
    if (only === stdout) for (const sample of this.#pendingSamples) this.#events.sample(sample);
    if (this.#relatives.program !== undefined) return this.#ofRelative(exit);
    const latencies = this.#logs.latencies;
    const outcome = judge({
      phase: this.#phase,
      options: this.#options,
      exit,
      series: only.series,
      runs: Math.max(stdout.runs, stderr.runs),
      report: this.#report,
      faults: { stdout: stdout.faults, stderr: stderr.faults },
      exportFile: /(?:^| )-p exportfile=(\S+)/.exec(this.#commandLine)?.[1],
      time: { limited: this.#limited, over: this.#over },
      cut: this.#cut,
      hasReported: (code) => this.#reported.has(code),
      addFinding: (finding) => this.#addFinding(finding),
    });
    return latencies ? { ...outcome, latencies } : outcome;
  }

  #ofRelative(exit?: ExitStatus): ParseOutcome {
    const { summary, findings, complete } = this.#relatives.end();
    for (const finding of findings) this.#addFinding(finding);
    const { stderr, stdout } = this.#streams;
    const reason = stderr.faults.reason ?? stdout.faults.reason;
    if (reason && !this.#reported.has(reason.code)) this.#addFinding(reason);
    return { summary, ok: reason === undefined && (complete || exit === undefined), ...(reason && { reason }) };
  }

  #wholeLine(line: string, stream: Stream): void {
    if (this.#relatives.line(line)) return;
    const status = statusLine(line);
    if (status === 'damaged') this.#unparsed(line);
    else if (status) this.#status(status, stream);
    else if (line.trim() === '') return;
    else if (this.#plainLine(line, stream)) stream.faults.over();
    else if (!stream.faults.line(line) && !stream.faults.continues(line)) this.#unparsed(line);
  }

  #plainLine(line: string, stream: Stream): boolean {
    if (line.startsWith('Command line: ')) this.#commandLine = line;
    else if (line.startsWith('Maximum execution time specified as: ')) this.#limited = true;
    else if (line.startsWith('Maximum time elapsed.')) this.#over = true;
    if (stream.open === undefined && (this.#report.line(line) || this.#logs.line(line))) return true;
    const installation = installationFinding(line);
    if (installation) this.#addFinding(installation);
    return installation !== undefined || isKnownLine(line);
  }

  #status(status: StatusLine, stream: Stream): void {
    if (status.before !== '' && !stream.faults.line(status.before)) this.#label(status.before);
    for (const name of status.figures.keys()) this.#operation(name);
    if (status.open) stream.open = status;
    else stream.series.add(status);
    this.#logs.status(status.clock, status.t);
  }

  /** The label of `-l` is also in the command line; anything else before a status line is reported once. */
  #label(text: string): void {
    if (this.#commandLine.includes(` -l ${text.trim()} `) || this.#unknownOperations.has(text)) return;
    this.#unknownOperations.add(text);
    this.#unparsed(text);
  }

  #operation(name: string): void {
    if (isKnownOperation(operationName(name)) || this.#unknownOperations.has(name)) return;
    this.#unknownOperations.add(name);
    this.#unparsed(`[${name}]`);
  }

  /** With two simultaneous measurements, the figures of the second one are on a new line. */
  #continues(line: string, stream: Stream, open: StatusLine): boolean {
    const more = continuation(line);
    if (!more) return false;
    for (const [name, figures] of more.figures) if (!open.figures.has(name)) open.figures.set(name, figures);
    open.open = more.open;
    if (!more.open) this.#close(stream);
    return true;
  }

  #close(stream: Stream): void {
    const { open } = stream;
    stream.open = undefined;
    if (open) stream.series.add(open);
  }

  /** Handles a truncated last line: a figure in it may be incomplete, so it is neither a sample nor a row. JSON has no final newline. */
  #cutLine(line: string, stream: Stream): void {
    if (line === '' || this.#relatives.line(line)) return;
    this.#cut = line;
    if (/^[\s\]}]*$/.test(line)) return;
    if (!isKnownLine(line) && !stream.faults.line(line)) this.#unparsed(line);
  }

  #addFinding(finding: Finding): void {
    this.#reported.add(finding.code);
    this.#events.finding(finding);
  }

  #unparsed(line: string): void {
    this.#events.unparsed(line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line);
  }
}
