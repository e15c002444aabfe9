import { KINDS } from './settings.ts';

/** Words of the control block. The main thread writes them, except for the two about keys. */
export const GO = 0;
export const STOP = 1;
/** Number of the next record to insert. */
const NEXT_KEY = 2;
/** From here, one word per thread: the smallest record number that it may still be inserting. */
const PENDING = 3;
const NOTHING_PENDING = 0x7fffffff;

/** Cells of a thread's counters; the first ones count operations by kind. All only grow, so a reader needs differences but no lock. */
export const ERRORS = KINDS.length;
export const LATENCY_SUM = ERRORS + 1;
export const LATENCY_MIN = LATENCY_SUM + 1;
export const LATENCY_MAX = LATENCY_MIN + 1;
const COUNTERS = LATENCY_MAX + 1;

/** Memory shared by the main thread and one worker. Only the worker writes its counters (latencies in nanoseconds) and its histogram. */
export interface ThreadMemory {
  counters: Float64Array<SharedArrayBuffer>;
  histogram: Uint32Array<SharedArrayBuffer>;
}

export interface SharedMemory {
  control: Int32Array<SharedArrayBuffer>;
  /** One cell: the start on the common clock, milliseconds. */
  start: Float64Array<SharedArrayBuffer>;
  threads: ThreadMemory[];
}

export function sharedMemory(threads: number, records: number): SharedMemory {
  const control = new Int32Array(new SharedArrayBuffer(4 * (PENDING + threads)));
  control[NEXT_KEY] = records;
  control.fill(NOTHING_PENDING, PENDING);
  return {
    control,
    start: new Float64Array(new SharedArrayBuffer(8)),
    threads: Array.from({ length: threads }, () => ({
      counters: new Float64Array(new SharedArrayBuffer(8 * COUNTERS)),
      histogram: new Uint32Array(new SharedArrayBuffer(4 * HISTOGRAM_CELLS)),
    })),
  };
}

/** Maximum difference between the clocks of two threads, milliseconds. */
const CLOCK_ERROR = 0.05;

/**
 * Milliseconds on a clock shared by all threads of the process: `performance.now()` restarts in each worker, `process.hrtime()` does not, but is
 * slower to read. If a thread loses its processor between the readings that relate them, its clock would be off by as much for the whole run, and a
 * load with a rate would begin with a burst. Such readings are repeated.
 */
export function commonClock(): () => number {
  for (;;) {
    const before = performance.now();
    const [seconds, nanoseconds] = process.hrtime();
    const after = performance.now();
    if (after - before > CLOCK_ERROR) continue;
    const offset = seconds * 1000 + nanoseconds / 1e6 - after;
    return () => performance.now() + offset;
  }
}

/**
 * Latency histogram like HdrHistogram: 256 cells per power of two, so a value read back differs from the real one by at most 0.2 %. Values are
 * nanoseconds from 0 to 2^42 (73 minutes); longer ones count in the last cell.
 */
const CELLS_PER_DOUBLING = 256;
const EXACT_BITS = 9;
const MAX_BITS = 42;
export const HISTOGRAM_CELLS = (MAX_BITS - EXACT_BITS) * CELLS_PER_DOUBLING + 2 * CELLS_PER_DOUBLING;

/** Cell of a latency in nanoseconds. */
export function cellOf(nanoseconds: number): number {
  if (nanoseconds < 2 * CELLS_PER_DOUBLING) return Math.max(0, Math.floor(nanoseconds));
  const exponent = nanoseconds < 0xffffffff ? 31 - Math.clz32(nanoseconds) : Math.floor(Math.log2(nanoseconds));
  const doublings = exponent - 8;
  return Math.min(HISTOGRAM_CELLS - 1, doublings * CELLS_PER_DOUBLING + Math.floor(nanoseconds / 2 ** doublings));
}

/** Middle of a cell, nanoseconds. */
export function middleOf(cell: number): number {
  if (cell < 2 * CELLS_PER_DOUBLING) return cell;
  const doublings = Math.floor(cell / CELLS_PER_DOUBLING) - 1;
  return (cell - doublings * CELLS_PER_DOUBLING + 0.5) * 2 ** doublings;
}

/** Latencies at the given fractions (ascending, 0 … 1) in nanoseconds; undefined for an empty histogram. */
export function quantiles(cells: ArrayLike<number>, fractions: readonly number[]): number[] | undefined {
  let count = 0;
  for (let cell = 0; cell < cells.length; cell += 1) count += cells[cell] ?? 0;
  if (count === 0) return undefined;
  const values: number[] = [];
  let seen = 0;
  let cell = 0;
  for (const fraction of fractions) {
    const rank = Math.max(1, Math.ceil(fraction * count));
    while (seen < rank && cell < cells.length) {
      seen += cells[cell] ?? 0;
      cell += 1;
    }
    values.push(middleOf(Math.max(0, cell - 1)));
  }
  return values;
}

/**
 * Assigns record numbers to inserting threads, and counts the records that certainly exist: a number counts only when it and all lower ones are
 * inserted, so no thread ever reads a record that another one is still writing.
 */
export class NewKeys {
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #slot: number;
  #mine: number | undefined;

  constructor(control: Int32Array<SharedArrayBuffer>, thread: number) {
    this.#control = control;
    this.#slot = PENDING + thread;
  }

  /** The number to insert. Returns the same one until `inserted` is called, so a failed insert leaves no gap. */
  take(): number {
    if (this.#mine !== undefined) return this.#mine;
    // Store a lower bound first: no other thread can then see the advanced counter without a pending entry.
    Atomics.store(this.#control, this.#slot, Atomics.load(this.#control, NEXT_KEY));
    const taken = Atomics.add(this.#control, NEXT_KEY, 1);
    Atomics.store(this.#control, this.#slot, taken);
    this.#mine = taken;
    return taken;
  }

  inserted(): void {
    this.#mine = undefined;
    Atomics.store(this.#control, this.#slot, NOTHING_PENDING);
  }

  /** The records 0 … count-1 all exist. */
  count(): number {
    let count = Atomics.load(this.#control, NEXT_KEY);
    for (let slot = PENDING; slot < this.#control.length; slot += 1) {
      count = Math.min(count, Atomics.load(this.#control, slot));
    }
    return count;
  }
}
