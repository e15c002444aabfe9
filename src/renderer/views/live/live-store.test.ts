import { describe, expect, it } from 'vitest';
import type { SampleBatch } from '../../../shared/model/session.ts';
import { LIVE_POINTS, LiveStore, sampleKey } from './live-store.ts';

const batch = (first: number, values: number[], metric = 'tps'): SampleBatch => ({
  runId: 7,
  generator: 0,
  first,
  t: Float64Array.from(values, (_value, index) => first + index + 1),
  columns: { [metric]: Float64Array.from(values) },
});
const held = (store: LiveStore) => {
  const samples = store.state().samples.get(sampleKey(7, 0));
  if (!samples) throw new Error('nothing is held');
  return { t: [...samples.t], tps: [...(samples.columns.tps ?? [])], samples };
};
const feed = (...batches: SampleBatch[]): LiveStore => {
  const store = new LiveStore();
  for (const one of batches) store.apply({ kind: 'samples', batch: one });
  return store;
};

describe('live samples', () => {
  it('appends what follows', () => {
    expect(held(feed(batch(0, [1, 2]), batch(2, [3])))).toMatchObject({ t: [1, 2, 3], tps: [1, 2, 3] });
  });
  it('neither loses nor doubles what overlaps', () => {
    expect(held(feed(batch(0, [1, 2, 3]), batch(2, [3, 4])))).toMatchObject({ t: [1, 2, 3, 4], tps: [1, 2, 3, 4] });
  });
  it('keeps the times on both sides of a gap', () => {
    const store = feed(batch(0, [1, 2]), batch(5, [6]));
    expect(held(store)).toMatchObject({ t: [1, 2, 6], tps: [1, 2, 6] });
    store.apply({ kind: 'samples', batch: batch(5, [6, 7]) });
    expect(held(store)).toMatchObject({ t: [1, 2, 6, 7], tps: [1, 2, 6, 7] });
  });
  it('takes the newer account when a batch starts before what is held', () => {
    expect(held(feed(batch(5, [6, 7]), batch(0, [1, 2, 3])))).toMatchObject({ t: [1, 2, 3], tps: [1, 2, 3] });
  });
  it('fills a metric that came later or left with gaps', () => {
    const { samples } = held(feed(batch(0, [1, 2]), batch(2, [9], 'latency_p95_ms')));
    expect([...(samples.columns.tps ?? [])]).toEqual([1, 2, Number.NaN]);
    expect([...(samples.columns.latency_p95_ms ?? [])]).toEqual([Number.NaN, Number.NaN, 9]);
  });
  it('holds no more than the chart shows, and goes on exactly', () => {
    const store = feed(
      batch(
        0,
        Array.from({ length: LIVE_POINTS }, (_, index) => index),
      ),
    );
    store.apply({ kind: 'samples', batch: batch(LIVE_POINTS, [111, 112]) });
    store.apply({ kind: 'samples', batch: batch(LIVE_POINTS + 1, [212, 213]) });
    const { t, tps } = held(store);
    expect(t).toHaveLength(LIVE_POINTS);
    expect(t.at(-1)).toBe(LIVE_POINTS + 3);
    expect(tps.slice(-3)).toEqual([111, 212, 213]);
  });
});

describe('live log', () => {
  it('does not repeat entries that are told again', () => {
    const store = new LiveStore();
    const entry = (id: number) => ({ id, sessionId: 1, at: id, level: 'info' as const, message: `entry ${id}` });
    store.apply({ kind: 'log', entries: [entry(1), entry(2)] });
    store.apply({ kind: 'log', entries: [entry(2), entry(3)] });
    expect(store.state().log.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  it('tells its watchers once for a burst', async () => {
    const store = new LiveStore();
    let told = 0;
    store.subscribe(() => told++);
    for (let first = 0; first < 20; first++) store.apply({ kind: 'samples', batch: batch(first, [first]) });
    await Promise.resolve();
    expect(told).toBe(1);
  });
});
