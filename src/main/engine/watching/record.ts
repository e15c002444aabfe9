import { KneepointError } from '../../../shared/model/problem.ts';
import type { Machine } from '../hosts/machine.ts';
import type { MonitorParser, MonitorProgram, MonitorRow } from '../monitors/monitor.ts';
import { decodeLine } from '../runs/index.ts';
import type { MonitorJob } from '../store/store.ts';
import type { WatchingContext } from './context.ts';

/** More than several of the largest blocks is a backlog: reading continues without waiting for the commit. */
const BACKLOG_BYTES = 16 * 1024;

export interface Recorded {
  machine: Machine;
  job: MonitorJob;
  program: Pick<MonitorProgram, 'parser' | 'keepsOutput'>;
  /** Selects rows to store; absent: all. */
  wanted?: (row: MonitorRow) => boolean;
  /** For a program that reads for several: its sources by their place. Absent: only the source of the job. */
  sources?: readonly number[] | undefined;
  /** Called with rows before they are stored, including those without figures. */
  coming?: ((rows: readonly MonitorRow[]) => void) | undefined;
  /** Between two checks for its end; absent: its end is noticed at once. */
  pollMs?: number;
  /** Called with the number of new rows, the last line that was no row, if the program keeps that, and the number of unreadable lines. */
  onRows?(rows: number, lastMessage: string | undefined, unread: number): void;
}

/**
 * Stores a monitor's output, from the end of its stored output until all of it has arrived. Each row is stored once, together with the position
 * behind it, so this may be interrupted at any moment and restarted. Resolves with the time of the first row, by the clock of its host. Throws the
 * errors of `Jobs.follow`.
 */
export async function recordMonitor(
  { store, jobs }: Pick<WatchingContext, 'store' | 'jobs'>,
  { machine, job, program, wanted, pollMs, onRows, coming, sources = [job.sourceId] }: Recorded,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { jobId, sourceId } = job;
  let place = store.monitored.job(jobId)?.readBytes ?? job.readBytes;
  const parser = program.parser(place > 0 ? lastCounters(store, sourceId) : []);
  const reader = new MonitorReader(parser);
  // A running monitor prints a block a second; after it has ended, its end must be noticed at once.
  const how = { everyMs: pollMs, showsLife: pollMs !== undefined };
  let first: number | undefined;
  for await (const { bytes } of jobs.follow(machine, jobId, 'stdout', place, signal, how)) {
    const before = reader.unread;
    const { rows, bytes: taken } = reader.push(bytes);
    onRows?.(rows.length, parser.lastMessage, reader.unread - before);
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

/** Counters of a source's last stored row. */
function lastCounters({ monitored }: Pick<WatchingContext['store'], 'monitored'>, sourceId: number): string[] {
  const { to: from } = monitored.extent(sourceId);
  if (from === undefined) return [];
  const { columns } = monitored.columns(sourceId, monitored.names(sourceId), { from });
  return [...columns].flatMap(([name, values]) => (Number.isNaN(values.at(-1) ?? Number.NaN) ? [] : [name]));
}

/** No more output is expected: its host was restarted, or its files are gone. */
export const isLost = (error: unknown): boolean => error instanceof KneepointError && error.code === 'job-lost';

const NEWLINE = 10;
/** A monitor's lines are short; one without an end is not its output. */
const LONGEST = 1 << 20;

/** Complete rows, and the bytes of output up to their end. */
interface ReadRows {
  rows: MonitorRow[];
  bytes: Uint8Array;
}

/** Splits the output of a monitor into rows. Bytes of an incomplete row are kept until it is complete. */
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

  /** Number of unreadable lines so far. */
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

  /** A line at which the parser fails counts as unread: reading would otherwise restart at this line for ever. */
  #rowAt(line: string): MonitorRow | undefined {
    try {
      return this.#parser.line(line);
    } catch {
      this.#failed += 1;
      return undefined;
    }
  }
}

/** Lines and samples considered together: older ones count less and less. */
const WINDOW = 120;
const MANY = 10;

const WORDS = 'Many lines of its output cannot be parsed, so values are missing.';

/** Reports a problem while more lines of a monitor are unreadable than become samples. Call the result with the numbers of both. */
export function unreadLines(
  problem: (message: string | undefined, how?: 'in part') => void,
): (rows: number, unread: number) => void {
  let [rows, unread] = [0, 0];
  let isReported = false;
  return (newRows, newUnread) => {
    rows += newRows;
    unread += newUnread;
    while (rows + unread > WINDOW) [rows, unread] = [rows / 2, unread / 2];
    const isMany = unread >= MANY && unread > rows;
    if (isMany === isReported) return;
    isReported = isMany;
    if (isMany) problem(WORDS, 'in part');
    else problem(undefined);
  };
}
