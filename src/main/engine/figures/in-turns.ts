import { setImmediate as nextTurn } from 'node:timers/promises';

/** As long as a step takes longer, nothing else waits longer than for it. */
const TURN_MS = 20;

/** Lets all else have its turn; throws when `signal` has been aborted. Between two short works too: many of them would hold the engine up as one long one does. */
export async function turn(signal?: AbortSignal): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** Does work of many steps in turns of some milliseconds, so that trials are recorded and pages answered between two. Stops with `signal`. */
export async function inTurns<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let began = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() - began < TURN_MS) continue;
    await turn(signal);
    began = performance.now();
  }
}
