import { expect, it } from 'vitest';
import { watchedSeries, windowOf } from './index.ts';

const ZERO = 1_700_000_000_000;

it('copies label, unit and limit of a stored series into the evidence', () => {
  const stored = { id: 'net.eth0.tx_mib_s', rule: 'net.*.tx_mib_s', instance: 'eth0', label: 'Sent', unit: 'MiB/s' };
  const series = watchedSeries(
    { ...stored, lane: 'network', main: true, limit: { value: 119, words: 'link speed' } },
    { t: Float64Array.of(-0.5, 0.5, 1.5), v: Float64Array.of(1, 2, Number.NaN) },
  );
  expect(series).toEqual({
    ...stored,
    limit: { value: 119, words: 'link speed' },
    t: Float64Array.of(-0.5, 0.5, 1.5),
    v: Float64Array.of(1, 2, Number.NaN),
  });
});

it('converts the measured part of a run to its own seconds', () => {
  expect(windowOf({ runId: 1, zero: ZERO, from: ZERO + 10_000, to: ZERO + 70_000 })).toEqual({ from: 10, to: 70 });
});
