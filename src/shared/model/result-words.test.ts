import { expect, it } from 'vitest';
import { syncSentence } from './result-words.ts';

const SENTENCE = 'Each I/O ends before the fsync that makes it durable: fsync latency is a metric of its own.';

it('mentions the fsync that a latency excludes, if the tool measured it', () => {
  const runFigures = ['sync_latency_p99_ms'];
  for (const metric of ['latency_p95_ms', 'latency_avg_ms', 'write_latency_p99_ms', 'completion_latency_p99_ms'])
    expect(syncSentence({ metric, metrics: ['iops'], runFigures })).toBe(SENTENCE);
  expect(syncSentence({ metric: 'latency_p95_ms', metrics: ['sync_latency_avg_ms'] })).toBe(SENTENCE);
  // Reads are not part of an fsync, a rate includes its time, and other tools have none.
  for (const metric of ['read_latency_p99_ms', 'sync_latency_p99_ms', 'write_mib_s', 'iops'])
    expect(syncSentence({ metric, metrics: ['iops'], runFigures })).toBeUndefined();
  expect(syncSentence({ metric: 'latency_p95_ms', metrics: ['tps'] })).toBeUndefined();
});

it('names a latency without the fsync, where the tool reported no times of it', () => {
  const words = 'Latency without the fsync that makes a write durable: the tool did not report the times of fsync.';
  const found = (metric: string) => syncSentence({ metric, metrics: ['iops'], syncs: true });
  expect(found('write_latency_p99_ms')).toBe(words);
  expect(found('latency_avg_ms')).toBe(words);
  expect(found('read_latency_p99_ms')).toBeUndefined();
  expect(found('iops')).toBeUndefined();
  expect(syncSentence({ metric: 'latency_avg_ms', metrics: ['sync_latency_avg_ms'], syncs: true })).toBe(SENTENCE);
});
