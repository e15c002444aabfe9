import { afterEach, beforeEach, expect, it } from 'vitest';
import type { MonitoredValues, SeriesRule } from '../../../shared/model/monitored.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { firstRun, libraryFolder } from '../store/testing/library.ts';
import { monitoredSeries } from './series.ts';
import { MonitoredUpdates } from './updates.ts';

const START = 1_800_000_000;
const RULES: readonly SeriesRule[] = [
  { id: 'work', label: 'Work', unit: '/s', lane: 'own', main: true, reading: { kind: 'rate', of: ['work'] } },
  { id: 'disk.*', label: '*', unit: '', lane: 'disk', main: true, reading: { kind: 'gauge', of: ['disk.*'] } },
  { id: 'aside', label: 'Aside', unit: '', lane: 'own', reading: { kind: 'gauge', of: ['work'] } },
];

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let sessionId: number;
let sourceId: number;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  sessionId = store.runs.get(firstRun(store))?.sessionId ?? 0;
  sourceId = store.sources.ensure(sessionId, { kind: 'host', name: 'db1', position: 0 }).id;
  store.sources.addClock(sourceId, { t: START, offsetMs: 40, errorMs: 1 });
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** A disk is plugged in after 1,500 seconds, and seconds 700 to 719 are missing. */
const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index)
    .filter((second) => second < 700 || second >= 720)
    .map((second) => ({
      t: START + second,
      metrics: { work: second * (second % 7), ...(second >= 1500 && { 'disk.sda': second }) },
    }));
const values = (updates: readonly MonitoredValues[]): [string, number, number][] =>
  updates.flatMap(({ id, t, v }) => Array.from(t, (at, index): [string, number, number] => [id, at, v[index] ?? 0]));
const sorted = (values: [string, number, number][]) =>
  values.sort((one, other) => one[0].localeCompare(other[0]) || one[1] - other[1]);

it('sends each value once, equal to the later reading, in any order of samples', () => {
  const updates = new MonitoredUpdates(store, sessionId, () => RULES);
  const seen: [string, number, number][] = [];
  let from = 0;
  for (const step of [1, 1, 2, 300, 1, 1200, 3, 1, 1100]) {
    store.monitored.ingest({ sourceId, rows: rows(from, from + step) });
    from += step;
    seen.push(...values(updates.next(START * 1000)));
    expect(updates.next(START * 1000)).toEqual([]);
  }
  const wanted = [{ sourceId, ids: ['work', 'disk.sda'] }];
  const all = values(monitoredSeries(store, { sessionId, wanted }, () => RULES));
  // Values of a new counter from before it existed are not sent.
  const known = ([, , value]: [string, number, number]): boolean => !Number.isNaN(value);
  expect(sorted(seen.filter(known))).toEqual(sorted(all.filter(known)));
  expect(new Set(seen.map(([id]) => id))).toEqual(new Set(['work', 'disk.sda']));
});

it('starts with the samples since a given time', () => {
  store.monitored.ingest({ sourceId, rows: rows(0, 600) });
  const updates = new MonitoredUpdates(store, sessionId, () => RULES);
  const [work] = updates.next((START + 590) * 1000 + 40);
  expect(Array.from(work?.t ?? [])).toEqual(
    Array.from({ length: 10 }, (_, index) => (START + 590 + index) * 1000 + 40),
  );
  expect(work?.v[0]).toBe(590 * (590 % 7) - 589 * (589 % 7));
});

it('sends requested series only, including ones that appear later', () => {
  const other = store.sources.ensure(sessionId, { kind: 'host', name: 'db2', position: 1 }).id;
  const wanted = [
    { sourceId, ids: ['aside', 'unknown'] },
    { sourceId, ids: ['disk.sda'] },
  ];
  const updates = new MonitoredUpdates(store, sessionId, () => RULES, wanted);
  const sendAll = (from: number, to: number): MonitoredValues[] => {
    for (const id of [sourceId, other]) store.monitored.ingest({ sourceId: id, rows: rows(from, to) });
    return updates.next(START * 1000);
  };
  const idsOf = (all: readonly MonitoredValues[]): string[] => all.map((each) => `${each.sourceId} ${each.id}`);
  expect(idsOf(sendAll(0, 10))).toEqual([`${sourceId} aside`]);
  expect(idsOf(sendAll(1500, 1510))).toEqual([`${sourceId} disk.sda`, `${sourceId} aside`]);
  expect(new MonitoredUpdates(store, sessionId, () => RULES, []).next(START * 1000)).toEqual([]);
});
