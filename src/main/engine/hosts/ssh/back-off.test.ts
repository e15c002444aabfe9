import { expect, it } from 'vitest';
import { connectLimitMs, retryDelayMs } from './back-off.ts';

it('tries often for the first minutes, then twice a minute forever', () => {
  expect([1, 2, 3, 4, 5, 50].map((failures) => retryDelayMs(1_000 * failures, failures))).toEqual([
    500, 1_000, 2_000, 4_000, 4_000, 4_000,
  ]);
  expect(retryDelayMs(4 * 60_000, 60)).toBe(4_000);
  expect(retryDelayMs(5 * 60_000, 80)).toBe(30_000);
  expect(retryDelayMs(3 * 24 * 3_600_000, 9_000)).toBe(30_000);
});

it('is back within 6 s of the end of a short outage and within 35 s of a long one', () => {
  // The worst case is a host that returns just after the last SYN of an attempt (sent at 0, 1, 3 and 7 s).
  expect(connectLimitMs(true, 20_000) - 3_000 + retryDelayMs(20_000, 10)).toBeLessThanOrEqual(6_000);
  expect(connectLimitMs(true, 4 * 3_600_000) - 7_000 + retryDelayMs(4 * 3_600_000, 400)).toBeLessThanOrEqual(35_000);
});

it('gives a first contact more time than a repeated one', () => {
  expect(connectLimitMs(false, 0)).toBe(10_000);
});
