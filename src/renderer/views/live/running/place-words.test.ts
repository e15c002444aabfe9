import { expect, it } from 'vitest';
import type { Run } from '../../../../shared/model/session.ts';
import type { LiveSamples } from '../stream/live-store.ts';
import { placeWords } from './place-words.ts';

const run = { id: 1 } as unknown as Run;
const samplesOf = (columns: Record<string, number[]>): LiveSamples[] => [
  {
    ...{ runId: 1, generator: 0, t: Float64Array.of(1, 2) },
    columns: Object.fromEntries(Object.entries(columns).map(([id, values]) => [id, Float64Array.from(values)])),
  } as unknown as LiveSamples,
];

it('lists the newest value of each place in the shown metric', () => {
  const samples = samplesOf({
    iops: [300, 310],
    'place:/mnt/a:_iops': [200, 205],
    'place:/mnt/b:_iops': [100, Number.NaN],
    'place:/mnt/a:_progress_pct': [10, 12.5],
  });
  expect(placeWords(run, samples, 'iops')).toBe('IOPS: /mnt/a 205 · /mnt/b –');
  expect(placeWords(run, samples, 'place:/mnt/b:_iops')).toBe('IOPS: /mnt/a 205 · /mnt/b –');
  expect(placeWords(run, samples, 'progress_pct')).toBe('%: /mnt/a 12.5 · /mnt/b –');
  expect(placeWords(run, samples, 'latency_p99_ms')).toBe('');
});

it('is empty for a load with one place', () => {
  expect(placeWords(run, samplesOf({ iops: [1, 2], job_1_iops: [1, 2] }), 'iops')).toBe('');
});
