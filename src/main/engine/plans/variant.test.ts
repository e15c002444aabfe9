import { describe, expect, it } from 'vitest';
import { toolById } from '../tools/index.ts';
import { checkDocument, formatDocument, readDocument, smallForm } from './index.ts';

const DOCUMENT = `kneepoint: 2
name: Durability on two versions
workload: {tool: sysbench, options: {script: oltp_read_write, tables: 10, table-size: 1000000}}
steps:
  - {name: fill, options: {table-size: 1000000}, duration: 10m, measured: false}
  - {name: mix, warmup: 30}
where: {target: db}
factors:
  - name: binary log
    kind: server-setting
    tested: true
    baseline: without
    levels: [{name: with, set: {log_bin: on}}, {name: without, set: {log_bin: off}}]
  - {name: sync_binlog, kind: server-setting, setting: sync_binlog, levels: [1, 1000], when: {binary log: with}}
  - {name: threads, levels: 1..64 doubling}
exclude: [{sync_binlog: 1000, threads: 64}, {threads: 2}]
measure:
  {warmup: 60, duration: 30m, repeats: 3, pause: 5, stop: {minutes: 90}, pick: second-best, canary: {every: 5, cell: {threads: 64}}}
small:
  set: {binary log: [with], table-size: 1000, fill.table-size: 500, threads: 1..4 by 3, prepare-threads: [1, 2]}
  duration: 5s
  warmup: 1
  primary: qps
`;

const read = (text: string) => {
  const { experiment, problems } = readDocument(text);
  expect(problems).toEqual([]);
  if (!experiment) throw new Error('not read');
  return experiment;
};
const check = (text: string) => {
  const sysbench = toolById('sysbench');
  return checkDocument(text, {
    tools: sysbench ? [sysbench] : [],
    connection: () => ({ kind: 'mysql' }),
    steps: () => ({ run: 'sysbench' }),
  });
};

