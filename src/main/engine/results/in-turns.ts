import { setImmediate as nextTurn } from 'node:timers/promises';

/** As long as a step takes longer, nothing else waits longer than for it. */
const TURN_MS = 20;

/** Does work of many steps in turns of some milliseconds, so that trials are recorded and pages answered between two. Stops with `signal`. */
export async function inTurns<T>(work: Generator<void, T>, signal?: AbortSignal): Promise<T> {
  let began = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done) return step.value;
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    signal?.throwIfAborted();
    began = performance.now();
  }
}
