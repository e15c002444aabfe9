import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Run, SampleBatch } from '../../../../shared/model/session.ts';
import { LIVE_POINTS, LiveStore, type LogView, sampleKey } from './live-store.ts';

const batch = (first: number, values: number[], metric = 'tps'): SampleBatch => ({
  runId: 7,
  generator: 0,
  first,
  t: Float64Array.from(values, (_value, index) => first + index + 1),
  columns: { [metric]: Float64Array.from(values) },
});
const stored = (store: LiveStore) => {
  const samples = store.state().samples.get(sampleKey(7, 0));
  if (!samples) throw new Error('nothing is held');
  return { t: [...samples.t], tps: [...(samples.columns.tps ?? [])], samples };
};
const feed = (...batches: SampleBatch[]): LiveStore => {
  const store = new LiveStore();
  for (const one of batches) store.apply({ kind: 'samples', batch: one });
  return store;
};

const entry = (id: number) => ({
  id,
  sessionId: 1,
  kind: 'log' as const,
  at: id,
  level: 'info' as const,
  message: `entry ${id}`,
});
const ids = (log: LogView): (number | undefined)[] =>
  Array.from({ length: log.length }, (_, index) => log.at(index)?.id);

describe('live samples', () => {
  it('append later seconds', () => {
    expect(stored(feed(batch(0, [1, 2]), batch(2, [3])))).toMatchObject({ t: [1, 2, 3], tps: [1, 2, 3] });
  });
  it('merge overlapping batches without loss or duplicates', () => {
    expect(stored(feed(batch(0, [1, 2, 3]), batch(2, [3, 4])))).toMatchObject({ t: [1, 2, 3, 4], tps: [1, 2, 3, 4] });
  });
  it('keep the times on both sides of a gap', () => {
    const store = feed(batch(0, [1, 2]), batch(5, [6]));
    expect(stored(store)).toMatchObject({ t: [1, 2, 6], tps: [1, 2, 6] });
    store.apply({ kind: 'samples', batch: batch(5, [6, 7]) });
    expect(stored(store)).toMatchObject({ t: [1, 2, 6, 7], tps: [1, 2, 6, 7] });
  });
  it('are replaced by a batch that starts before them', () => {
    expect(stored(feed(batch(5, [6, 7]), batch(0, [1, 2, 3])))).toMatchObject({ t: [1, 2, 3], tps: [1, 2, 3] });
  });
  it('fill late or ended metrics with NaN', () => {
    const { samples } = stored(feed(batch(0, [1, 2]), batch(2, [9], 'latency_p95_ms')));
    expect([...(samples.columns.tps ?? [])]).toEqual([1, 2, Number.NaN]);
    expect([...(samples.columns.latency_p95_ms ?? [])]).toEqual([Number.NaN, Number.NaN, 9]);
  });
  it('record when the newest arrived', () => {
    let now = 5000;
    const store = new LiveStore(() => now);
    expect(store.state().lastEventAt).toBeUndefined();
    store.apply({ kind: 'samples', batch: batch(0, [1]) });
    now = 9000;
    store.apply({ kind: 'log', entries: [entry(1)] });
    expect(store.state().lastEventAt).toBe(5000);
  });
  it('are limited to the points of the chart, and continue correctly', () => {
    const store = feed(
      batch(
        0,
        Array.from({ length: LIVE_POINTS }, (_, index) => index),
      ),
    );
    store.apply({ kind: 'samples', batch: batch(LIVE_POINTS, [111, 112]) });
    store.apply({ kind: 'samples', batch: batch(LIVE_POINTS + 1, [212, 213]) });
    const { t, tps } = stored(store);
    expect(t).toHaveLength(LIVE_POINTS);
    expect(t.at(-1)).toBe(LIVE_POINTS + 3);
    expect(tps.slice(-3)).toEqual([111, 212, 213]);
  });
});

describe('live log', () => {
  it('does not duplicate repeated entries', () => {
    const store = new LiveStore();
    store.apply({ kind: 'log', entries: [entry(1), entry(2)] });
    store.apply({ kind: 'log', entries: [entry(2), entry(3)] });
    expect(ids(store.state().log)).toEqual([1, 2, 3]);
  });

  it('sorts in late entries, without changing earlier views', () => {
    const store = new LiveStore();
    store.apply({ kind: 'log', entries: [entry(1)] });
    store.apply({ kind: 'log', entries: [{ ...entry(4), kind: 'note' }] });
    const before = store.state().log;
    store.apply({ kind: 'log', entries: [entry(2), { ...entry(3), kind: 'note' }, { ...entry(4), kind: 'note' }] });
    expect([ids(before), ids(store.state().log)]).toEqual([
      [1, 4],
      [1, 2, 3, 4],
    ]);
    expect(store.state().marked.map(({ id }) => id)).toEqual([3, 4]);
  });

  it('appends without changing or copying earlier views', () => {
    const store = new LiveStore();
    store.apply({ kind: 'log', entries: [entry(1), entry(2)] });
    const before = store.state().log;
    store.apply({ kind: 'log', entries: [entry(3)] });
    expect([ids(before), before.at(2), ids(store.state().log)]).toEqual([[1, 2], undefined, [1, 2, 3]]);
  });

  it('collects notes', () => {
    const store = new LiveStore();
    store.apply({ kind: 'log', entries: [entry(1), { ...entry(2), kind: 'note' }] });
    const { marked } = store.state();
    store.apply({ kind: 'log', entries: [entry(3)] });
    expect(marked.map(({ id }) => id)).toEqual([2]);
    expect(store.state().marked).toBe(marked);
  });
});

describe('listeners of a stream', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are called once for a burst, and at most ten times a second', async () => {
    vi.useFakeTimers();
    const store = new LiveStore();
    let notified = 0;
    store.onChanged(() => notified++);
    for (let first = 0; first < 20; first++) store.apply({ kind: 'samples', batch: batch(first, [first]) });
    await Promise.resolve();
    expect(notified).toBe(1);
    for (let first = 20; first < 40; first++) {
      store.apply({ kind: 'samples', batch: batch(first, [first]) });
      await Promise.resolve();
    }
    expect(notified).toBe(1);
    vi.advanceTimersByTime(100);
    expect(notified).toBe(2);
    vi.advanceTimersByTime(1000);
    expect(notified).toBe(2);
  });

  it('receive unchanged parts as the same objects', () => {
    const store = feed(batch(0, [1]));
    const before = store.state();
    store.apply({ kind: 'log', entries: [entry(1)] });
    expect(store.state()).not.toBe(before);
    expect(store.state().samples).toBe(before.samples);
    expect(store.state().runs).toBe(before.runs);
    expect(store.state()).toBe(store.state());
  });

  it('keep the seconds of the last run until the next one has some', () => {
    const store = feed(batch(0, [1]));
    const ended = { id: 7, state: 'done' } satisfies Partial<Run>;
    store.apply({ kind: 'run', run: ended as Run });
    expect([...store.state().samples.keys()]).toEqual([sampleKey(7, 0)]);
    store.apply({ kind: 'samples', batch: { ...batch(0, [1]), runId: 8 } });
    store.apply({ kind: 'samples', batch: { ...batch(0, [1]), runId: 8, generator: 1 } });
    expect([...store.state().samples.keys()]).toEqual([sampleKey(8, 0), sampleKey(8, 1)]);
  });
});
