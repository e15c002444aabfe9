import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SeriesRule } from '../../../shared/model/monitored.ts';
import { countersOf, derive, gapsOf, seriesOf } from '../../../shared/monitoring/index.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { firstRun, libraryFolder } from '../store/testing/library.ts';
import { monitoredSources } from './index.ts';
import { watchedSoFar } from './series.ts';

const START = 1_800_000_000;
const SECONDS = 2500;
const LINKS = 40;
const RULE: SeriesRule = {
  ...{ id: 'link.*', label: 'Link *', unit: 'MiB/s', lane: 'network', main: true, digits: 1 },
  reading: { kind: 'gauge', of: ['link.*.used'] },
  limit: { of: 'link.*.speed', words: 'link speed' },
};

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let session: number;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
  session = store.runs.get(firstRun(store))?.sessionId ?? 0;
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** Links with the seconds in which each reported its speed, which grows every second. */
function watched(reportedAt: Readonly<Record<string, readonly number[]>>): void {
  const { id } = store.sources.ensure(session, { kind: 'host', name: 'db1', position: 0 });
  const rows = Array.from({ length: SECONDS }, (_, second) => {
    const values = Object.entries(reportedAt).flatMap(([link, seconds]) => [
      [`link.${link}.used`, 1],
      ...(seconds.includes(second) ? [[`link.${link}.speed`, second]] : []),
    ]);
    return { t: START + second, metrics: Object.fromEntries(values) as Record<string, number> };
  });
  store.monitored.ingest({ sourceId: id, rows });
}

function limitsIn(of: Store): Record<string, number | undefined> {
  const [source] = monitoredSources(of, session, () => [RULE]);
  return Object.fromEntries((source?.series ?? []).map(({ instance = '', limit }) => [instance, limit?.value]));
}

it('limits are the last reported ones, however old', () => {
  watched({ last: [7, SECONDS - 1], minute: [1200, SECONDS - 60], hour: [3, 90], never: [] });
  const reportedAt = { hour: 90, last: SECONDS - 1, minute: SECONDS - 60, never: undefined };
  expect(limitsIn(store)).toEqual(reportedAt);
  store.monitored.seal(store.sources.ofSession(session)[0]?.id ?? 0);
  expect(limitsIn(store)).toEqual(reportedAt);
});

it('many limits are read together', () => {
  watched(Object.fromEntries(Array.from({ length: LINKS }, (_, link) => [`eth${link}`, [SECONDS - 60]])));
  let looks = 0;
  const since: Store['monitored']['since'] = (...which) => {
    looks += 1;
    return store.monitored.since(...which);
  };
  const found = limitsIn({ ...store, monitored: { ...store.monitored, since } });
  expect(Object.values(found)).toEqual(Array.from({ length: LINKS }, () => SECONDS - 60));
  expect(looks).toBeLessThan(5);
});

const SEED = 31;

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

it(`summarizes all samples, in any order of arrival and reading (seed ${SEED})`, () => {
  if (!COST) throw new Error('There is a series.');
  const source = store.sources.ensure(session, { kind: 'host', name: 'db1', position: 0 }).id;
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
