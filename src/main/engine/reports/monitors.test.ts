import { describe, expect, it } from 'vitest';
import type { MomentComparison } from '../../../shared/model/analysis.ts';
import { caveatsOf } from '../../../shared/model/figure.ts';
import type { MonitoredSeries, MonitoredSource } from '../../../shared/model/monitored.ts';
import type { CellResult, SessionResult } from '../../../shared/model/result.ts';
import type { Run, SessionDetail } from '../../../shared/model/session.ts';
import { momentsPart, monitorsPart } from './document/monitors.ts';
import { figureOf, type Part, warnings } from './document/parts.ts';
import { costTable } from './document/tables.ts';
import { makeReport, type ReportData, type ReportMonitors } from './index.ts';

/** Parts with their pictures. */
const drawn = (parts: readonly Part[]): string =>
  JSON.stringify(parts.map((part) => [part, figureOf(part)?.svg(figureOf(part)?.height ?? 0)]));

const ZERO = Date.UTC(2026, 0, 31, 12);
const series = (id: string, more: Partial<MonitoredSeries> = {}): MonitoredSeries => ({
  ...{ id, rule: id, label: id, unit: '%', lane: 'cpu' },
  ...more,
});
const source = (id: number, name: string, own: readonly MonitoredSeries[]): MonitoredSource => ({
  ...{ id, kind: 'host', name, roles: ['generator'], host: name, samples: 5, clockErrorMs: 1.5, gaps: [] },
  series: [...own],
});
const SOURCES = [
  source(1, 'loadgen', [series('cpu.busy', { main: true }), series('cpu.user')]),
  source(2, '=db1', [series('disk.vda.iops', { main: true, unit: 'IOPS', lane: 'disk' })]),
];

/** A value per second, from one before the first run on, with a different formula for each source; the third value is unknown. */
const seconds = (sourceId: number, id: string) => ({
  ...{ sourceId, id },
  t: Float64Array.from({ length: 7 }, (_, index) => ZERO + (index - 1) * 1000),
  v: Float64Array.from({ length: 7 }, (_, index) => (index === 2 ? Number.NaN : sourceId * 10 + index / 4)),
});
const MOMENT: MomentComparison = {
  ...{ eventId: 1, kind: 'note', at: ZERO, message: 'upgrade', runId: 10, sentences: ['The load was the same.'] },
  ...{ before: { from: ZERO - 60_000, to: ZERO - 10_000 }, after: { from: ZERO + 10_000, to: ZERO + 60_000 } },
  series: [
    {
      ...{ source: 'db1', sourceId: 1, id: 'disk.sda.write_mib_s', label: 'Written', instance: 'sda', unit: 'MiB/s' },
      ...{ before: 8, after: 1, ratio: 0.125, low: 0.1, high: 0.15, verdict: 'less' },
    },
  ],
};
const monitors: ReportMonitors = {
  sources: SOURCES,
  windows: [
    { runId: 10, zero: ZERO, from: ZERO + 1000, to: ZERO + 3000 },
    { runId: 11, zero: ZERO + 4500, from: ZERO + 5500, to: ZERO + 9000 },
  ],
  judgements: [],
  moments: () => [MOMENT],
  limits: () => [],
  series: ({ wanted, from = -Infinity, to = Infinity }) =>
    wanted.flatMap(({ sourceId, ids }) =>
      ids.map((id) => {
        const { t, v } = seconds(sourceId, id);
        const inside = (_: number, index: number): boolean => (t[index] ?? 0) >= from && (t[index] ?? 0) <= to;
        return { sourceId, id, t: t.filter(inside), v: v.filter(inside) };
      }),
    ),
};
const runs = [10, 11].map(
  (id, trial): Run => ({
    ...{ id, sessionId: 3, trial, cell: 0, repeat: trial, levels: {}, state: 'done' },
    ...{ warmup: 1, duration: 2, summary: {}, findings: [], partial: false, seconds: 3 },
  }),
);
const data = (more: Partial<ReportData> = {}): ReportData => ({
  detail: { session: { id: 3, name: 'Watched' } } as SessionDetail,
  ...{ runs, results: [], damage: [], series: () => [], seriesAndWhole: () => [], madeAt: ZERO, assetsDir: '.' },
  ...more,
});
const linesOf = async (report: ReportData): Promise<string[]> =>
  new TextDecoder()
    .decode((await makeReport('csv-monitors', report)).bytes)
    .split('\r\n')
    .slice(0, -1);

