import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other work waits no longer than this, unless a single step takes longer. */
const TURN_MS = 20;

/**
 * Yields to other work; throws if `signal` has been aborted. Also needed between short pieces of work: many in a row block the engine as
 * one long one does.
 */
export async function turn(signal?: AbortSignal): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** Runs work of many steps in slices of some milliseconds, so trials are recorded and pages served in between. `signal` stops it. */
export async function inTurns<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let began = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() - began < TURN_MS) continue;
    await turn(signal);
    began = performance.now();
  }
}
