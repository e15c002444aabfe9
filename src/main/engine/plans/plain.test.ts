import { expect, it } from 'vitest';
import { Experiment } from '../../../shared/model/experiment.ts';
import { checkDocument, formatDocument, readDocument } from './index.ts';
import { checkContext } from './testing/probe.ts';

const TEXT = `kneepoint: 1
name: Ranges
workload: { tool: probe }
where: {}
factors:
  # a ladder
  - { name: threads, levels: 1..16 doubling }
  - name: sync
    levels: [0..2 by 1, 8]
measure: { duration: 10, before: { patience: 2m, rest: 500ms }, stop: { interval: 2% } }
`;
const read = (text: string): Experiment => {
  const { experiment, problems } = readDocument(text);
  expect(problems).toEqual([]);
  return experiment as Experiment;
};

it('reads ranges as lists of levels, durations and percentages as numbers', () => {
  const { factors, measure } = read(TEXT);
  expect(factors.map(({ levels }) => levels)).toEqual([
    [1, 2, 4, 8, 16],
    [0, 1, 2, 8],
  ]);
  expect(measure).toMatchObject({ before: { patience: 120, rest: 0.5 }, stop: { interval: 2 } });
});

it.each([
  ['1..16 doubling', '0..16 doubling', 7, 'doubling must start above 0'],
  ['1..16 doubling', '1..16 doubled', 7, 'neither a list nor a range'],
  ['1..16 doubling', 'many', 7, 'neither a list nor a range'],
  ['0..2 by 1, 8', '0..2, 8', 9, 'neither a list nor a range'],
  ['0..2 by 1, 8', '0..2 by 1, x', 9, 'sync = x'],
  ['0..2 by 1, 8', '0..2 by 1, 2', 9, 'same level twice'],
])('names the line if %s is %s', (right, wrong, line, words) => {
  const [problem] = checkDocument(TEXT.replace(right, wrong), checkContext).problems;
  expect(problem?.message).toContain(words);
  expect(problem?.line).toBe(line);
});

it('finds a level of a range at its line', () => {
  const text = TEXT.replace('levels: [0..2 by 1, 8]', 'levels:\n      - 0..2 by 1\n      - x');
  expect(checkDocument(text, checkContext).problems).toMatchObject([{ line: 11 }]);
});

it('keeps the notation of a range while its levels are unchanged', () => {
  const experiment = read(TEXT);
  const same = formatDocument(experiment, TEXT);
  for (const written of ['levels: 1..16 doubling', 'levels: [0..2 by 1, 8]', 'patience: 2m', 'interval: 2%'])
    expect(same).toContain(written);
  const [threads, sync] = experiment.factors;
  if (!threads || !sync) throw new Error('Two factors are written.');
  const other = { ...sync, levels: [0, 1] };
  const changed = formatDocument({ ...experiment, factors: [threads, other] }, TEXT);
  expect(changed).toContain('levels: 1..16 doubling');
  expect(changed).toContain('# a ladder');
  expect(changed).toContain('levels: [0, 1]');
  const added = { name: 'binlog', kind: 'option', levels: ['off', 'on'] };
  const more = formatDocument({ ...experiment, factors: [sync, added, threads] }, TEXT);
  expect(more).toContain('levels: [0..2 by 1, 8]');
  expect(more).toContain('levels: 1..16 doubling');
  expect(read(more).factors.map(({ name }) => name)).toEqual(['sync', 'binlog', 'threads']);
});

