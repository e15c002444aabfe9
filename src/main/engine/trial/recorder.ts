import type { Finding } from '../../../shared/model/finding.ts';
import { KneepointError } from '../../../shared/model/problem.ts';
import type { ExitStatus } from '../../../shared/model/session.ts';
import { decodeLine, takeLines } from '../runs/index.ts';
import type { IngestBatch, Store } from '../store/store.ts';
import type { ParsedSample, ParseEvents, ParseOutcome, Parser } from '../tools/tool.ts';
import { type OutputStream, SamplePlaces } from './zero.ts';

const STREAMS: readonly OutputStream[] = ['stdout', 'stderr'];
/** Enough to see what kind of lines they are. */
export const MAX_UNPARSED = 200;
const REPLAY_PIECE = 1 << 20;

export interface RecorderOptions {
  store: Store;
  runId: number;
  generator: number;
  makeParser(events: ParseEvents): Parser;
  /** Called once with a finding that is worth knowing while the tool runs; not for those that were read before. */
  onFinding?(finding: Finding): void;
}

/**
 * Turns a run's output into stored samples, exactly once. It commits whole lines only: samples, raw bytes and offset together. After any failure it
 * is discarded: a new one reads the stored raw output again through a fresh parser and continues from there.
 */
export class RunRecorder {
  readonly #options: RecorderOptions;
  readonly #parser: Parser;
  readonly #pending: Record<OutputStream, PendingBytes> = { stdout: new PendingBytes(), stderr: new PendingBytes() };
  readonly #next: Record<OutputStream, number> = { stdout: 0, stderr: 0 };
  #samples: ParsedSample[] = [];
  /** The line that the parser has now; undefined after the last one. */
  #line: { stream: OutputStream; end: number } | undefined;
  #reached = Number.NEGATIVE_INFINITY;
  /** Samples in the store that no line produced: an earlier start had reached the end and was interrupted after it. */
  #storedAtEnd = 0;
  #isReplaying = true;
  readonly findings: Finding[] = [];
  readonly unparsed: string[] = [];
  /** Places of all samples since the start of the run, including those stored before. */
  readonly places = new SamplePlaces();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#parser = options.makeParser({
      sample: (sample) => {
        this.#samples.push(sample);
        if (this.#line) this.places.note(this.#line.stream, { t: sample.t, end: this.#line.end });
      },
      finding: (finding, atOnce = false) => {
        this.findings.push(finding);
        if (atOnce && !this.#isReplaying) options.onFinding?.(finding);
      },
      unparsed: (line) => {
        if (this.unparsed.length < MAX_UNPARSED) this.unparsed.push(line);
      },
    });
    this.#replay();
    this.#isReplaying = false;
  }

  /** Next byte wanted of a stream. */
  wanted(stream: OutputStream): number {
    return this.#next[stream];
  }

  /** The latest second for which this recorder has stored a sample; minus infinity before the first one. */
  get reached(): number {
    return this.#reached;
  }

  /** Bytes received but not yet committed. */
  get pendingBytes(): number {
    return STREAMS.reduce((sum, stream) => sum + this.#pending[stream].length, 0);
  }

  push(stream: OutputStream, offset: number, bytes: Uint8Array): void {
    if (offset !== this.#next[stream]) {
      throw new KneepointError({
        code: 'conflict',
        message: `Output of ${stream} arrived at byte ${offset}, but byte ${this.#next[stream]} was expected.`,
        run: this.#options.runId,
        safe: 'Stored data is complete up to there.',
        next: 'Kneepoint reads it again from that byte.',
      });
    }
    this.#pending[stream].push(bytes);
    this.#next[stream] += bytes.length;
  }

  /** Commits every whole line received so far. Returns the number of new samples. */
  flush(run?: IngestBatch['run']): number {
    let stored = 0;
    for (const stream of STREAMS) stored += this.#commit(stream, false, run);
    return stored;
  }

  /**
   * Call after the last byte: commits the rest (a last line without its end is stored raw, never as a sample), asks the parser for its judgement, and
   * stores the samples that the parser held back for a line that did not come.
   */
  finish(exit: ExitStatus): ParseOutcome {
    for (const stream of STREAMS) this.#commit(stream, true);
    const outcome = this.#parser.end(exit);
    if (this.#storedAtEnd > this.#samples.length) throw this.#disagreement(this.#samples.length, this.#storedAtEnd);
    this.#ingest('stdout', this.#next.stdout, new Uint8Array(0), this.#samples.splice(0).slice(this.#storedAtEnd));
    return outcome;
  }

  #commit(stream: OutputStream, last: boolean, run?: IngestBatch['run']): number {
    const { bytes } = this.#pending[stream];
    const used = this.#feed(stream, bytes, this.#next[stream] - bytes.length);
    if (last && used < bytes.length) this.#parser.line(decodeLine(bytes.subarray(used)), stream, true);
    const size = last ? bytes.length : used;
    if (size === 0) return 0;
    const samples = this.#samples.splice(0);
    if (this.#storedAtEnd > 0 && samples.length > 0) throw this.#disagreement(samples.length, this.#storedAtEnd);
    this.#ingest(stream, this.#next[stream] - bytes.length, bytes.subarray(0, size), samples, run);
    this.#pending[stream].drop(size);
    return samples.length;
  }

  #ingest(
    stream: OutputStream,
    offset: number,
    bytes: Uint8Array,
    samples: ParsedSample[],
    run?: IngestBatch['run'],
  ): void {
    if (bytes.length === 0 && samples.length === 0) return;
    const { store, runId, generator } = this.#options;
    store.samples.ingest({ runId, generator, stream, offset, bytes, samples, ...(run && { run }) });
    for (const { t } of samples) this.#reached = Math.max(this.#reached, t);
  }

  /** Feeds bytes of a stream from `offset` on. Returns how many of them belong to whole lines. */
  #feed(stream: OutputStream, bytes: Uint8Array, offset: number): number {
    const used = takeLines(bytes, (text, cut, end) => {
      this.#line = { stream, end: offset + end };
      this.#parser.line(text, stream, cut);
    });
    this.#line = undefined;
    return used;
  }

  /** Feeds the stored output to a fresh parser; the samples that it emits are in the store already. */
  #replay(): void {
    const { store, runId, generator } = this.#options;
    for (const stream of STREAMS) {
      const total = store.samples.offset(runId, generator, stream);
      let rest: Uint8Array = new Uint8Array(0);
      for (let offset = 0; offset < total; offset += REPLAY_PIECE) {
        const piece = store.samples.raw(runId, generator, stream, offset, REPLAY_PIECE);
        const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
        rest = bytes.subarray(this.#feed(stream, bytes, offset - rest.length));
      }
      this.#next[stream] = total;
    }
    const stored = store.samples.count(runId, generator);
    if (this.#samples.length > stored) throw this.#disagreement(this.#samples.length, stored);
    this.#storedAtEnd = stored - this.#samples.length;
    this.#samples = [];
  }

  #disagreement(read: number, stored: number): KneepointError {
    const { runId } = this.#options;
    return new KneepointError({
      code: 'store-corrupt',
      message: `The stored output of run ${runId} parses to ${read} samples, but ${stored} are stored.`,
      run: runId,
      safe: 'The raw output is unchanged.',
      next: 'Re-parse the raw output of the run to rebuild its samples.',
    });
  }
}

