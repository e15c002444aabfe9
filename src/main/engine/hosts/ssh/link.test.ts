import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchSilence } from './connection.ts';
import { connectLimitMs, retryDelayMs } from './link.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('treats a link as dead within 10 s of its last byte, but not after a pause of 7 s', () => {
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

it('retries often for the first minutes, then twice a minute forever', () => {
  expect([1, 2, 3, 4, 5, 50].map((failures) => retryDelayMs(1_000 * failures, failures))).toEqual([
    500, 1_000, 2_000, 4_000, 4_000, 4_000,
  ]);
  expect(retryDelayMs(4 * 60_000, 60)).toBe(4_000);
  expect(retryDelayMs(5 * 60_000, 80)).toBe(30_000);
  expect(retryDelayMs(3 * 24 * 3_600_000, 9_000)).toBe(30_000);
});

it('reconnects within 6 s after a short outage and within 35 s after a long one', () => {
  // The worst case is a host that returns just after the last SYN of an attempt (sent at 0, 1, 3 and 7 s).
  expect(connectLimitMs(true, 20_000) - 3_000 + retryDelayMs(20_000, 10)).toBeLessThanOrEqual(6_000);
  expect(connectLimitMs(true, 4 * 3_600_000) - 7_000 + retryDelayMs(4 * 3_600_000, 400)).toBeLessThanOrEqual(35_000);
});

it('allows more time for a first contact than for a reconnection', () => {
  expect(connectLimitMs(false, 0)).toBe(10_000);
});

it('creates SSH clients in one place only, which always checks keys', () => {
  const root = join(import.meta.dirname, '..', '..', '..', '..', '..');
  // Benchmarks measure ssh2 alone as the limit for Kneepoint.
  const files = ['src', 'scripts', 'e2e'].flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(folder, name));
  });
  const makers = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return /'ssh2'/.test(text) && /new (ssh2\.)?Client\(/.test(text);
  });
  expect(makers).toEqual([join('src', 'main', 'engine', 'hosts', 'ssh', 'connection.ts')]);
  expect(readFileSync(join(root, makers[0] ?? ''), 'utf8').match(/new (ssh2\.)?Client\(/g)).toHaveLength(1);
});
