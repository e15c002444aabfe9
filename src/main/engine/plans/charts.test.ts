import { expect, it } from 'vitest';
import { chartText } from '../../../shared/chart-models/index.ts';
import type { ChartChoice } from '../../../shared/model/chart.ts';
import { checkDocument, formatDocument, readDocument } from './index.ts';
import { checkContext } from './testing/probe.ts';

const document = (charts: string): string => `kneepoint: 1
name: Charts
workload: { tool: probe }
where: {}
factors:
  - { name: threads, levels: [1, 2, 4] }
  - { name: binlog, levels: ['on', 'off'] }
measure: { duration: 10 }
charts:
${charts}`;

const CHARTS = `  - { kind: dots, metric: tps, x: threads, clip: 250, markers: [{ name: CPUs, level: 2 }] }
  - { kind: histogram, title: Latency, metric: latency_p95_ms, log: true }
`;

it('keeps the charts that a document asks for', () => {
  const text = document(CHARTS);
  expect(checkDocument(text, checkContext).problems).toEqual([]);
  const { experiment } = readDocument(text);
  if (!experiment) throw new Error('It can be read.');
  expect(experiment.charts).toHaveLength(2);
  expect(readDocument(formatDocument(experiment)).experiment).toEqual(experiment);
});

it.each<ChartChoice>([
  { kind: 'density' },
  { kind: 'dots', title: 'no: "every" second, 100 %', metric: 'latency_p95_ms', x: 'threads', log: true, clip: 0.5 },
  { kind: 'histogram', counts: 'hits_in_part_*_of_20', log: true, axes: { x: 'part', y: 'lookups' } },
  { kind: 'stairs', x: 'threads', groups: ['binlog'], clip: 100 },
  { kind: 'timeline', x: 'rows_inserted', clip: 100 },
  { kind: 'curve', over: 12, whiskers: 'extremes' },
  { kind: 'density', only: { threads: [1, 4], binlog: ['on'] } },
  { kind: 'bars', x: 'threads', groups: ['binlog'], against: { threads: 1 } },
  { kind: 'bars', against: { 'sync: every': 'on' } },
  { kind: 'table', x: 'threads', groups: ['binlog'], against: { binlog: 'on' } },
  {
    kind: 'curve',
    title: 'yes',
    markers: [
      { name: '8', level: 2 },
      { name: 'a limit', value: 1e21 },
    ],
  },
])('reads a chart as it was copied: %j', (chart) => {
  expect(readDocument(document(chartText(chart))).experiment?.charts).toEqual([chart]);
});

it.each([
  ['metric: tsp', 'charts.0.metric', '“tsp” is neither a measure of this document nor a metric.'],
  ['panels: thread', 'charts.0.panels', 'There is no factor named “thread”.'],
  ['x: threads, panels: threads', 'charts.0.panels', 'is along the axis of the dots: panels need another factor'],
  ['x: thread', 'charts.0.x', 'There is no factor named “thread”.'],
  ['markers: [{ name: limit, level: 1, value: 2 }]', 'charts.0.markers.0', 'needs either a level or a value'],
  ['markers: [{ name: limit }]', 'charts.0.markers.0', 'needs either a level or a value'],
  ['x: binlog, markers: [{ name: CPUs, level: 1 }]', 'charts.0.markers.0.level', 'Levels of “binlog” are names'],
  ['clip: 5, markers: [{ name: limit, value: 9 }]', 'charts.0.markers.0.value', 'The axis ends at 5'],
  ['clip: -1', 'charts.0.clip', 'clip'],
  ['only: { thread: [1] }', 'charts.0.only.thread', 'There is no factor named “thread”.'],
  ['only: { threads: [3] }', 'charts.0.only.threads', '“threads” has no level “3”.'],
])('refuses a chart with %s, naming its place', (part, path, words) => {
  const [problem] = checkDocument(document(`  - { kind: dots, ${part} }\n`), checkContext).problems;
  expect(problem).toMatchObject({ path, line: 10 });
  expect(problem?.message).toContain(words);
});

