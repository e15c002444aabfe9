import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { MonitorParser, MonitorProgram, MonitorRow } from '../monitors/monitor.ts';
import { decodeLine } from '../runs/index.ts';
import type { MonitorJob } from '../store/store.ts';
import type { WatchingContext } from './context.ts';

/** More than several of the largest blocks is a backlog: it is read on without waiting for the commit. */
const BACKLOG_BYTES = 16 * 1024;

export interface Recorded {
  machine: Machine;
  job: MonitorJob;
  program: Pick<MonitorProgram, 'parser' | 'keepsOutput'>;
  /** Rows that are stored; absent: all. */
  wanted?: (row: MonitorRow) => boolean;
  /** Of a program that reads for several, the sources by their place; absent: that of the job alone. */
  sources?: readonly number[] | undefined;
  /** Told rows before they are stored, those without figures as well. */
  coming?: ((rows: readonly MonitorRow[]) => void) | undefined;
  /** Between two looks whether it has ended; absent: at once. */
  lookEveryMs?: number;
  /** Of what has come, how many rows it was, the last line that was none, where the program keeps that, and how many lines could not be read. */
  heard?(rows: number, said: string | undefined, unread: number): void;
}

/**
 * Stores what a monitor prints, from where its stored output ends until all of it has come. Each row is stored once, together with the place
 * behind it, so that this may be broken off at any moment and begun again. Gives the time of the first row, by the clock of its host. Throws as
 * `Jobs.follow` does.
 */
export async function recordMonitor(
  { store, jobs }: Pick<WatchingContext, 'store' | 'jobs'>,
  { machine, job, program, wanted, lookEveryMs, heard, coming, sources = [job.sourceId] }: Recorded,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { jobId, sourceId } = job;
  let place = store.monitored.job(jobId)?.readBytes ?? job.readBytes;
  const parser = program.parser(place > 0 ? lastCounters(store, sourceId) : []);
  const reader = new MonitorReader(parser);
  // A monitor that runs prints a block a second; the end of one that has ended is to be noticed at once.
  const how = { everyMs: lookEveryMs, showsLife: lookEveryMs !== undefined };
  let first: number | undefined;
  for await (const { bytes } of jobs.follow(machine, jobId, 'stdout', place, signal, how)) {
    const before = reader.unread;
    const { rows, bytes: taken } = reader.push(bytes);
    heard?.(rows.length, parser.said, reader.unread - before);
    if (taken.length === 0) continue;
    coming?.(rows);
    const kept = rows.filter((row) => row.failed === undefined && (wanted?.(row) ?? true));
    const read = { jobId, from: place, to: place + taken.length };
    const write = (): void => {
      for (const [at, id] of sources.entries()) {
        const its = kept.filter(({ of = 0 }) => of === at);
        if (its.length > 0) store.monitored.ingest({ sourceId: id, rows: its });
      }
      store.monitored.ingest({ sourceId, rows: [], read: program.keepsOutput ? { ...read, bytes: taken } : read });
    };
    if (taken.length < BACKLOG_BYTES) await store.soon(write);
    else store.relaxed(write);
    first ??= kept[0]?.t;
    place = read.to;
  }
  return first;
}

/** Counters of the last row that is stored of a source. */
function lastCounters({ monitored }: Pick<WatchingContext['store'], 'monitored'>, sourceId: number): string[] {
  const { to: from } = monitored.extent(sourceId);
  if (from === undefined) return [];
  const { columns } = monitored.columns(sourceId, monitored.names(sourceId), { from });
  return [...columns].flatMap(([name, values]) => (Number.isNaN(values.at(-1) ?? Number.NaN) ? [] : [name]));
}

/** Nothing more will come of it: its host was started again, or its files are gone. */
export const isLost = (error: unknown): boolean => error instanceof KneepointError && error.code === 'job-lost';

const NEWLINE = 10;
/** A monitor's line is short; what has no end is nothing that it printed. */
const LONGEST = 1 << 20;

/** Rows that are complete, and how many bytes of the output they and what lies before them take. */
interface ReadRows {
  rows: MonitorRow[];
  bytes: Uint8Array;
}

/** Cuts the output of a monitor into rows. What belongs to a row that is not complete yet is kept until it is. */
class MonitorReader {
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

/** Lines and samples that are looked at together: what was long ago counts less and less. */
const WINDOW = 120;
const MANY = 10;

const WORDS = 'Many lines of its output cannot be parsed, so values are missing.';

/** Says so while more lines of a monitor cannot be read than become samples. To be told how many of both have come. */
export function unreadLines(
  problem: (message: string | undefined, how?: 'in part') => void,
): (rows: number, unread: number) => void {
  let [rows, unread] = [0, 0];
  let isTold = false;
  return (newRows, newUnread) => {
    rows += newRows;
    unread += newUnread;
    while (rows + unread > WINDOW) [rows, unread] = [rows / 2, unread / 2];
    const isMany = unread >= MANY && unread > rows;
    if (isMany === isTold) return;
    isTold = isMany;
    if (isMany) problem(WORDS, 'in part');
    else problem(undefined);
  };
}
