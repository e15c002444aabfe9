import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { heatColumns, latenciesOf } from '../../../shared/metrics/first-look.ts';
import { cellsOf, experimentOf, storeSession } from '../figures/testing/measured.ts';
import { LIBRARY_FILE, openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { PRECOMPUTED_MARK } from './precompute.ts';
import { type OpenApi, openApi } from './testing/open-api.ts';

const SECONDS = 700;
const FACTORS = { threads: [1, 2] };

let folder: ReturnType<typeof libraryFolder>;
let api: OpenApi | undefined;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(async () => {
  await api?.close();
  api = undefined;
  folder.remove();
});

function stored({ isToCome = false } = {}): number {
  const store = openStore(folder.path);
  const experiment = experimentOf(FACTORS);
  experiment.measure = { ...experiment.measure, duration: SECONDS };
  const cells = cellsOf(FACTORS);
  const column = (level: number): number[] => Array.from({ length: SECONDS }, (_, second) => level + (second % 7));
  const runs = cells.map(({ index }) => ({
    cell: index,
    seconds: { tps: column(100 * (index + 1)), latency_p95_ms: column(5), latency_avg_ms: column(2) },
  }));
  const id = storeSession(store, cells, runs, experiment);
  const last = store.runs.ofSession(id).at(-1);
  if (isToCome && last) store.runs.update(last.id, { state: 'pending' });
  store.close();
  return id;
}

/** Stored summaries of figures, except the marks. */
function storedSummaries(): string[] {
  const db = new Database(join(folder.path, LIBRARY_FILE), { readonly: true });
  try {
    const rows = db.prepare<[string], string>('SELECT feed_id || key || stamp FROM summary WHERE key <> ? ORDER BY 1');
    return rows.pluck().all(PRECOMPUTED_MARK) as string[];
  } finally {
    db.close();
  }
}

const untilPrecomputed = (): Promise<void> =>
  vi.waitFor(
    () => {
      const reader = openStore(folder.path, { shared: true });
      try {
        expect(reader.summaries.notPrecomputed(PRECOMPUTED_MARK, 1)).toEqual([]);
      } finally {
        reader.close();
      }
    },
    // Opening a library takes CPU from the work that is waited for.
    { timeout: 60_000, interval: 250 },
  );

it('calculates the figures of the first tabs when an older library is opened', async () => {
  const id = stored();
  api = await openApi(folder.path);
  await untilPrecomputed();
  const precomputed = storedSummaries();
  expect(precomputed.length).toBeGreaterThan(0);
  const { results, sessions } = api.page().client;
  const result = await results.session({ sessionId: id });
  const [latency = ''] = latenciesOf(result.metrics);
  expect(latency).toBe('latency_p95_ms');
  await results.session({ sessionId: id, metric: latency });
  const runs = (await sessions.runs({ id })).map((run) => run.id);
  await results.stretches({ groups: runs.map((run) => [run]), metric: 'tps', points: heatColumns(runs.length) });
  await results.quantiles({ groups: runs.map((run) => [run]), metric: 'tps', warmup: result.warmup });
  expect(storedSummaries()).toEqual(precomputed);
  await results.session({ sessionId: id, warmup: 30 });
  expect(storedSummaries().length).toBeGreaterThan(precomputed.length);
});

it('calculates every other metric too', async () => {
  const id = stored();
  api = await openApi(folder.path);
  await untilPrecomputed();
  const precomputed = storedSummaries();
  const { results, sessions } = api.page().client;
  const runs = (await sessions.runs({ id })).map((run) => [run.id]);
  for (const metric of ['latency_p95_ms', 'latency_avg_ms']) {
    await results.session({ sessionId: id, metric });
    await results.stretches({ groups: runs, metric, points: heatColumns(runs.length) });
  }
  expect(storedSummaries()).toEqual(precomputed);
});

it('postpones other metrics until no run is pending', async () => {
  const id = stored({ isToCome: true });
  api = await openApi(folder.path);
  await untilPrecomputed();
  const precomputed = storedSummaries();
  await api.page().client.results.session({ sessionId: id, metric: 'latency_avg_ms' });
  expect(storedSummaries().length).toBeGreaterThan(precomputed.length);
});

it('does not repeat the calculation at the next start', async () => {
  stored();
  api = await openApi(folder.path);
  await untilPrecomputed();
  await api.close();
  const precomputed = storedSummaries();
  const db = new Database(join(folder.path, LIBRARY_FILE));
  db.prepare('DELETE FROM summary WHERE key <> ?').run(PRECOMPUTED_MARK);
  db.close();
  api = await openApi(folder.path);
  await api.close();
  expect(precomputed.length).toBeGreaterThan(0);
  expect(storedSummaries()).toEqual([]);
});
