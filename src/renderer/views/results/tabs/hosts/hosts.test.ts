import { describe, expect, it } from 'vitest';
import type { MonitoredSource, RunWindow } from '../../../../../shared/model/monitored.ts';
import type { SeriesData } from '../../../../../shared/model/result.ts';
import type { Run, TimelineEvent } from '../../../../../shared/model/session.ts';
import { metricOfLane, toolLanes, toolLines } from '../../../../domain/lanes/tool-lanes.ts';
import { toolQuery } from './SessionLanes.tsx';
import { axisOf, homeOf, partOf, sceneOf } from './scene.ts';

const ZERO = 1_700_000_000_000;
const at = (second: number): number => ZERO + second * 1000;
const source = (from: number, to: number): MonitoredSource => ({
  ...{ id: 1, kind: 'host', name: 'db1', roles: [], samples: 1, series: [], gaps: [] },
  ...{ from: at(from), to: at(to) },
});
const window = (runId: number, from: number, to: number): RunWindow => ({
  ...{ runId, zero: at(from), from: at(from + 10), to: at(to) },
});
const run = (id: number): Run => ({
  ...{
    id,
    sessionId: 1,
    trial: id,
    cell: 0,
    repeat: 0,
    levels: { threads: 8 },
    state: 'done',
    warmup: 10,
    duration: 50,
  },
  ...{ summary: {}, findings: [], partial: false, seconds: 60 },
});
const event = (kind: TimelineEvent['kind'], more: Partial<TimelineEvent>): TimelineEvent => ({
  ...{ id: 1, sessionId: 1, kind, at: at(30), level: 'info', message: 'words' },
  ...more,
});

describe('the axis of a session', () => {
  it('starts with the first sample or trial and ends with the last', () => {
    expect(axisOf([source(5, 400)], [window(1, 20, 80)])).toEqual({ zero: at(5), bounds: { from: 0, to: 395 } });
    expect(axisOf([], [window(1, 20, 80)])).toEqual({ zero: at(20), bounds: { from: 0, to: 60 } });
    expect(axisOf([], [])).toBeUndefined();
  });

  it('shows a run with a margin, within the session', () => {
    const axis = { zero: at(0), bounds: { from: 0, to: 400 } };
    const home = homeOf(window(1, 100, 200), axis);
    expect(home.from).toBeGreaterThan(90);
    expect(home.from).toBeLessThan(100);
    expect(homeOf(window(1, 0, 400), axis)).toEqual(axis.bounds);
    expect(homeOf(undefined, axis)).toEqual(axis.bounds);
  });

  it('has its trials in order, and events at their time', () => {
    const events = [
      event('note', {}),
      event('checkpoint', { runId: 2, t: 7 }),
      event('scenario', { runId: 1, t: 12 }),
      event('state', { message: 'paused' }),
      event('state', { runId: 2, message: 'running' }),
      event('log', {}),
    ];
    const windows = [window(2, 100, 160), window(1, 20, 80)];
    const { trials, marks } = sceneOf([run(1), run(2), run(3)], windows, events, () => ({ slot: 0 }), at(0));
    expect(trials.map(({ runId, from, measured, to }) => [runId, from, measured, to])).toEqual([
      [1, 20, 30, 80],
      [2, 100, 110, 160],
    ]);
    expect(marks.map(({ at: second, kind }) => [second, kind])).toEqual([
      [30, 'note'],
      [107, 'checkpoint'],
      [32, 'scenario'],
      [30, 'state'],
    ]);
  });
});