describe('the small form of a document', () => {
  it('has fewer levels, its own options and shorter trials, and is mechanics only', () => {
    const small = smallForm(read(DOCUMENT));
    expect(small).toMatchObject({
      mechanics: 'only',
      primary: 'qps',
      workload: { options: { 'table-size': 1000, tables: 10 } },
      steps: [
        { name: 'fill', options: { 'table-size': 500 }, measured: false },
        { name: 'mix', options: {} },
      ],
      measure: { warmup: 1, duration: 5, repeats: 1, pause: 0 },
    });
    expect(small?.steps?.some((step) => 'duration' in step || 'warmup' in step)).toBe(false);
    expect(small).not.toHaveProperty('small');
    expect(small?.factors.map(({ name, levels }) => [name, levels])).toEqual([
      ['binary log', [{ name: 'with', set: { log_bin: 'on' } }]],
      ['sync_binlog', [1, 1000]],
      ['threads', [1, 4]],
      ['prepare-threads', [1, 2]],
    ]);
  });

  it('has no other value of an option that becomes a factor', () => {
    const small = smallForm(read(DOCUMENT.replace('fill.table-size: 500,', 'tables: [1, 2],')));
    expect(small?.workload.options).not.toHaveProperty('tables');
    expect(small?.factors.find(({ name }) => name === 'tables')?.levels).toEqual([1, 2]);
  });

  it('removes pauses between its trials', () => {
    const text = DOCUMENT.replace('- {name: threads,', '- {name: threads, pause: 1m,');
    expect(read(text).factors.map(({ pause }) => pause)).toContain(60);
    const small = smallForm(read(text));
    expect(small?.measure.pause).toBe(0);
    expect(small?.factors.every(({ pause }) => pause === undefined)).toBe(true);
  });

  it('leaves an option that a step sets itself, unless it names the step', () => {
    const small = smallForm(read(DOCUMENT.replace(' fill.table-size: 500,', '')));
    expect(small?.workload.options['table-size']).toBe(1000);
    expect(small?.steps?.[0]?.options).toEqual({ 'table-size': 1_000_000 });
    const group = `  - name: v1.5
    options: {tables: 10}
    each: [{name: a, options: {tables: 5}}, {name: b}]`;
    const text = DOCUMENT.replace('  - {name: mix, warmup: 30}', group)
      .replace('fill.table-size: 500', '"v1.5 / a.tables": 1, "v1.5.tables": 2, "v1.5 / b.skip-trx": [true, false]')
      .replace('tables: 10, table', 'tables: 20, table');
    const steps = smallForm(read(text))?.steps?.[1];
    expect(steps).toMatchObject({ options: { tables: 2 }, each: [{ options: { tables: 1 } }, { options: {} }] });
    expect(steps?.each?.[1]?.factors).toEqual([{ name: 'skip-trx', levels: [true, false] }]);
  });

  it('waits only briefly for what its trials can do without', () => {
    const until = 'do: wait, until: {status: Innodb_buffer_pool_pages_dirty, below: 64}';
    const steps = `  - {name: quiet, ${until}, at-most: 5m, else: measure}
  - {name: short, ${until}, at-most: 5, else: measure}
  - {name: needed, ${until}, at-most: 5m}
  - {name: mix, warmup: 30}`;
    const small = smallForm(read(DOCUMENT.replace('  - {name: mix, warmup: 30}', steps)));
    expect(small?.steps?.map((step) => step['at-most'])).toEqual([undefined, 10, 5, 300, undefined]);
  });

  it('has other levels of an option that a step varies', () => {
    const steps = '  - {name: mix, factors: [{name: clients, option: prepare-threads, levels: [8, 16, 32]}]}';
    const small = smallForm(read(DOCUMENT.replace('  - {name: mix, warmup: 30}', steps)));
    expect(small?.steps?.[1]?.factors).toEqual([{ name: 'clients', option: 'prepare-threads', levels: [1, 2] }]);
    expect(small?.factors.map(({ name }) => name)).not.toContain('prepare-threads');
  });

  it('keeps only its own levels in conditions, patterns, baselines and the canary', () => {
    const small = smallForm(read(DOCUMENT));
    expect(small?.factors[0]).not.toHaveProperty('baseline');
    expect(small).not.toHaveProperty('exclude');
    expect(small?.measure).not.toHaveProperty('canary');
    expect(small?.measure).not.toHaveProperty('stop');
    expect(small?.measure).not.toHaveProperty('pick');
    const without = smallForm(read(DOCUMENT.replace('binary log: [with]', 'binary log: without')));
    expect(without?.factors.map(({ name }) => name)).toEqual(['binary log', 'threads', 'prepare-threads']);
    expect(without?.factors[0]).toMatchObject({ baseline: 'without', levels: [{ name: 'without' }] });
  });

  it('keeps its events at the same fractions of a trial', () => {
    const text = DOCUMENT.replace(/steps:[\s\S]*?where:/, 'where:').replace(
      'stop: {minutes: 90}',
      'events: [{at: 930, do: restart}]',
    );
    expect(smallForm(read(text))?.measure.events).toMatchObject([{ at: 3 }]);
  });

  it('is written back unchanged, and is absent if the document has none', () => {
    const experiment = read(DOCUMENT);
    expect(read(formatDocument(experiment))).toEqual(experiment);
    expect(formatDocument(experiment, DOCUMENT)).toBe(formatDocument(experiment, formatDocument(experiment, DOCUMENT)));
    const { small: _, ...none } = experiment;
    expect(smallForm(none)).toBeUndefined();
  });

  it('is checked with the document, naming its place', () => {
    expect(check(DOCUMENT).problems).toEqual([]);
    expect(check(DOCUMENT.replace('prepare-threads', 'prepare-treads')).problems).toMatchObject([
      { path: 'small', line: 20, message: expect.stringMatching(/^In the small form: .*prepare-treads/) },
    ]);
    expect(check(DOCUMENT.replace('  warmup: 1\n', '  warm: 1\n')).problems).toMatchObject([
      { path: 'small.warm', message: 'There is no setting named “warm” under small. Did you mean “warmup”?' },
    ]);
  });

  it('is planned as mechanics only, without measurement advice', () => {
    const small = smallForm(read(DOCUMENT));
    const codes = small ? check(formatDocument(small)).plan?.findings.map(({ code }) => code) : [];
    expect(codes).toContain('mechanics-only');
    expect(codes).not.toContain('few-repeats');
  });
});

it('scales the start of parallel steps with their group and leaves a second to measure', () => {
  const text = `kneepoint: 2
name: Reports during transactions
workload: {tool: sysbench, options: {tables: 10}}
steps:
  - {name: alone, options: {table-size: 1000}}
  - name: both
    duration: 540
    parallel:
      - {name: load, same: alone}
      - {name: reads, options: {table-size: 1000}, from: 300, duration: 60}
      - {name: late, options: {table-size: 1000}, warmup: 0, from: 590}
where: {target: db}
measure: {warmup: 60, duration: 600}
small: {set: {both / reads.table-size: 10}, duration: 6}
`;
  expect(check(text).problems).toEqual([]);
  expect(smallForm(read(text))?.steps?.[1]?.parallel).toEqual([
    { name: 'load', options: {}, same: 'alone' },
    { name: 'reads', options: { 'table-size': 10 }, from: 3 },
    { name: 'late', options: { 'table-size': 1000 }, from: 5 },
  ]);
});