it.each([
  ['density, x: threads', 'charts.0.x', '“x” belongs to curve, bars, table, stairs and dots'],
  ['timeline, x: threads', 'charts.0.x', 'a metric that grows during a run: rows_inserted'],
  ['timeline, x: row_inserted', 'charts.0.x', 'rows_inserted'],
  ['dots, over: 5', 'charts.0.over', 'Only a curve can overlay another session'],
  ['curve, over: 5, panels: binlog', 'charts.0.panels', 'cannot have panels'],
  ['curve, clip: 5', 'charts.0.clip', '“clip” belongs to dots, density and histogram'],
  ['histogram, markers: [{ name: CPUs, level: 1 }]', 'charts.0.markers.0.level', 'write “value”'],
])('refuses settings that do not belong to a %s', (chart, path, words) => {
  const [problem] = checkDocument(document(`  - { kind: ${chart} }\n`), checkContext).problems;
  expect(problem).toMatchObject({ path });
  expect(problem?.message).toContain(words);
});

it.each([
  ['groups: [binlogs]', 'charts.0.groups.0', 'There is no factor named “binlogs”.'],
  ['x: binlog, groups: [binlog]', 'charts.0.groups.0', 'is already used in this chart'],
  ['panels: binlog, groups: [threads]', 'charts.0.groups', 'either panels or groups'],
  ['groups: [threads, binlog]', 'charts.0.groups', 'One factor must remain for the axis'],
  ['against: { thread: 1 }', 'charts.0.against', 'There is no factor named “thread”.'],
  ['against: { threads: 3 }', 'charts.0.against.threads', '“threads” has no level “3”.'],
  ['against: { threads: 1, binlog: "on" }', 'charts.0.against', 'a reference level of exactly one factor'],
  ['log: true', 'charts.0.log', 'Bars start at 0'],
  ['clip: 5', 'charts.0.clip', 'Bars show all figures'],
  ['markers: [{ name: CPUs, level: 2 }]', 'charts.0.markers.0.level', 'write “value”'],
])('refuses bars with %s, naming its place', (part, path, words) => {
  const [problem] = checkDocument(document(`  - { kind: bars, ${part} }\n`), checkContext).problems;
  expect(problem).toMatchObject({ path, line: 10 });
  expect(problem?.message).toContain(words);
});

it('refuses groups and ratios of a chart without bars', () => {
  const { problems } = checkDocument(
    document('  - { kind: curve, groups: [binlog], against: { threads: 1 } }\n'),
    checkContext,
  );
  expect(problems.map(({ path }) => path)).toEqual(['charts.0.groups', 'charts.0.against']);
});

it.each([
  ['kind: stairs, panels: binlog', 'charts.0.panels', 'groups in place of panels'],
  ['kind: table, panels: binlog', 'charts.0.panels', 'rows in place of panels'],
  ['kind: table, log: true', 'charts.0.log', 'no axis of figures'],
  ['kind: table, clip: 5', 'charts.0.clip', 'A table shows all figures'],
  ['kind: table, markers: [{ name: limit, value: 1 }]', 'charts.0.markers', 'no lines across'],
  ['kind: table, groups: [threads, binlog]', 'charts.0.groups', 'One factor must remain for the columns'],
  ['kind: stairs, against: { threads: 1 }', 'charts.0.against', 'belongs to bars'],
  ['kind: dots, counts: hits_*', 'charts.0.counts', '“counts” belongs to a histogram'],
  ['kind: histogram, counts: hits', 'charts.0.counts', 'Write one * for the number'],
  ['kind: histogram, counts: hits_*, metric: tps', 'charts.0.metric', 'takes no “metric”'],
  ['kind: dots, whiskers: seconds', 'charts.0.whiskers', '“whiskers” belongs to curve and bars, not to dots.'],
  [
    'kind: bars, against: { threads: 1 }, whiskers: seconds',
    'charts.0.whiskers',
    'have the 95 % interval of the ratio',
  ],
  ['kind: curve, whiskers: all', 'charts.0.whiskers', 'whiskers'],
  ['kind: histogram, counts: hits_*, clip: 5', 'charts.0.clip', 'takes no “clip”'],
])('refuses %s, naming its place', (part, path, words) => {
  const [problem] = checkDocument(document(`  - { ${part} }\n`), checkContext).problems;
  expect(problem).toMatchObject({ path, line: 10 });
  expect(problem?.message).toContain(words);
});