it('removes sentences of the first comment that a change makes untrue, and no others', () => {
  const text = `# Is it faster?
#
# Data: 4 tables of 250,000 rows, about 240 MB. Set the
# option tables so that they fit.
# 36 trials of 70 seconds with pauses: about 45 minutes. Requires no installation.
${TEXT}`;
  const experiment = read(text);
  expect(formatDocument({ ...experiment, name: 'Renamed' }, text)).toContain('36 trials of 70 seconds');
  const [threads, sync] = experiment.factors;
  if (!threads || !sync) throw new Error('Two factors are written.');
  const moved = { ...sync, levels: [0, 1, 2, 9] };
  expect(formatDocument({ ...experiment, factors: [threads, moved] }, text)).toContain('36 trials of 70 seconds');
  const shorter = formatDocument({ ...experiment, measure: { ...experiment.measure, duration: 5 } }, text);
  expect(shorter.split('kneepoint: 1')[0]).toBe(`# Is it faster?
#
# Data: 4 tables of 250,000 rows, about 240 MB. Set the
# option tables so that they fit.
# Requires no installation.
`);
  const workload = { ...experiment.workload, tool: 'other' };
  expect(formatDocument({ ...experiment, workload }, text).split('kneepoint: 1')[0]).toBe(`# Is it faster?
#
# 36 trials of 70 seconds with pauses: about 45 minutes. Requires no installation.
`);
});

it('writes every part of a document', () => {
  const full = read(`kneepoint: 2
name: All parts
question: Is anything lost?
tags: [whole]
workload: { tool: probe }
steps:
  - { name: one, note: Fills the cache, warmup: 1m, duration: 2m, measured: false }
  - { name: two, options: { rows: 5 }, gate: { above: 5 } }
  - { name: quiet, do: wait, until: { dirty: 8 }, at-most: 2m, else: measure }
  - { name: index, do: statement, statement: [CREATE INDEX, ANALYZE], measured: true }
  - { name: erase, do: run, command: blkdiscard, on: db1, overwrites: /dev/sdb }
  - { name: again, same: two, measured: false }
  - { name: reads, options: { rows: 2 }, factors: [{ name: depth, option: threads, levels: [1, 2] }], gate: { above: 1 }, each: [{ name: point, duration: 2m }, { name: index, do: run, command: ls, at-most: 1h }] }
  - { name: reads again, same: reads }
where: { target: db, generators: [gen] }
design: one-at-a-time
base: { threads: 1 }
factors: [{ name: threads, levels: [1, 2, 4] }]
only: [{ threads: 1 }, { threads: 2 }]
exclude: [{ threads: 2 }]
measure: { duration: 10 }
monitors: { server: false }
derived: [{ name: throughput, unit: MiB/s, is: read_mib_s + write_mib_s }]
primary: throughput
captures: [{ name: variables, statement: SHOW VARIABLES, at: [start, end], every: 60 }]
charts: [{ kind: dots, metric: tps, clip: 900 }]
mechanics: only
small: { set: { threads: [1, 2] }, duration: 5, data: keep }
`);
  expect(Object.keys(full).sort()).toEqual(Object.keys(Experiment.shape).sort());
  expect(full.steps).toMatchObject([
    { warmup: 60, duration: 120 },
    { name: 'two' },
    { 'at-most': 120 },
    {},
    {},
    {},
    {},
    {},
  ]);
  expect(full.steps?.[6]?.each).toMatchObject([{ duration: 120 }, { 'at-most': 3600 }]);
  expect(read(formatDocument(full))).toEqual(full);
});

it('writes each step of a group on a line and keeps the notation of steps', () => {
  const text = `kneepoint: 2
name: Groups
workload: { tool: probe }
steps:
  - name: reads
    each:
      # the first
      - {name: point, duration: 2m}
      - {name: ranges}
where: {}
measure: { duration: 10 }
`;
  const experiment = read(text);
  expect(formatDocument(experiment, text)).toContain('# the first\n      - {name: point, duration: 2m}');
  const [reads] = experiment.steps ?? [];
  const more = { name: 'writes', options: {}, each: [{ name: 'one', options: { rows: 1 } }] };
  const changed = formatDocument({ ...experiment, steps: [...(reads ? [reads] : []), more] }, text);
  expect(changed).toContain('  - name: writes\n    each:\n      - {name: one, options: {rows: 1}}\n');
  expect(read(changed).steps).toEqual([reads, more]);
});
