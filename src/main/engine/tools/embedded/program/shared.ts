import { HISTOGRAM_CELLS } from './histogram.ts';
import { KINDS } from './mixes.ts';

/** Words of the control block. The main thread writes them, except for the two about keys. */
export const GO = 0;
export const STOP = 1;
/** Number of the next record to insert. */
export const NEXT_KEY = 2;
/** From here, one word per thread: the smallest record number that it may still be inserting. */
export const PENDING = 3;
export const NOTHING_PENDING = 0x7fffffff;

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