it('damaged samples have an extra column and a line in the PDF', async () => {
  const broken: ReportMonitors = {
    ...monitors,
    series: (query) =>
      monitors.series(query).map((values) => (values.sourceId === 2 ? { ...values, damaged: 3 } : values)),
  };
  const text = new TextDecoder().decode((await makeReport('csv-monitors', data({ monitors: broken }))).bytes);
  const lines = text.split('\r\n').slice(0, -1);
  expect(lines[0]).toMatch(/,measured,damage$/);
  expect(lines.filter((line) => line.endsWith('disk.vda.iops has no values for 3 samples.'))).toHaveLength(1);
  expect(new Set(lines.map((line) => line.split(',').length)).size).toBe(1);
  expect(drawn(monitorsPart(data({ monitors: broken })))).toContain('disk.vda.iops has no values for 3 samples.');
});

describe('the CSV of hosts and servers', () => {
  it('has a line for each known value of the default series, in our time and in seconds of the run', async () => {
    const [head, ...lines] = await linesOf(data({ monitors }));
    expect(head).toBe('session,source,kind,host,series,unit,time,value,run,trial,second,measured');
    expect(lines).toHaveLength(2 * 6);
    expect(lines.slice(0, 6)).toEqual([
      '3,loadgen,host,loadgen,cpu.busy,%,2026-01-31T11:59:59.000Z,10,,,,',
      '3,loadgen,host,loadgen,cpu.busy,%,2026-01-31T12:00:00.000Z,10.25,10,1,0,false',
      '3,loadgen,host,loadgen,cpu.busy,%,2026-01-31T12:00:02.000Z,10.75,10,1,2,true',
      '3,loadgen,host,loadgen,cpu.busy,%,2026-01-31T12:00:03.000Z,11,10,1,3,true',
      '3,loadgen,host,loadgen,cpu.busy,%,2026-01-31T12:00:04.000Z,11.25,,,,',
      '3,loadgen,host,loadgen,cpu.busy,%,2026-01-31T12:00:05.000Z,11.5,11,2,0.5,false',
    ]);
    // Text that a spreadsheet would take for a formula.
    expect(lines[6]).toMatch(/^3,'=db1,host,'=db1,disk\.vda\.iops,IOPS,/);
  });

  it('contains the requested series and time range, and the warm-up cut', async () => {
    const chosen = { wanted: [{ sourceId: 1, ids: ['cpu.user'] }], from: ZERO + 2000, to: ZERO + 3000 };
    const [, ...lines] = await linesOf(data({ monitors: { ...monitors, chosen }, cut: 2 }));
    expect(lines).toEqual([
      '3,loadgen,host,loadgen,cpu.user,%,2026-01-31T12:00:02.000Z,10.75,10,1,2,false',
      '3,loadgen,host,loadgen,cpu.user,%,2026-01-31T12:00:03.000Z,11,10,1,3,true',
    ]);
  });

  it('is refused with a sentence without monitoring', async () => {
    await expect(makeReport('csv-monitors', data())).rejects.toMatchObject({
      problem: { code: 'not-found', message: 'Session 3 watched no hosts or servers.' },
    });
  });
});

it('the JSON lists monitored sources and run times, and nothing without monitoring', async () => {
  const json = async (report: ReportData): Promise<Record<string, unknown>> =>
    JSON.parse(new TextDecoder().decode((await makeReport('json', report)).bytes));
  expect((await json(data({ monitors }))).monitored).toEqual({
    sources: SOURCES,
    windows: monitors.windows,
    judgements: [],
    moments: [MOMENT],
  });
  expect(await json(data())).not.toHaveProperty('monitored');
});

it('the PDF compares before and after each note', () => {
  const words = JSON.stringify(momentsPart([MOMENT]));
  for (const part of [
    ': upgrade',
    'The load was the same.',
    'Written, sda',
    '8.0 MiB/s',
    '×0.13 (0.10 to 0.15)',
    'less',
  ])
    expect(words).toContain(part);
  expect(momentsPart([])).toEqual([]);
  const many = JSON.stringify(momentsPart(Array.from({ length: 23 }, () => MOMENT)));
  expect(many).toContain('3 more notes and events are in the JSON.');
  expect(words).not.toContain('in the JSON');
});

