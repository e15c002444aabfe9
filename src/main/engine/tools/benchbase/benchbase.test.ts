import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readRun } from '../parse-text.ts';
import { benchbaseReader } from './index.ts';

const FILE = readFileSync(path.join(import.meta.dirname, 'fixtures/tpcc.samples.csv'), 'utf8');

it('reads the requests of every second, and latencies in milliseconds', () => {
  const { samples, summary, ok, unparsed } = readRun(benchbaseReader, FILE);
  expect(samples.map(({ t, metrics }) => [t, metrics.ops])).toEqual(
    [410, 980, 1204, 1211, 1198, 1207, 1190, 0, 1322, 1205, 1199, 1202].map((rate, second) => [second + 1, rate]),
  );
  expect(samples[0]?.metrics).toMatchObject({ latency_avg_ms: 3.414, latency_p95_ms: 5.966, latency_max_ms: 7.776 });
  expect([summary.ops_total, ok, unparsed]).toEqual([12_328, true, []]);
});

it('has no latency in a second without completed requests', () => {
  expect(readRun(benchbaseReader, FILE).samples[7]?.metrics).toEqual({ ops: 0 });
});

it('keeps the seconds before a truncated line', () => {
  const { samples, unparsed } = readRun(benchbaseReader, FILE.slice(0, FILE.indexOf('\n4,') + 9));
  expect(samples).toHaveLength(4);
  expect(unparsed).toHaveLength(1);
});

it('rejects files with longer intervals in milliseconds', () => {
  const { samples, ok } = readRun(
    benchbaseReader,
    'Time (seconds),Throughput (requests/second),Average Latency (millisecond)\n0,1000.600,3.398\n5,984.800,3.397\n',
  );
  expect([samples, ok]).toEqual([[], false]);
});
