import { expect, it } from 'vitest';
import {
  completionLatency,
  factMetric,
  isMetric,
  latencyLadders,
  metricOf,
  operationLatency,
  percentileIn,
  percentileMetric,
  statisticOf,
  submissionLatency,
} from './index.ts';

it.each([
  [1, 'Latency, 1st percentile'],
  [2, 'Latency, 2nd percentile'],
  [5, 'Latency, 5th percentile'],
  [12, 'Latency, 12th percentile'],
  [23, 'Latency, 23rd percentile'],
  [75, 'Latency, 75th percentile'],
  [95, 'Latency, 95th percentile'],
  [99.9, 'Latency, 99.9th percentile'],
  [99.99, 'Latency, 99.99th percentile'],
  [100, 'Latency, 100th percentile'],
])('names percentile %d', (percentile, label) => {
  const id = percentileMetric(percentile);
  expect(isMetric(id)).toBe(true);
  expect(metricOf(id)).toMatchObject({ id, label, unit: 'ms', better: 'lower', combine: 'none' });
});

it.each([
  [undefined, 'completion_latency_p99_ms', 'Completion latency, 99th percentile'],
  ['write', 'write_completion_latency_p999_ms', 'Write completion latency, 99.9th percentile'],
])('names the completion of %s', (operation, id, label) => {
  const latency = id.replace(/^.*latency_/, 'latency_');
  expect(completionLatency(latency, operation)).toBe(id);
  expect(isMetric(id)).toBe(true);
  expect(metricOf(id)).toMatchObject({ id, label, unit: 'ms', better: 'lower' });
});

it.each([
  [undefined, 'submission_latency_avg_ms', 'Submission latency, mean'],
  ['read', 'read_submission_latency_max_ms', 'Read submission latency, maximum'],
])('names the submission of %s', (operation, id, label) => {
  expect(submissionLatency(id.replace(/^.*latency_/, 'latency_'), operation)).toBe(id);
  expect(metricOf(id)).toMatchObject({ id, label, unit: 'ms', better: 'lower' });
});

it.each([
  ['read', 'latency_p99_ms', false, 'read_latency_p99_ms', 'Read latency, 99th percentile', 'none'],
  ['update', 'latency_avg_ms', false, 'update_latency_avg_ms', 'Update latency, mean', 'none'],
  ['rmw', 'latency_max_ms', false, 'rmw_latency_max_ms', 'Read-modify-write latency, maximum', 'max'],
  ['scan', 'latency_p9999_ms', false, 'scan_latency_p9999_ms', 'Scan latency, 99.99th percentile', 'none'],
  ['read', 'latency_p50_ms', true, 'read_intended_latency_p50_ms', 'Read latency since planned start, median', 'none'],
])('names the %s %s of one kind of operation', (operation, latency, intended, id, label, combine) => {
  expect(operationLatency(operation, latency, intended)).toBe(id);
  expect(isMetric(id)).toBe(true);
  expect(metricOf(id)).toMatchObject({ id, label, combine, unit: 'ms', better: 'lower', digits: 2 });
});

it('does not recognise the latency of an unknown kind of operation', () => {
  for (const id of ['paint_latency_p99_ms', 'read_latency_ms', 'toString_latency_avg_ms']) {
    expect(isMetric(id), id).toBe(false);
    expect(metricOf(id)).toMatchObject({ id, unit: 'ms', better: 'neither' });
  }
});

it('labels the figures of final reports, with their unit', () => {
  expect(metricOf('transactions_total')).toMatchObject({ label: 'Transactions total', unit: '', better: 'neither' });
  expect(metricOf('read_mib_total')).toMatchObject({ label: 'Data read, total', unit: 'MiB', digits: 1 });
  expect(metricOf('write_mib_total')).toMatchObject({ label: 'Data written, total', unit: 'MiB' });
  expect(metricOf('ios_write_total')).toMatchObject({ label: 'Write operations, total', unit: '' });
  expect(metricOf('group_0_ios_total')).toMatchObject({ label: 'Group 0: I/O operations, total', unit: '' });
  expect(metricOf('job_2_errors_total')).toMatchObject({ id: 'job_2_errors_total', label: 'Job 2: Errors total' });
  expect(metricOf('script_1_statement_2_latency_ms')).toMatchObject({
    label: 'Script 1 statement 2 latency',
    unit: 'ms',
  });
  expect(metricOf('total_time_s')).toMatchObject({ label: 'Total time', unit: 's' });
});

