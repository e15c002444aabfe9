import { expect, it } from 'vitest';
import { cooperatively } from './cell-figure.ts';

/** Longer than a turn. */
const LONG_MS = 30;
function busy(): void {
  const began = performance.now();
  while (performance.now() - began < LONG_MS);
}

it('lets other work run between two long steps', async () => {
  let isDone = false;
  function* work(): Generator<void, boolean> {
    setImmediate(() => {
      isDone = true;
    });
    busy();
    yield;
    return isDone;
  }
  expect(await cooperatively(work())).toBe(true);
});

it('ends unwanted work at its next turn', async () => {
  const closing = new AbortController();
  let steps = 0;
  function* work(): Generator<void, void> {
    for (;;) {
      steps += 1;
      closing.abort(new Error('The app closes.'));
      busy();
      yield;
    }
  }
  await expect(cooperatively(work(), closing.signal)).rejects.toThrow('The app closes.');
  expect(steps).toBe(1);
});