it('stalls and dips of a run appear in all lanes at their second', () => {
  const event = { sentence: '', changes: [] };
  const blackBox = {
    count: 2,
    events: [
      { ...event, kind: 'stall' as const, from: 12, to: 15, depth: 1 },
      { ...event, kind: 'dip' as const, from: 30, to: 32, depth: 0.45 },
    ],
  };
  const judged = [{ runId: 2, blackBox }, { runId: 1 }, { runId: 9, blackBox }];
  const windows = [window(1, 20, 80), window(2, 100, 160)];
  expect(sceneOf([run(1), run(2)], windows, [], () => ({ slot: 0 }), at(0), judged).marks).toEqual([
    { at: 112, kind: 'stall', label: 'throughput stopped for 3 s' },
    { at: 130, kind: 'dip', label: 'throughput fell by 45 % for 2 s' },
  ]);
  expect(partOf({ from: 2, to: 22 }, window(2, 100, 160), at(0))).toEqual({ from: 102, to: 122 });
});

describe('lanes of the tool', () => {
  const data = (runId: number, generator: number | null, values: readonly number[]): SeriesData => ({
    ...{ runId, generator, metric: 'tps' },
    t: Float64Array.from(values, (_, index) => index + 1),
    v: Float64Array.from(values),
  });
  const windows = [window(1, 20, 80), window(2, 100, 160)];

  it('start with the primary metric', () => {
    const lanes = toolLanes('tps', ['latency_p95_ms', 'qps', 'tps']);
    expect(lanes.map(({ id, isMain }) => [metricOfLane(id), isMain])).toEqual([
      ['tps', true],
      ['latency_p95_ms', true],
      ['qps', false],
    ]);
    expect(metricOfLane('host/db1/cpu')).toBeUndefined();
  });

  it('are one line through all runs, with breaks between them', () => {
    const [line, ...more] = toolLines([data(2, 0, [5, 6]), data(1, 0, [3, 4])], windows, at(0));
    expect(more).toHaveLength(0);
    expect([...(line?.v ?? [])]).toEqual([3, 4, Number.NaN, 5, 6, Number.NaN]);
    expect([...(line?.t ?? [])].map(Math.round)).toEqual([21, 22, 22, 101, 102, 102]);
    expect([...(line?.t ?? [])]).toEqual([...(line?.t ?? [])].sort((one, other) => one - other));
  });

  it('show the sum of all generators if known, otherwise each', () => {
    const each = [data(1, 0, [1]), data(1, 1, [2])];
    expect(toolLines(each, windows, at(0)).map(({ label }) => label)).toEqual(['generator 1', 'generator 2']);
    const whole = toolLines([...each, data(1, null, [3])], windows, at(0));
    expect(whole.map(({ v }) => v[0])).toEqual([3]);
  });

  it('have a line for each parallel step, after that of single runs', () => {
    const during = [
      { ...window(1, 20, 80), parallel: 'both / reads' },
      { ...window(2, 22, 60), parallel: 'both / oltp' },
      window(3, 100, 160),
    ];
    const lines = toolLines([data(1, 0, [1, 2]), data(2, 0, [3, 4]), data(3, 0, [5])], during, at(0));
    expect(lines.map(({ label, slot, v }) => [label, slot, ...v])).toEqual([
      ['tool', 0, 5, Number.NaN],
      ['both / oltp', 1, 3, 4, Number.NaN],
      ['both / reads', 2, 1, 2, Number.NaN],
    ]);
    expect(lines.map(({ t }) => Math.round(t[0] ?? 0))).toEqual([101, 23, 21]);
    const { trials } = sceneOf([run(1), run(2), run(3)], during, [], () => ({ slot: 0 }), at(0));
    expect(trials.map(({ label }) => label !== '')).toEqual([true, false, true]);
  });

  it('request the visible runs, thinned if too long', () => {
    const trial = (runId: number, from: number, to: number) => ({
      runId,
      from,
      measured: from,
      to,
      label: '',
      slot: 0,
    });
    const trials = [trial(1, 0, 100), trial(2, 200, 300), trial(3, 4000, 50_000)];
    expect(toolQuery('tps', trials, { from: 210, to: 220 })).toEqual({ runIds: [2], metrics: ['tps'] });
    const all = toolQuery('tps', trials, { from: 0, to: 50_000 });
    expect(all.runIds).toEqual([1, 2, 3]);
    expect(all.points).toBeGreaterThan(500);
  });
});
