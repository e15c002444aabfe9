import { expect, it } from 'vitest';
import { CommandOptions } from './index.ts';
import { factorOf } from './metric-lines.ts';

it('refuses unusable patterns with the reason', () => {
  const { error } = CommandOptions.shape.pattern.safeParse('(?<n>\\d+');
  expect(error?.issues[0]?.message).toMatch(/missing closing \)/);
  expect(CommandOptions.shape.pattern.safeParse('(?<ops>\\d+)').success).toBe(true);
});

it.each([
  ['latency_avg_ms', 'us', 0.001],
  ['latency_p99_ms', 'µs', 0.001],
  ['latency_p99_ms', 's', 1000],
  ['read_mib_s', 'KiB/s', 1 / 1024],
  ['read_mib_s', 'MB/s', 1e6 / 1_048_576],
  ['ops', 'k', 1000],
  ['ops', '', 1],
  ['ops', 'ms', undefined],
  ['latency_avg_ms', 'k', undefined],
  ['latency_avg_ms', 'constructor', undefined],
])('converts one %s in %j to %s', (metric, unit, factor) => {
  expect(factorOf(metric, unit)).toBe(factor);
});
