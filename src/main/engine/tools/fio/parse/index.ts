import type { ExitStatus } from '../../../../../shared/model/session.ts';
import { parsedJson } from '../../../../../shared/util/object.ts';
import type { ParseEvents, ParseOutcome, Parser, Phase } from '../../tool.ts';
import { StreamFaults } from '../faults/index.ts';
import type { FioOptions } from '../options/index.ts';
import { readReport } from './figures.ts';
import { judge } from './outcome.ts';
import { PlacesOfLoad } from './places.ts';
import { Series } from './series.ts';
import { TextReader } from './text-report.ts';

/** Maximum length of a shown line; the raw output contains all of it. */
const LONGEST_SHOWN = 4000;
/** Lines of fio's reports are short. Only the beginning of longer ones is searched for messages. */
const LONGEST_ROW = 20_000;
/** Maximum lines shown of an unreadable document. */
const SHOWN_OF_BROKEN = 40;

/** The version, printed once at the start of a run in fio's normal (text) format. */
const BANNER = /^fio-\d+\.\d+/;

type Stream = 'stdout' | 'stderr';

/** Reads fio 3: JSON documents on standard output, messages on both streams. For other formats, only the final figures. */
export class FioParser implements Parser {
  readonly #phase: Phase;
  readonly #events: ParseEvents;
  readonly #decoder = new DocumentDecoder();
  readonly #text = new TextReader();
  readonly #series: Series;
  readonly #faults: Record<Stream, StreamFaults> = { stdout: new StreamFaults(), stderr: new StreamFaults() };
  readonly #places: PlacesOfLoad;
  #cut: string | undefined;
  #empty = true;
  #banners = 0;
  #last = '';

  constructor(phase: Phase, events: ParseEvents, options: FioOptions) {
    this.#phase = phase;
    this.#places = new PlacesOfLoad(options);
    this.#events = events;
    this.#series = new Series(
      (sample) => {
        if (phase === 'run') events.sample(sample);
      },
      (report) => this.#places.progress(report),
    );
  }

  /** fio's progress line contains carriage returns: each of its pieces is a line. */
  line(text: string, stream: Stream, cut = false): void {
    const pieces = text.replace(/\r+$/, '').split(/\r+/);
    pieces.forEach((piece, index) => {
      if (piece.trim() === '') return;
      this.#empty = false;
      const last = cut && index === pieces.length - 1;
      if (stream === 'stdout') this.#ofFirstRun(piece, last);
      else this.#message(piece, stream, last);
    });
  }

  end(exit?: ExitStatus): ParseOutcome {
    const { open } = this.#decoder;
    if (open.length > 0) this.#broken(open);
    return judge({
      phase: this.#phase,
      exit,
      series: this.#series,
      text: this.#text,
      unknown: this.#decoder.unknown,
      runs: Math.max(this.#banners, this.#series.runs),
      faults: [this.#faults.stdout, this.#faults.stderr],
      cut: this.#cut ?? open.at(-1),
      empty: this.#empty,
      unfinished: this.#phase === 'run' ? this.#places.unfinished(this.#series.last) : undefined,
      addFinding: (finding) => this.#events.finding(finding),
    });
  }

  /** A second banner begins another run, as in a file to which several were appended. It is ignored. */
  #ofFirstRun(line: string, cut: boolean): void {
    if (BANNER.test(line) && line !== this.#last) this.#banners += 1;
    this.#last = line;
    if (this.#banners <= 1) this.#output(line, cut);
  }

  #output(line: string, cut: boolean): void {
    const decoded = this.#decoder.line(line, cut);
    if (decoded.kind === 'broken') this.#broken(decoded.lines);
    else if (decoded.kind === 'document') {
      const report = readReport(decoded.value);
      if (report) this.#series.add(this.#places.of(report));
      else this.#broken([line]);
    } else if (decoded.kind === 'text') {
      if (this.#places.line(line)) return;
      // After the last figures of a report, a truncation cannot lose anything needed.
      if ((!cut || this.#text.complete) && line.length <= LONGEST_ROW && this.#text.line(line)) return;
      this.#message(line, 'stdout', cut);
    }
  }

  #message(line: string, stream: Stream, cut: boolean): void {
    if (this.#faults[stream].line(line.slice(0, LONGEST_ROW))) return;
    if (cut && stream === 'stdout') this.#cut = line;
    this.#unparsed(line);
  }

  #broken(lines: readonly string[]): void {
    this.#series.broken();
    for (const line of lines.slice(0, SHOWN_OF_BROKEN)) this.#unparsed(line);
    if (lines.length > SHOWN_OF_BROKEN)
      this.#unparsed(`… and ${lines.length - SHOWN_OF_BROKEN} more lines of a document that could not be parsed`);
  }

  #unparsed(line: string): void {
    this.#events.unparsed(line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}…` : line);
  }
}

/** The type of a line of standard output. `text`: not part of a document. */
type Decoded =
  | { kind: 'part' }
  | { kind: 'document'; value: unknown }
  | { kind: 'broken'; lines: readonly string[] }
  | { kind: 'text' };

const PART: Decoded = { kind: 'part' };
const TEXT: Decoded = { kind: 'text' };

/** A message of another thread, which may occur inside a document without being part of it. */
const MESSAGE = /^(fio: |note: |Jobs: )/;

/** A document has about a thousand lines per job; a larger one is something else. */
const MOST_LINES = 2_000_000;

/** C's output for values that are not numbers, which JSON does not have. */
const NO_NUMBER = /(:\s*)[-+]?(?:nan|inf|infinity)(?=\s*[,}\]])/gi;

