import { describe, expect, test } from 'vitest';
import { readDocument } from './document.ts';
import { formatDocument } from './format.ts';

const TEXT = `kneepoint: 1
name: How long?
workload:
  tool: pgbench
  options:
    latency-limit: 1s # agreed
    aggregate-interval: 1m
    client: 8
where:
  target: pg
factors:
  - name: limit
    option: latency_limit
    levels: [100ms, 2s, 0]
    pause: 1m # to settle
exclude:
  - limit: 2s
measure:
  warmup: 90s
  duration: 1h30 # over lunch
  pause: 2 min
`;

const read = (text: string) => {
  const { experiment, problems } = readDocument(text);
  if (!experiment) throw new Error(JSON.stringify(problems));
  return experiment;
};

describe('durations with their unit in a document', () => {
  test('are read as numbers in the unit of their setting', () => {
    const { workload, factors, exclude, measure } = read(TEXT);
    expect(workload.options).toEqual({ 'latency-limit': 1000, 'aggregate-interval': 60, client: 8 });
    expect(factors[0]).toMatchObject({ levels: [100, 2000, 0], pause: 60 });
    expect(exclude).toEqual([{ limit: 2000 }]);
    expect(measure).toMatchObject({ warmup: 90, duration: 5400, pause: 120 });
  });

  test('keep their notation while their value is unchanged', () => {
    const experiment = read(TEXT);
    expect(formatDocument(experiment, TEXT)).toContain('duration: 1h30 # over lunch');
    const changed = formatDocument({ ...experiment, measure: { ...experiment.measure, duration: 60 } }, TEXT);
    expect(changed).toContain('duration: 60');
    expect(changed).toContain('warmup: 90s');
    expect(changed).toContain('pause: 1m # to settle');
    expect(changed).toContain('latency-limit: 1s # agreed');
    expect(changed).toContain('levels: [100ms, 2s, 0]');
    expect(read(changed).measure.duration).toBe(60);
  });

  test('are accepted in lists of seconds, separated by commas', () => {
    const text = TEXT.replace('tool: pgbench', 'tool: sysbench').replace(
      'latency-limit: 1s # agreed\n    aggregate-interval: 1m\n    client: 8',
      'report-checkpoints: 1m,90s,100\n    forced-shutdown: 2m',
    );
    expect(read(text).workload.options).toEqual({ 'report-checkpoints': '60,90,100', 'forced-shutdown': '120' });
  });

  test('are named at their line if invalid', () => {
    const { problems } = readDocument(TEXT.replace('1h30', 'an hour'));
    expect(problems).toEqual([
      { path: 'measure.duration', message: 'measure.duration: must be a number.', line: 20, column: 13 },
    ]);
  });
});
