import type { Finding } from '../../../../../shared/model/finding.ts';
import type { ExitStatus } from '../../../../../shared/model/session.ts';
import { type LinePattern, readNumber, readPatterns } from '../../../../../shared/patterns/index.ts';
import { formatCount } from '../../../../../shared/util/format.ts';
import { type EndingWords, endedBySignal, evidenceOf, exitFinding } from '../../faults.ts';
import type { ParseEvents, ParseOutcome, Parser, Phase } from '../../tool.ts';
import { type CommandOptions, groupMetrics } from '../options/index.ts';
import type { GroupMetric } from '../options/metric-lines.ts';
import { Series } from './series.ts';

type Stream = 'stdout' | 'stderr';

/** How `timeout` reports that the time is up: its own code, or that of the signal it sent. */
const TIME_UP = [124, 143];
const LONGEST_UNPARSED = 1000;

const ENDING: EndingWords = {
  name: 'The command',
  crashNext: 'Check the host’s log (dmesg) for the crash.',
  missing: {
    code: 'command-missing',
    severity: 'error',
    message: 'A program of the command was not found on the generator (exit code 127).',
    next: 'Install it there, or use its full path. The raw output names it.',
  },
};

const noSamples: Finding = {
  code: 'no-samples',
  severity: 'error',
  message: 'No line of the output matches the patterns, so nothing was measured.',
  next: 'Test the patterns with the raw output of this run, in the workload step under “Test the parser”. A program that reports only at its end can be run in a loop.',
};

const tooLong = (lines: number): Finding => ({
  code: 'lines-too-long',
  severity: 'note',
  message: `${formatCount(lines, 'line')} of output ${lines === 1 ? 'is' : 'are'} too long for the patterns.`,
  next: 'If figures are missing, make the command print shorter lines, or use smaller patterns.',
});

const replaced = (lines: number): Finding => ({
  code: 'final-replaced',
  severity: 'warn',
  message: `The pattern of final figures matches several lines with different figures: the last line counts, and ${formatCount(lines, 'earlier line')} ${lines === 1 ? 'was' : 'were'} ignored.`,
  next: 'If the lines mean different things, such as IOPS and latencies in similar tables, make the pattern match only one of them. For a program that prints its total repeatedly, nothing needs to be done.',
});

/** Reads the output of any program, by the patterns of its options. */
export class CommandParser implements Parser {
  readonly #phase: Phase;
  readonly #options: CommandOptions;
  readonly #events: ParseEvents;
  readonly #patterns: readonly LinePattern[];
  readonly #finals: readonly LinePattern[];
  readonly #errorPatterns: readonly LinePattern[];
  readonly #series: Readonly<Record<Stream, Series>>;
  readonly #errors: Partial<Record<Stream, string>> = {};
  readonly #summary: Record<string, number> = {};
  #tooLong = 0;
  /** Lines whose final figures replaced earlier ones. */
  #replaced = 0;

  constructor(phase: Phase, options: CommandOptions, events: ParseEvents) {
    this.#phase = phase;
    this.#options = options;
    this.#events = events;
    this.#patterns = readPatterns(options.pattern);
    this.#finals = readPatterns(options['final-pattern']);
    this.#errorPatterns = readPatterns(options['trouble-pattern']);
    const metrics = this.#metricsOf(options);
    const make = (): Series =>
      new Series((sample) => events.sample(sample), {
        metrics,
        patterns: this.#patterns.length,
        interval: options.interval,
      });
    this.#series = { stdout: make(), stderr: make() };
  }