/**
 * Finds fio's JSON documents in lines. With `--status-interval` they follow each other without separators. Messages of fio and its jobs appear
 * before, between and inside them, always on separate lines that begin in the first column.
 */
class DocumentDecoder {
  #lines: string[] | undefined;
  #damaged = false;
  #unknown = false;

  /** Whether a figure of a document was not a number. */
  get unknown(): boolean {
    return this.#unknown;
  }

  /** Lines of a document without an end so far. */
  get open(): readonly string[] {
    return this.#lines ?? [];
  }

  line(text: string, cut: boolean): Decoded {
    if (text === '{') return this.#begin();
    // A whole document on one line, as rewritten by other programs.
    if (this.#lines === undefined && text.startsWith('{') && text.endsWith('}') && text.length > 2) {
      const value = cut ? undefined : this.#parsed(text);
      return value === undefined ? { kind: 'broken', lines: [text] } : { kind: 'document', value };
    }
    const lines = this.#lines;
    if (lines === undefined) return TEXT;
    if (text !== '}' && !/^\s/.test(text)) {
      // Anything else may be a damaged line of the document, which makes the document incomplete.
      if (!MESSAGE.test(text)) this.#damaged = true;
      return TEXT;
    }
    lines.push(text);
    if (cut && text !== '}') this.#damaged = true;
    if (lines.length > MOST_LINES) return this.#close(undefined);
    return text === '}' ? this.#close(this.#damaged ? undefined : this.#parsed(lines.join('\n'))) : PART;
  }

  /** Starts a document. If another one is open, its end is missing. */
  #begin(): Decoded {
    const lost = this.#lines;
    this.#lines = ['{'];
    this.#damaged = false;
    return lost ? { kind: 'broken', lines: lost } : PART;
  }

  #parsed(text: string): unknown {
    const value = parsedJson(text);
    const known = value === undefined ? text.replace(NO_NUMBER, '$1null') : text;
    if (known === text) return value;
    this.#unknown = true;
    return parsedJson(known);
  }

  #close(value: unknown): Decoded {
    const lines = this.#lines ?? [];
    this.#lines = undefined;
    this.#damaged = false;
    return value === undefined ? { kind: 'broken', lines } : { kind: 'document', value };
  }
}
