import { expect, it } from 'vitest';
import { readOutput } from '../testing/bench.ts';

/** Reports in the format of old releases; up to 9.5 the latency has a colon. */
const OLD = `starting vacuum...end.
transaction type: TPC-B (sort of)
scaling factor: 1
query mode: simple
number of clients: 10
number of threads: 1
duration: 10 s
number of transactions actually processed: 90
number of transactions skipped: 3 (3.226 %)
number of transactions above the 10.0 ms latency limit: 5 (5.556 %)
latency average: 1108.418 ms
latency stddev: 12.500 ms
rate limit schedule lag: avg 0.123 (max 1.250) ms
tps = 8.956621 (including connections establishing)
tps = 8.990000 (excluding connections establishing)
statement latencies in milliseconds:
\t0.002033\t\\set nbranches 1 * :scale
\t1108.100000\tSELECT abalance FROM pgbench_accounts WHERE aid = :aid;
`;
const NEW = `pgbench (18.1)
transaction type: multiple scripts
scaling factor: 10
query mode: prepared
number of clients: 4
number of threads: 2
maximum number of tries: 1
duration: 1 s
number of transactions actually processed: 600
number of failed transactions: 0 (0.000%)
latency average = 6.600 ms
latency stddev = 2.000 ms
initial connection time = 12.345 ms
tps = 601.000000 (without initial connection time)
SQL script 1: read.sql
 - weight: 9 (targets 90.0% of total)
 - 541 transactions (90.2% of total)
 - number of transactions actually processed: 541 (tps = 541.500000)
 - number of failed transactions: 0 (0.000%)
 - latency average = 5.100 ms
`;

it('reads the report of 9.5', () => {
  const { summary, unparsed, samples } = readOutput(OLD, 'progress: 1.0 s, 9.0 tps, lat 1000.000 ms stddev 1.200\n');
  expect(unparsed).toEqual([]);
  expect(samples).toEqual([{ t: 1, metrics: { tps: 9, latency_avg_ms: 1000, latency_stddev_ms: 1.2 } }]);
  expect(summary).toMatchObject({
    ...{ transactions_total: 90, latency_avg_ms: 1108.418, latency_stddev_ms: 12.5, tps: 8.99, lag_max_ms: 1.25 },
    ...{ skipped_total: 3, above_limit_total: 5, script_1_statement_2_latency_ms: 1108.1 },
  });
});

it('reads the rate of each script of 18, which has its own row', () => {
  const { summary, unparsed } = readOutput(NEW, '');
  expect(unparsed).toEqual([]);
  expect(summary).toMatchObject({ tps: 601, script_1_tps: 541.5, script_1_transactions_total: 541 });
});

it('reads a run without transactions, whose shares are NaN', () => {
  const none = NEW.replace('processed: 600', 'processed: 0').replaceAll('0 (0.000%)', '0 (NaN%)');
  const { summary, unparsed } = readOutput(none, '');
  expect(unparsed).toEqual([]);
  expect(summary).toMatchObject({ transactions_total: 0, failed_total: 0 });
});