describe('the PDF of a session whose runs were judged', () => {
  const cell = (index: number, bound: CellResult['bound']): CellResult => ({
    ...{ cell: index, levels: { threads: index + 1 }, means: [1, 2], errors: 0, partial: false },
    runs: [{ runId: 10 + index, repeat: 0, state: 'done', partial: false, errors: 0 }],
    ...(bound && { bound }),
  });
  const judged = { sentence: 'CPU of db at its limit: 99 % busy.', evidence: [], runId: 10, runs: 2, of: 3 };
  const cells = [cell(0, { verdict: 'cpu', ...judged }), cell(1, undefined)];
  const result = { metric: 'tps', cells, factors: [{ name: 'threads', levels: [1, 2] }] } as unknown as SessionResult;
  const judgements: ReportMonitors['judgements'] = [10, 11].map((runId) => ({
    ...{ runId, version: 1, warmup: 0, operations: [] },
    bound: { verdict: 'not-known', share: 0, sentence: '', evidence: [], runnersUp: [], notWatched: [] },
    cpu: [
      { host: 'load', roles: ['generator'], cores: 4, modes: { user: 1, system: 0.5 } },
      { host: 'db', roles: ['server'], cores: 8, modes: { user: 7.5, iowait: 0.25 } },
    ],
  }));
  const words = (report: Partial<ReportData>): string =>
    drawn(monitorsPart(data({ results: [result], monitors, ...report })));

  it('names the bottleneck of each cell with the evidence', () => {
    expect(words({})).toContain('Bottlenecks of the cells');
    for (const part of ['threads 1', 'the CPU', 'CPU of db at its limit: 99 % busy. In 2 of 3 runs.'])
      expect(words({})).toContain(part);
    expect(words({ results: [{ ...result, cells: [cell(1, undefined)] }] })).not.toContain('Bottlenecks of the cells');
    const open = cell(0, { ...judged, verdict: 'not-known', sentence: 'Undetermined: nothing stood out.' });
    expect(words({ results: [{ ...result, cells: [open] }] })).toContain('undetermined');
  });

  it('marks figures limited by the load in every table', () => {
    const bounded = { ...judged, verdict: 'generator-core' as const };
    const warned = caveatsOf({ partial: false, means: [1, 1], errors: 0, bound: bounded });
    const shown = { ...result, cells: [{ ...cell(0, bounded), ...warned }, cell(1, undefined)] };
    const warning =
      '1 cell of 2 was limited by one core of the load generator, not by the system under test: threads 1.';
    expect(JSON.stringify(warnings(shown.cells))).toContain(warning);
    expect(warnings(result.cells)).toEqual([]);
    const price = { currency: 'USD', perHour: 1, perMonth: 730, perYear: 8760, items: [] };
    const row = {
      sessionId: 1,
      name: '',
      system: '',
      repeats: 1,
      rate: 1,
      errors: 0,
      perHour: 1,
      perYear: 8760,
      operationsPerDollar: 1,
      percent: 1,
    };
    const value = {
      ...{ metric: 'tps', currency: 'USD', left: [] },
      rows: [
        { ...row, levels: { threads: 1 }, ...warned },
        { ...row, levels: { threads: 2 } },
      ],
    };
    const cost = { spec: { label: '', currency: 'USD', components: [] }, result: price, value };
    expect(JSON.stringify(costTable(data({ cost })))).toContain(warning);
  });

  it('draws the limits of the shown run', () => {
    const limit = { sourceId: 2, ids: ['disk.vda.iops'], value: 25, words: 'gp2, 33 GB' };
    const limits = (runId: number) => [{ runId, limits: [limit] }];
    expect(words({ monitors: { ...monitors, limits: () => limits(10) } })).toContain('gp2, 33 GB, 25 IOPS');
    expect(words({ monitors: { ...monitors, limits: () => limits(99) } })).not.toContain('gp2');
  });

  it('draws the load of the cores of generators and servers', () => {
    const drawn = words({ monitors: { ...monitors, judgements } });
    for (const part of ['CPU of the hosts', 'Load generator: load', 'System under test: db', 'User', 'I/O wait'])
      expect(drawn).toContain(part);
    expect(words({})).not.toContain('CPU of the hosts');
  });
});