  /** Contradictory options prevent a run. When trying them on an output, a finding explains why nothing is read. */
  #metricsOf(options: CommandOptions): GroupMetric[] {
    try {
      return groupMetrics(options);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const next = 'Correct the options “pattern” and “metrics”.';
      this.#events.finding({ code: 'metrics-unclear', severity: 'error', message: error.message, next });
      return [];
    }
  }

  line(text: string, stream: Stream, cut = false): void {
    const whole = text.endsWith('\r') ? text.slice(0, -1) : text;
    const updates = updatesOf(whole);
    updates.forEach((line, index) => void this.#line(line, stream, cut && index === updates.length - 1));
  }

  #line(line: string, stream: Stream, cut: boolean): void {
    if (this.#phase === 'run' && !this.#patterns.every((pattern) => pattern.takes(line))) this.#tooLong += 1;
    if (this.#errorPatterns.some((pattern) => pattern.fits(line))) this.#errors[stream] ??= line;
    else if (!cut && this.#phase === 'run' && (this.#sample(line, stream) || this.#final(line))) return;
    if (line.trim() !== '') this.#events.unparsed(line.slice(0, LONGEST_UNPARSED));
  }

  #sample(line: string, stream: Stream): boolean {
    for (let index = 0; index < this.#patterns.length; index += 1) {
      const groups = this.#patterns[index]?.match(line);
      if (groups) return this.#series[stream].add(index, groups, line);
    }
    return false;
  }

  #final(line: string): boolean {
    for (const pattern of this.#finals) {
      const groups = pattern.match(line);
      if (!groups) continue;
      const figures = [...groups].flatMap(([name, text]) => {
        const number = readNumber(text);
        return number === undefined ? [] : [[name, number] as const];
      });
      if (figures.some(([name, number]) => (this.#summary[name] ?? number) !== number)) this.#replaced += 1;
      Object.assign(this.#summary, Object.fromEntries(figures));
      return figures.length > 0;
    }
    return false;
  }

  end(exit?: ExitStatus): ParseOutcome {
    const { stdout, stderr } = this.#series;
    for (const finding of [...stdout.findings(), ...stderr.findings()]) this.#events.finding(finding);
    if (this.#replaced > 0) this.#events.finding(replaced(this.#replaced));
    if (this.#tooLong > 0) this.#events.finding(tooLong(this.#tooLong));
    const reason = this.#reason(exit);
    if (reason) this.#events.finding(reason);
    return { summary: { ...this.#summary }, ok: reason === undefined, ...(reason && { reason }) };
  }

  #reason(exit: ExitStatus | undefined): Finding | undefined {
    const error = this.#errors.stderr ?? this.#errors.stdout;
    if (error !== undefined)
      return {
        code: 'trouble',
        severity: 'error',
        message: 'A line of the output matches an error pattern.',
        evidence: evidenceOf(error),
        next: 'Earlier measurements are stored. Check the lines before it in the raw output.',
      };
    if (!this.#endedWell(exit)) return exitFinding(exit, ENDING);
    const { stdout, stderr } = this.#series;
    return this.#phase === 'run' && !stdout.any && !stderr.any ? noSamples : undefined;
  }

  #endedWell(exit: ExitStatus | undefined): boolean {
    if (exit?.code === undefined) return !endedBySignal(exit);
    const { 'success-codes': codes, 'end-after': ends } = this.#options;
    const good = codes.split(',').map(Number);
    return good.includes(exit.code) || (this.#phase === 'run' && ends && TIME_UP.includes(exit.code));
  }
}

/** A carriage return restarts the line, and so does a terminal's escape sequence for its beginning. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are moved by them
const LINE_RESET = /\r+|\u001B\[\d*G/;

/** Successive contents of a line in which backspaces delete text that is then replaced. */
function retyped(text: string): string[] {
  if (!text.includes('\b')) return [text];
  const shown: string[] = [];
  const letters: string[] = [];
  let cursor = 0;
  let isNew = false;
  const show = (): void => {
    if (isNew) shown.push(letters.join('').trimEnd());
    isNew = false;
  };
  for (const letter of text) {
    if (letter === '\b') {
      show();
      cursor = Math.max(0, cursor - 1);
      continue;
    }
    // Blanks over existing text only erase it.
    if (letter !== ' ') isNew = true;
    if (letter !== ' ' && letters.length > cursor) letters.length = cursor;
    letters[cursor] = letter;
    cursor += 1;
  }
  show();
  return shown;
}

/** A line as displayed: each update of an overwritten progress line is a separate line. */
export const updatesOf = (line: string): string[] => {
  const pieces = line.split(LINE_RESET).filter((piece) => piece.trim() !== '');
  return pieces.length === 0 ? [''] : pieces.flatMap(retyped);
};