const SMALLEST = 16 * 1024;

/** Pending bytes in one reused buffer: a new one for each commit of a flood would pile up faster than it is collected. */
class PendingBytes {
  #buffer = new Uint8Array(SMALLEST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The pending bytes; valid until the next `push` or `drop`. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  push(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }

  /** Removes the first `count` bytes. */
  drop(count: number): void {
    this.#buffer.copyWithin(0, count, this.#length);
    this.#length -= count;
  }
}

type IndexRow = NonNullable<IngestBatch['index']>[number];

/** `epoch uptime stdout-bytes stderr-bytes ['last']`, as the supervisor writes it each second; earlier versions omitted the last two. */
const LINE = /^(\d+(?:\.\d+)?) (\d+(?:\.\d+)?) (\d+)(?: (\d+)(?: last)?)?$/;

/**
 * Stores the lines by which the supervisor ties its host's clock to the bytes that the tool had written. Each row stores where the next line begins,
 * to continue there after any interruption. An unreadable line is omitted: the neighbouring seconds have lines of their own.
 */
export class IndexRecorder {
  readonly #store: Store;
  readonly #runId: number;
  readonly #generator: number;
  #rows: IndexRow[] = [];
  /** The host's clock minus its uptime, seconds: from the first row, as the clock may be set later. */
  #bootedAt: number | undefined;
  #rest: Uint8Array = new Uint8Array(0);
  #next: number;

  constructor(store: Store, runId: number, generator: number) {
    this.#store = store;
    this.#runId = runId;
    this.#generator = generator;
    const { epoch, uptime, next } = store.samples.index(runId, generator);
    this.#next = next.at(-1) ?? 0;
    if (epoch[0] !== undefined) this.#bootedAt = epoch[0] - (uptime[0] ?? 0);
  }

  /** Next byte wanted of the index file. */
  get wanted(): number {
    return this.#next + this.#rest.length;
  }

  push(bytes: Uint8Array): void {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const used = takeLines(all, () => undefined);
    let start = 0;
    while (start < used) {
      const newline = all.indexOf(0x0a, start);
      const end = newline < 0 ? used : newline + 1;
      this.#next += end - start;
      const [, epoch, uptime, offset, err] = LINE.exec(decodeLine(all.subarray(start, end)).trimEnd()) ?? [];
      if (epoch !== undefined)
        this.#rows.push({
          epoch: Number(epoch),
          uptime: Number(uptime),
          offset: Number(offset),
          ...(err !== undefined && { err: Number(err) }),
          next: this.#next,
        });
      start = end;
    }
    this.#rest = Uint8Array.from(all.subarray(used));
  }

  /** Stores the rows received. Returns the host's clock, epoch seconds, carried on by its uptime, at the last row whose output is stored too. */
  flush(): number | undefined {
    if (this.#rows.length === 0) return undefined;
    const stored = this.#store.samples.offset(this.#runId, this.#generator, 'stdout');
    const [first] = this.#rows;
    if (first) this.#bootedAt ??= first.epoch - first.uptime;
    const arrived = this.#rows.findLast(({ offset }) => offset <= stored)?.uptime;
    this.#store.samples.ingest({
      runId: this.#runId,
      generator: this.#generator,
      stream: 'stdout',
      offset: stored,
      bytes: new Uint8Array(0),
      samples: [],
      index: this.#rows.splice(0),
    });
    return arrived === undefined || this.#bootedAt === undefined ? undefined : arrived + this.#bootedAt;
  }
}
