import { HISTOGRAM_CELLS } from './histogram.ts';
import { KINDS } from './mixes.ts';

/** Words of the control block: written by the main thread, but for the two about keys. */
export const GO = 0;
export const STOP = 1;
/** Number of the next record to insert. */
export const NEXT_KEY = 2;
/** From here on one word per thread: the smallest record number it may still be inserting. */
export const PENDING = 3;
export const NOTHING_PENDING = 0x7fffffff;

/** Cells of a thread's counters; the first ones are operations by kind. All only grow, so a reader needs differences and no lock. */
export const ERRORS = KINDS.length;
export const LATENCY_SUM = ERRORS + 1;
export const LATENCY_MIN = LATENCY_SUM + 1;
export const LATENCY_MAX = LATENCY_MIN + 1;
const COUNTERS = LATENCY_MAX + 1;

/** What the main thread and one worker share. Each worker alone writes its counters (nanoseconds for latencies) and its histogram. */
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

/** How far the clocks of two threads may differ, milliseconds. */
const CLOCK_ERROR = 0.05;

/**
 * Milliseconds on a clock that all threads of the process share: `performance.now()` starts again in each worker, `process.hrtime()` does
 * not, but takes longer to read. A thread that loses its processor between the readings that tie them together would be wrong by as
 * long for the whole run, and a load at a rate would begin with a burst: such readings are taken again.
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
