import { afterEach, beforeEach, expect, it } from 'vitest';
import { countersOf, derive, gapsOf, seriesOf } from '../../../shared/monitoring/index.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { firstRun, libraryFolder } from '../store/testing/library.ts';
import { watchedSoFar } from './watched-so-far.ts';

const SEED = 31;
const START = 1_800_000_000;
const [COST] = seriesOf(
  [
    {
      id: 'cost',
      label: 'Cost',
      unit: '%',
      lane: 'cpu',
      main: true,
      digits: 2,
      reading: { kind: 'rate', of: ['ticks'] },
    },
  ],
  ['ticks'],
  () => undefined,
);

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let source: number;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  const sessionId = store.runs.get(firstRun(store))?.sessionId ?? 0;
  source = store.sources.ensure(sessionId, { kind: 'host', name: 'db1', position: 0 }).id;
});
afterEach(() => {
  store.close();
  folder.remove();
});

it(`summarizes all samples, in any order of arrival and reading (seed ${SEED})`, () => {
  if (!COST) throw new Error('There is a series.');
  const random = randomFrom(SEED);
  let [t, ticks, asked] = [START, 0, 0];
  for (let piece = 0; piece < 120; piece += 1) {
    const rows = Array.from({ length: 1 + Math.floor(random() * 60) }, () => {
      t += random() < 0.01 ? 3 + random() * 40 : 1 + (random() - 0.5) * 0.02;
      // A restarted collector counts from the beginning.
      ticks = random() < 0.005 ? 0 : ticks + Math.floor(random() * 4);
      return { t, metrics: { ticks } };
    });
    store.monitored.ingest({ sourceId: source, rows });
    if (random() < 0.1) store.monitored.seal(source);
    if (random() < 0.5) continue;
    asked += 1;
    const all = store.monitored.columns(source, countersOf(COST.reading));
    const known = derive(COST.reading, all.t, all.columns).filter((value) => !Number.isNaN(value));
    const { gaps, cost } = watchedSoFar(store, source, store.monitored.extent(source).samples, COST);
    expect(gaps).toEqual(gapsOf(all.t));
    if (known.length === 0) expect(cost).toBeUndefined();
    else expect(cost).toBeCloseTo(known.reduce((sum, value) => sum + value, 0) / known.length, 9);
  }
  expect(asked).toBeGreaterThan(30);
  expect(gapsOf(store.monitored.columns(source, []).t).length).toBeGreaterThan(10);
});
