import { expect, it } from 'vitest';
import { placeFigures, placesText } from './places.ts';

const FIGURES: Readonly<Record<string, number>> = {
  iops: 300,
  write_mib_s: 1.2,
  latency_p99_ms: 0.004,
  'place:/mnt/a:_iops': 200,
  'place:/mnt/a:_write_mib_s': 0.8,
  'place:/mnt/b~. c:_iops': 100,
  'place:/mnt/b~. c:_latency_p99_ms': 0.002,
};
const KNOWN = [...Object.keys(FIGURES), 'read_mib_s'];

it('lists figures of each place and of all together, only those that a place has', () => {
  const figures = placeFigures([{ cell: 2, levels: { depth: 8 } }], KNOWN, (_, metric) => FIGURES[metric]);
  expect(figures).toEqual({
    metrics: ['iops', 'write_mib_s', 'latency_p99_ms'],
    rows: [
      { cell: 2, levels: { depth: 8 }, place: '/mnt/a', values: [200, 0.8, null] },
      { cell: 2, levels: { depth: 8 }, place: '/mnt/b: c', values: [100, null, 0.002] },
      { cell: 2, levels: { depth: 8 }, values: [300, 1.2, 0.004] },
    ],
  });
  const { head, numbers, rows } = placesText(figures ?? { metrics: [], rows: [] });
  expect([head.slice(0, 2), numbers]).toEqual([['depth', 'place'], 2]);
  expect(head.slice(2)).toEqual(['IOPS', 'Write (MiB/s)', 'p99 (ms)']);
  expect(rows.map((row) => row.slice(0, 3))).toEqual([
    ['8', '/mnt/a', '200'],
    ['8', '/mnt/b: c', '100'],
    ['8', 'all together', '300'],
  ]);
});

it('has nothing to list for a load with one place', () => {
  expect(placeFigures([{ cell: 0, levels: {} }], ['iops', 'job_1_iops'], () => 1)).toBeUndefined();
});
