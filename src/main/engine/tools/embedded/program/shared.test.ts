import { afterEach, expect, test, vi } from 'vitest';
import { commonClock } from './shared.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('clocks of two threads agree, also when one of them lost its processor while it was made', () => {
  const main = commonClock();
  const [now, hrtime] = [performance.now.bind(performance), process.hrtime.bind(process)];
  // Seventy milliseconds pass right after the first reading of the common clock.
  let passed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  vi.spyOn(process, 'hrtime').mockImplementation(() => {
    const [seconds, nanoseconds] = hrtime();
    const at = seconds * 1e9 + nanoseconds + passed * 1e6;
    passed = 70;
    return [Math.floor(at / 1e9), at % 1e9];
  });
  const worker = commonClock();
  const [before, between, after] = [main(), worker(), main()];
  expect(between).toBeGreaterThan(before - 1);
  expect(between).toBeLessThan(after + 1);
});
