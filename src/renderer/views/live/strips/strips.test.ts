import { expect, it } from 'vitest';
import type { MonitoredSeries, MonitoredSource, MonitoredValues } from '../../../../shared/model/monitored.ts';
import { stripGroups } from './strip-lanes.ts';
import { HELD, StripStore } from './strip-store.ts';

const values = (first: number, v: readonly number[], id = 'cpu.busy'): MonitoredValues => ({
  ...{ sourceId: 1, id },
  t: Float64Array.from(v, (_, index) => (first + index) * 1000),
  v: Float64Array.from(v),
});
const held = (store: StripStore, id = 'cpu.busy') => {
  const { t, v } = store.of(1, id) ?? values(0, []);
  return [[...t].map((at) => at / 1000), [...v]];
};

it('neither loses nor doubles what is told, and forgets only what is old', () => {
  const store = new StripStore();
  store.apply([values(10, [1, 2, 3]), values(10, [7], 'other')]);
  store.apply([values(13, [4])]);
  store.apply([values(12, [9, 9, 5])]);
  expect(held(store)).toEqual([
    [10, 11, 12, 13, 14],
    [1, 2, 9, 9, 5],
  ]);
  expect(held(store, 'other')).toEqual([[10], [7]]);
  store.apply([values(15, new Array<number>(HELD).fill(0))]);
  expect(held(store)[0]).toHaveLength(HELD);
  expect(held(store)[0]?.at(-1)).toBe(14 + HELD);
});

it('tells whoever draws it, with another object each time', () => {
  const store = new StripStore();
  const seen = new Set([store.values()]);
  const stop = store.onChanged(() => seen.add(store.values()));
  store.apply([values(1, [1])]);
  store.apply([values(2, [1])]);
  store.reset();
  stop();
  store.apply([values(3, [1])]);
  expect(seen.size).toBe(4);
  expect(held(store)).toEqual([[3], [1]]);
});

const series = (id: string, lane: MonitoredSeries['lane'], unit: string, more: Partial<MonitoredSeries> = {}) => ({
  ...{ id, rule: id, label: id, unit, lane, main: true as const },
  ...more,
});
const source = (kind: MonitoredSource['kind'], all: readonly MonitoredSeries[]): MonitoredSource => ({
  ...{ id: 1, kind, name: 'db1', roles: [], samples: 9, gaps: [], series: [...all] },
});

it('has strips of processors, disks, cards and what a server does, no more', () => {
  const host = source('host', [
    series('cpu.busy', 'cpu', '%'),
    { id: 'cpu.user', rule: 'cpu.user', label: 'User', unit: '%', lane: 'cpu', stack: 'cpu' },
    series('mem.used', 'memory', 'MiB'),
    ...['%', 'MiB/s', 'ms', 'IOPS'].map((unit) =>
      series(`disk.sda.${unit}`, 'disk', unit, { rule: `disk.*.${unit}`, instance: 'sda' }),
    ),
    series('net.eth0.rx', 'network', 'MiB/s', { instance: 'eth0' }),
  ]);
  const server = source('server', [
    series('running', 'connections', '', { means: 'running' }),
    series('cache.hits', 'cache', '%', { means: 'cache-hits' }),
  ]);
  const strips = stripGroups([host, server, source('host', [])]);
  expect(strips.map(({ lanes }) => lanes.map(({ series: own }) => own.map(({ id }) => id).join()))).toEqual([
    ['cpu.busy', 'disk.sda.%', 'disk.sda.MiB/s', 'net.eth0.rx'],
    ['running'],
  ]);
});
