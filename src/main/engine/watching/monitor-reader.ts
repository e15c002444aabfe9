import type { MonitorParser, MonitorRow } from '../monitors/monitor.ts';
import { decodeLine } from '../runs/index.ts';

const NEWLINE = 10;
/** A monitor's line is short; what has no end is nothing that it printed. */
const LONGEST = 1 << 20;

/** Rows that are complete, and how many bytes of the output they and what lies before them take. */
export interface ReadRows {
  rows: MonitorRow[];
  bytes: Uint8Array;
}

/** Cuts the output of a monitor into rows. What belongs to a row that is not complete yet is kept until it is. */
export class MonitorReader {
  readonly #parser: MonitorParser;
  #pending: Uint8Array = new Uint8Array(0);
  /** Bytes of `#pending` that the parser has seen. */
  #seen = 0;
  /** Lines at which the parser failed. */
  #failed = 0;

  constructor(parser: MonitorParser) {
    this.#parser = parser;
  }

  /** Lines that could not be read so far. */
  get unread(): number {
    return this.#parser.unread + this.#failed;
  }

  push(bytes: Uint8Array): ReadRows {
    const all = this.#pending.length > 0 ? Buffer.concat([this.#pending, bytes]) : Buffer.from(bytes);
    const rows: MonitorRow[] = [];
    let complete = 0;
    for (let end = all.indexOf(NEWLINE, this.#seen); end >= 0; end = all.indexOf(NEWLINE, this.#seen)) {
      const row = this.#rowAt(decodeLine(all.subarray(this.#seen, end)));
      this.#seen = end + 1;
      if (!row) continue;
      rows.push(row);
      complete = this.#seen;
    }
    if (complete === 0 && all.length > LONGEST) complete = all.length;
    this.#pending = Uint8Array.from(all.subarray(complete));
    this.#seen = Math.max(0, this.#seen - complete);
    return { rows, bytes: Uint8Array.from(all.subarray(0, complete)) };
  }

  /** Reading would begin again at this very line for ever: one that its parser cannot take is one that was not read. */
  #rowAt(line: string): MonitorRow | undefined {
    try {
      return this.#parser.line(line);
    } catch {
      this.#failed += 1;
      return undefined;
    }
  }
}
