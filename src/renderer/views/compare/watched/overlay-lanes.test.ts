import { expect, it } from 'vitest';
import type { SeriesDifference } from '../../../../shared/model/analysis.ts';
import type { MonitoredSeries, MonitoredSource } from '../../../../shared/model/monitored.ts';
import type { Comparison } from '../../../../shared/model/result.ts';
import { overlayOf, type WatchedSide } from './overlay-lanes.ts';

const comparison = { metric: 'latency_p95_ms', metrics: ['latency_p95_ms', 'tps'] } as unknown as Comparison;
const series = (id: string, more: Partial<MonitoredSeries> = {}): MonitoredSeries => ({
  ...{ id, rule: id, label: id, unit: 'MiB/s', lane: 'network' },
  ...more,
});
const source = (id: number, name: string, all: readonly MonitoredSeries[]): MonitoredSource => ({
  ...{ id, kind: 'host', name, roles: ['server'], samples: 9, gaps: [], series: [...all] },
});
const side = (sources: readonly MonitoredSource[], limits: WatchedSide['limits'] = []): WatchedSide => ({
  ...{ sources, limits, seconds: 60 },
});
const difference = (one: SeriesDifference['one'], other = one): SeriesDifference => ({
  ...{ one, other, label: one.id, unit: 'MiB/s', from: 1, to: 2, effect: 3, sure: true },
});
const of = (name: string, id: string) => ({ source: name, id });

it('offers throughput, the most different series, and every other series once with its counterpart', () => {
  const ids = Array.from({ length: 14 }, (_, index) => `s${index}`);
  const all = (id: number, name: string, more: string): MonitoredSource =>
    source(
      id,
      name,
      [...ids, 'same', more].map((each) => series(each)),
    );
  const [first, second] = [side([all(1, 'db1', 'only-left')]), side([all(2, 'db2', 'only-right')])];
  const found = overlayOf(
    comparison,
    ids.map((id) => difference(of('db1', id), of('db2', id))),
    [first, second],
  );
  expect(found.groups.map(({ id, lanes }) => [id, lanes.map(({ title }) => title).join('|')])).toEqual([
    ['tool', 'Transactions|Latency, 95th percentile'],
    ['differences', ids.slice(0, 12).join('|')],
    ['host/db1', 's12|s13|same|only-left'],
    ['host/db2', 'only-right'],
  ]);
  expect(found.groups.flatMap(({ lanes }) => lanes.filter(({ isMain }) => isMain))).toHaveLength(14);
  const pairOf = (title: string) => {
    const lane = found.groups.flatMap(({ lanes }) => lanes).find((each) => each.title === title);
    return found.pairs.get(lane?.id ?? '');
  };
  expect(pairOf('s13')).toEqual({ one: of('db1', 's13'), other: of('db2', 's13') });
  expect(pairOf('same')).toEqual({ one: of('db1', 'same'), other: of('db2', 'same') });
  expect(pairOf('only-right')).toEqual({ other: of('db2', 'only-right') });
});

it('draws limits of both runs: different ones in the colours of the runs, a shared one once', () => {
  const limit = { value: 1192, words: 'link speed' };
  const limited = [series('tx', { limit }), series('rx', { limit })];
  const rate = { value: 12, words: 'the rate set on it, 100Mbit' };
  const found = overlayOf(
    comparison,
    [difference(of('db1', 'tx')), difference(of('db1', 'rx'))],
    [side([source(1, 'db1', limited)], [{ sourceId: 1, ids: ['tx'], ...rate }]), side([source(2, 'db1', limited)])],
  );
  const lanes = found.groups.find(({ id }) => id === 'differences')?.lanes ?? [];
  expect(lanes.map(({ title, runLimits }) => [title, runLimits])).toEqual([
    [
      'tx',
      [
        { ...rate, from: 0, to: 60, slot: 0 },
        { ...limit, from: 0, to: 60, slot: 1 },
      ],
    ],
    ['rx', [{ ...limit, from: 0, to: 60 }]],
  ]);
});
