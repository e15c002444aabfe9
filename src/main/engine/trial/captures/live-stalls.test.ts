import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';
import { firstRun, libraryFolder } from '../../store/testing/library.ts';
import { LiveStalls } from './index.ts';

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let runId: number;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  runId = firstRun(store);
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** Stores seconds with these rates, and looks after each. Returns the seconds at which a stall or dip was seen to begin. */
function lookingAt(stalls: LiveStalls, from: number, rates: readonly number[]): number[] {
  return rates.flatMap((tps, index) => {
    const t = from + index;
    store.samples.ingest({
      ...{ runId, generator: 0, stream: 'stdout', offset: store.samples.offset(runId, 0, 'stdout') },
      ...{ bytes: new Uint8Array([10]), samples: [{ t, metrics: { tps } }] },
    });
    return stalls.begins(t + 0.3) ? [t] : [];
  });
}
const steady = (seconds: number): number[] => Array.from({ length: seconds }, (_, index) => 1000 + (index % 7));

it('stalls start once, when first detected, and again after the rate has recovered', () => {
  const run = store.runs.get(runId);
  if (!run) throw new Error('no run');
  const stalls = new LiveStalls({ store }, run, 5);
  expect(lookingAt(stalls, 1, steady(40))).toEqual([]);
  expect(lookingAt(stalls, 41, [0, 0, 0])).toEqual([41]);
  expect(lookingAt(stalls, 44, steady(10))).toEqual([]);
  // A dip by half, with one second at the full rate.
  expect(lookingAt(stalls, 54, [500, 1000, 510])).toEqual([54]);
  expect(lookingAt(stalls, 57, steady(10))).toEqual([]);
  // The tool prints nothing any more: a second that is merely late is no stall.
  expect([stalls.begins(68), stalls.begins(69), stalls.begins(70.2), stalls.begins(71)]).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

it('stalls are counted from the end of the warm-up', () => {
  const run = store.runs.get(runId);
  if (!run) throw new Error('no run');
  const stalls = new LiveStalls({ store }, run, 60);
  expect(lookingAt(stalls, 1, [...steady(40), 0, 0, ...steady(20)])).toEqual([]);
  expect(lookingAt(stalls, 63, [...steady(20), 0])).toEqual([83]);
});
