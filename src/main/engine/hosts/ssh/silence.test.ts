import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchSilence } from './silence.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('takes a link for dead within 10 s of its last byte, and not for a pause of 7', () => {
  let bytes = 0;
  let dead = false;
  const timer = watchSilence(
    () => bytes,
    () => {
      dead = true;
    },
  );
  for (let pause = 0; pause < 3; pause += 1) {
    vi.advanceTimersByTime(7_000);
    expect(dead).toBe(false);
    bytes += 1;
  }
  vi.advanceTimersByTime(7_500);
  expect(dead).toBe(false);
  vi.advanceTimersByTime(2_500);
  expect(dead).toBe(true);
  clearInterval(timer);
});
