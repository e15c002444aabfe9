import { expect, it } from 'vitest';
import { normalFrom } from '../../stats/testing/load-worlds.ts';
import { randomFrom } from '../../util/numbers.ts';
import { eventNow } from '../index.ts';
import { eventsOf } from './silences.ts';

const SECONDS = 300;
const WARMUP = 10;

/** A rate with noise of 5 %, stalls of four seconds at 100 and 200, and a dip of six to a third at 150. */
function world(seed: number): { t: Float64Array; v: Float64Array } {
  const normal = normalFrom(randomFrom(seed));
  const t = Float64Array.from({ length: SECONDS }, (_, index) => index + 1);
  const within = (second: number, from: number, length: number): boolean => second > from && second <= from + length;
  const level = (second: number): number =>
    within(second, 100, 4) || within(second, 200, 4) ? 0 : within(second, 150, 6) ? 330 : 1000;
  return { t, v: t.map((second) => level(second) * (1 + 0.05 * normal())) };
}

it('reports an event from its first second until its end, as in the whole run', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const { t, v } = world(seed);
    const seen = Array.from(t).filter(
      (second) =>
        eventNow({ t: t.slice(0, second), v: v.slice(0, second) }, { now: second + 0.4, warmup: WARMUP }) !== undefined,
    );
    const all = eventsOf({ t, v }, { from: WARMUP, to: SECONDS });
    const lasting = Array.from(t).filter((second) =>
      all.some(({ from, to }) => second > from + 0.5 && second <= to + 0.5),
    );
    expect(seen).toEqual(lasting);
    expect(lasting).toEqual([101, 102, 103, 104, 151, 152, 153, 154, 155, 156, 201, 202, 203, 204]);
  }
});

it('reports a stall once the tool has printed nothing for longer than a line takes to arrive', () => {
  const { t, v } = world(1);
  const known = { t: t.slice(0, 60), v: v.slice(0, 60) };
  expect(eventNow(known, { now: 63.4, warmup: WARMUP })).toBeUndefined();
  expect(eventNow(known, { now: 63.6, warmup: WARMUP })).toMatchObject({ kind: 'stall' });
  // At intervals of ten seconds, two of them pass first.
  const coarse = { t: t.slice(0, 10).map((second) => 10 * second), v: v.slice(0, 10) };
  expect(eventNow(coarse, { now: 121, warmup: WARMUP })).toBeUndefined();
  expect(eventNow(coarse, { now: 122, warmup: WARMUP })).toMatchObject({ kind: 'stall' });
});

it('reports nothing before the first sample or within the warm-up', () => {
  const { t, v } = world(1);
  expect(eventNow({ t: t.slice(0, 0), v: v.slice(0, 0) }, { now: 100, warmup: 0 })).toBeUndefined();
  expect(eventNow({ t: t.slice(0, 102), v: v.slice(0, 102) }, { now: 102, warmup: 110 })).toBeUndefined();
});
