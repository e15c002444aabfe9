import { expect, it } from 'vitest';
import type { MonitoredSeries, MonitoredSource, MonitoredValues } from '../../../../shared/model/monitored.ts';
import { MOST_SECONDS, StripStore, stripGroups, wantedSeries } from './strips.ts';

const values = (first: number, v: readonly number[], id = 'cpu.busy'): MonitoredValues => ({
  ...{ sourceId: 1, id },
  t: Float64Array.from(v, (_, index) => (first + index) * 1000),
  v: Float64Array.from(v),
});
const stored = (store: StripStore, id = 'cpu.busy') => {
  const { t, v } = store.of(1, id) ?? values(0, []);
  return [[...t].map((at) => at / 1000), [...v]];
};

it('merges values without loss or duplicates, and drops only old ones', () => {
  const store = new StripStore();
  store.apply([values(10, [1, 2, 3]), values(10, [7], 'other')]);
  store.apply([values(13, [4])]);
  store.apply([values(12, [9, 9, 5])]);
  expect(stored(store)).toEqual([
    [10, 11, 12, 13, 14],
    [1, 2, 9, 9, 5],
  ]);
  expect(stored(store, 'other')).toEqual([[10], [7]]);
  store.apply([values(15, new Array<number>(MOST_SECONDS).fill(0))]);
  expect(stored(store)[0]).toHaveLength(MOST_SECONDS);
  expect(stored(store)[0]?.at(-1)).toBe(14 + MOST_SECONDS);
});

it('notifies its listeners, with a new object each time', () => {
  const store = new StripStore();
  const seen = new Set([store.values()]);
  const stop = store.onChanged(() => seen.add(store.values()));
  store.apply([values(1, [1])]);
  store.apply([values(2, [1])]);
  stop();
  store.apply([values(3, [1])]);
  expect(seen.size).toBe(3);
  expect(stored(store)).toEqual([
    [1, 2, 3],
    [1, 1, 1],
  ]);
});

it('keeps its values until a restarted stream delivers', () => {
  const store = new StripStore();
  store.apply([values(1, [1]), values(1, [1], 'other')]);
  store.renew();
  expect(stored(store)).toEqual([[1], [1]]);
  store.apply([values(7, [5])]);
  store.apply([values(8, [6])]);
  expect(stored(store)).toEqual([
    [7, 8],
    [5, 6],
  ]);
  expect(stored(store, 'other')[0]).toEqual([]);
});

const series = (id: string, lane: MonitoredSeries['lane'], unit: string, more: Partial<MonitoredSeries> = {}) => ({
  ...{ id, rule: id, label: id, unit, lane, main: true as const },
  ...more,
});
const source = (kind: MonitoredSource['kind'], all: readonly MonitoredSeries[]): MonitoredSource => ({
  ...{ id: 1, kind, name: 'db1', roles: [], samples: 9, gaps: [], series: [...all] },
});

const host = source('host', [
  series('cpu.busy', 'cpu', '%'),
  ...['0', '1'].map((instance) => ({
    ...{ id: `core.${instance}.busy`, rule: 'core.*.busy', instance, label: 'Core busy', unit: '%' },
    lane: 'cpu' as const,
  })),
  { id: 'freq', rule: 'freq', label: 'Clock speed', unit: 'MHz', lane: 'cpu' },
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

it('shows CPU, disks, network and statements at first, and offers all other lanes', () => {
  const strips = stripGroups([host, { ...server, id: 2 }]);
  const idsOf = (isMain: boolean) =>
    strips.map(({ lanes }) =>
      lanes.filter((lane) => lane.isMain === isMain).map(({ series: own }) => own.map(({ id }) => id).join()),
    );
  expect(idsOf(true)).toEqual([['cpu.busy', 'disk.sda.%', 'disk.sda.MiB/s', 'net.eth0.rx'], ['running']]);
  expect(idsOf(false)).toEqual([
    ['core.0.busy,core.1.busy', 'freq', 'mem.used', 'disk.sda.ms', 'disk.sda.IOPS'],
    ['cache.hits'],
  ]);
});

it('requests the series of visible lanes, and none of a collapsed group', () => {
  const groups = stripGroups([host, { ...server, id: 2 }]);
  const shown = groups.map(({ id, lanes }) => ({ id, lanes: lanes.filter(({ isMain }) => isMain) }));
  const ofServer = { sourceId: 2, ids: ['running'] };
  expect(wantedSeries(groups, shown, new Set())).toEqual([
    { sourceId: 1, ids: ['cpu.busy', 'disk.sda.%', 'disk.sda.MiB/s', 'net.eth0.rx'] },
    ofServer,
  ]);
  expect(wantedSeries(groups, shown, new Set([groups[0]?.id ?? '']))).toEqual([ofServer]);
  const many = stripGroups([
    source(
      'host',
      Array.from({ length: 700 }, (_, index) => series(`s${index}`, 'own', '')),
    ),
  ]);
  expect(wantedSeries(many, many, new Set()).map(({ ids }) => ids.length)).toEqual([500, 200]);
});