it.each([
  ['tps', 'rate'],
  ['job_2_read_mib_s', 'rate'],
  ['read_latency_p99_ms', 'percentile'],
  ['job_1_completion_latency_p9999_ms', 'percentile'],
  ['latency_avg_ms', 'mean'],
  ['group_0_read_latency_avg_ms', 'mean'],
  ['sync_latency_max_ms', 'maximum'],
  ['lag_max_ms', 'maximum'],
  ['stall_longest_s', 'maximum'],
  ['read_latency_min_ms', 'minimum'],
  ['cpu_user_pct', 'level'],
  ['transactions_total', 'level'],
])('classifies the figure of %s as a %s', (id, statistic) => {
  expect(statisticOf(id)).toBe(statistic);
});

it.each([
  ['columns', 'uncompressed_bytes', undefined, 'columns: uncompressed bytes', 'B', 0],
  ['sizes', 'took_ms', 'a: 1 %', 'sizes: took ms, a: 1 %', 'ms', 2],
  ['sizes', 'ratio', undefined, 'sizes: ratio', '', 2],
])('labels the number of a table of facts: %s, %s, %s', (table, column, row, label, unit, digits) => {
  const id = factMetric(table, column, row);
  expect(metricOf(id)).toMatchObject({ id, label, unit, digits, better: 'neither' });
});

it('returns the percentile of an id', () => {
  for (const percentile of [1, 50, 95, 99, 99.9, 99.99, 100])
    expect(percentileIn(percentileMetric(percentile))).toBe(percentile);
  expect(['latency_avg_ms', 'tps', 'read_latency_p99_ms', 'job_2_read_latency_p999_ms'].map(percentileIn)).toEqual([
    undefined,
    undefined,
    99,
    99.9,
  ]);
});

it('never averages percentiles or mean latencies over generators', () => {
  for (const id of ['latency_avg_ms', 'latency_p50_ms', 'latency_p95_ms', 'latency_p42_ms'])
    expect(metricOf(id).combine).toBe('none');
  expect(metricOf('latency_max_ms').combine).toBe('max');
  expect(metricOf('tps').combine).toBe('sum');
});

it('has a label for a metric of a newer version', () => {
  expect(isMetric('joules')).toBe(false);
  expect(metricOf('pages_per_s')).toMatchObject({ label: 'pages_per_s', unit: 'per s', combine: 'sum' });
  expect(metricOf('joules')).toMatchObject({ id: 'joules', label: 'joules', unit: '', better: 'neither' });
});

it('labels the figures of one part of a run', () => {
  expect(metricOf('job_2_iops')).toMatchObject({ id: 'job_2_iops', label: 'Job 2: I/O operations', unit: 'IOPS' });
  expect(metricOf('group_0_sync_latency_p99_ms').label).toBe('Group 0: fsync latency, 99th percentile');
  expect(['job_1_iops', 'job_1_joules', 'job_x_iops', 'job_1_job_2_iops', 'job_1_'].map(isMetric)).toEqual([
    true,
    ...[false, false, false, false],
  ]);
});

it.each([
  ['latency_avg_ms', { statistic: 'mean', latency: true, combine: 'none' }],
  ['job_2_read_completion_latency_p99_ms', { statistic: 'percentile', latency: true, combine: 'none' }],
  ['latency_stddev_ms', { statistic: 'level', latency: true, combine: 'none' }],
  ['commit_latency_max_ms', { statistic: 'maximum', latency: true, combine: 'none' }],
  ['lag_max_ms', { statistic: 'maximum', combine: 'max' }],
  ['job_2_read_mib_s', { statistic: 'rate', combine: 'sum', work: 'MiB read' }],
  ['transactions_total', { statistic: 'level', combine: 'sum' }],
  ['job_2_total_time_s', { statistic: 'level', combine: 'max' }],
  ['checkpoint_min', { statistic: 'minimum', combine: 'none' }],
])('returns the meaning of %s', (id, meaning) => {
  const { statistic, latency, combine, work } = metricOf(id);
  expect({ statistic, combine, ...(latency && { latency }), ...(work && { work }) }).toEqual(meaning);
});

it('sorts percentiles and maximum of each latency that has several', () => {
  const present = [
    'tps',
    'latency_max_ms',
    'latency_avg_ms',
    'latency_p99_ms',
    'latency_p50_ms',
    'read_latency_p95_ms',
  ];
  const ladders = latencyLadders([...present, 'sync_latency_p999_ms', 'sync_latency_p99_ms']);
  expect([...ladders]).toEqual([
    ['latency', ['latency_p50_ms', 'latency_p99_ms', 'latency_max_ms']],
    ['sync_latency', ['sync_latency_p99_ms', 'sync_latency_p999_ms']],
  ]);
});
