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
  it('knows when the newest of them arrived', () => {
    let now = 5000;
    const store = new LiveStore(() => now);
    expect(store.state().heardAt).toBeUndefined();
    store.apply({ kind: 'samples', batch: batch(0, [1]) });
    now = 9000;
    store.apply({ kind: 'log', entries: [entry(1)] });
    expect(store.state().heardAt).toBe(5000);
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
    store.apply({ kind: 'log', entries: [entry(1), entry(2)] });
    store.apply({ kind: 'log', entries: [entry(2), entry(3)] });
    expect(ids(store.state().log)).toEqual([1, 2, 3]);
  });

  it('puts what comes late in its place, and leaves what was handed out as it was', () => {
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

  it('leaves what was handed out as it was, without a copy of it', () => {
    const store = new LiveStore();
    store.apply({ kind: 'log', entries: [entry(1), entry(2)] });
    const before = store.state().log;
    store.apply({ kind: 'log', entries: [entry(3)] });
    expect([ids(before), before.at(2), ids(store.state().log)]).toEqual([[1, 2], undefined, [1, 2, 3]]);
  });

  it('gathers what a person wrote', () => {
    const store = new LiveStore();
    store.apply({ kind: 'log', entries: [entry(1), { ...entry(2), kind: 'note' }] });
    const { marked } = store.state();
    store.apply({ kind: 'log', entries: [entry(3)] });
    expect(marked.map(({ id }) => id)).toEqual([2]);
    expect(store.state().marked).toBe(marked);
  });
});

describe('watchers of a stream', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are told once for a burst, and ten times a second at most', async () => {
    vi.useFakeTimers();
    const store = new LiveStore();
    let told = 0;
    store.onChanged(() => told++);
    for (let first = 0; first < 20; first++) store.apply({ kind: 'samples', batch: batch(first, [first]) });
    await Promise.resolve();
    expect(told).toBe(1);
    for (let first = 20; first < 40; first++) {
      store.apply({ kind: 'samples', batch: batch(first, [first]) });
      await Promise.resolve();
    }
    expect(told).toBe(1);
    vi.advanceTimersByTime(100);
    expect(told).toBe(2);
    vi.advanceTimersByTime(1000);
    expect(told).toBe(2);
  });

  it('get what did not change as it was', () => {
    const store = feed(batch(0, [1]));
    const before = store.state();
    store.apply({ kind: 'log', entries: [entry(1)] });
    expect(store.state()).not.toBe(before);
    expect(store.state().samples).toBe(before.samples);
    expect(store.state().runs).toBe(before.runs);
    expect(store.state()).toBe(store.state());
  });

  it('hold the seconds of the run that is going on, and of the last until the next has some', () => {
    const store = feed(batch(0, [1]));
    const ended = { id: 7, state: 'done' } satisfies Partial<Run>;
    store.apply({ kind: 'run', run: ended as Run });
    expect([...store.state().samples.keys()]).toEqual([sampleKey(7, 0)]);
    store.apply({ kind: 'samples', batch: { ...batch(0, [1]), runId: 8 } });
    store.apply({ kind: 'samples', batch: { ...batch(0, [1]), runId: 8, generator: 1 } });
    expect([...store.state().samples.keys()]).toEqual([sampleKey(8, 0), sampleKey(8, 1)]);
  });
});
