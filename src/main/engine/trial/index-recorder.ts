import { decodeLine, takeLines } from '../runs/index.ts';
import type { IngestBatch, Store } from '../store/store.ts';

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
  #ahead: number | undefined;
  #rest: Uint8Array = new Uint8Array(0);
  #next: number;

  constructor(store: Store, runId: number, generator: number) {
    this.#store = store;
    this.#runId = runId;
    this.#generator = generator;
    const { epoch, uptime, next } = store.samples.index(runId, generator);
    this.#next = next.at(-1) ?? 0;
    if (epoch[0] !== undefined) this.#ahead = epoch[0] - (uptime[0] ?? 0);
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
    if (first) this.#ahead ??= first.epoch - first.uptime;
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
    return arrived === undefined || this.#ahead === undefined ? undefined : arrived + this.#ahead;
  }
}
