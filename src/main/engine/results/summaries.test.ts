import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { atDepth, NIGHT } from '../../../shared/util/testing/depth.ts';
import { runBuckets, runQuantiles, seriesOfRuns } from '../figures/index.ts';
import { METRICS, type StoredWorld, storeWorld, WARMUP } from '../figures/testing/kept-worlds.ts';
import { experimentOf } from '../figures/testing/measured.ts';
import { LIBRARY_FILE, openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { libraryFolder, TO_FORMAT_13 } from '../store/testing/library.ts';
import { figureOfRun, Overviews, sessionResult } from './index.ts';

const seed = Number(process.env.KNEEPOINT_SEED ?? 64);
const WORLDS = atDepth(40, 2);

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path);
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** The same library without summaries: every answer is calculated from the samples. */
const direct = (of: Store): Store => ({
  ...of,
  summaries: {
    ...of.summaries,
    stamps: ({ metrics }) => metrics.map(() => undefined),
    find: () => undefined,
    keep: () => {},
  },
});

/** Counts how many samples are read. */
function counted(of: Store): { store: Store; read: () => number } {
  let count = 0;
  const readable: Store['samples']['readable'] = (...which) => {
    const answer = of.samples.readable(...which);
    count += answer.series.reduce((sum, { v }) => sum + v.length, 0);
    return answer;
  };
  return { store: { ...of, samples: { ...of.samples, readable } }, read: () => count };
}

/** Modifies the file without the engine's knowledge, then opens it again. */
function behind(work: (db: Database.Database) => unknown): void {
  store.close();
  const db = new Database(join(folder.path, LIBRARY_FILE));
  try {
    work(db);
  } finally {
    db.close();
    store = openStore(folder.path);
  }
}

/** Everything that a page requests. */
async function answers(of: Store, { sessionId, runs, cells, factors }: StoredWorld) {
  const experiment = experimentOf(factors);
  experiment.measure = { ...experiment.measure, warmup: WARMUP };
  const context = { experiment, plan: { cells: [...cells], trials: [], seconds: 0, findings: [] } };
  const figures = { primary: 'tps', failures: ['errors_total'], clientsOf: () => 8 };
  const results = METRICS.flatMap((metric) =>
    [undefined, 30].map((warmup) =>
      sessionResult(of, context, figures, { sessionId, metric, ...(warmup !== undefined && { warmup }) }),
    ),
  );
  const rows = of.runs.ofSession(sessionId);
  const groups = cells.map(({ index }) => rows.filter(({ cell }) => cell === index).map(({ id }) => id));
  const metric = 'tps';
  // Nothing is stored for shorter runs.
  const long = rows.filter(({ warmup, duration }) => warmup + duration >= 128).map(({ id }) => id);
  return {
    results,
    quantiles: await runQuantiles(of, { groups, metric: 'latency_avg_ms', warmup: 7 }),
    single: await runBuckets(of, { groups: runs.map((id) => [id]), metric, points: 50 }),
    together: await runBuckets(of, { groups, metric, points: 20 }),
    thinned: await seriesOfRuns(of, { runIds: long, metrics: [metric, 'latency_p95_ms'], points: 2 }),
    figures: rows.map((row) => figureOfRun(of, row, 'latency_p95_ms')),
  };
}

describe(`${WORLDS} random sessions (seed ${seed})`, () => {
  const worlds = (): StoredWorld[] => Array.from({ length: WORLDS }, (_, index) => storeWorld(store, seed + index));

  it('have bit-identical figures from samples, when being stored, and from storage', async () => {
    for (const world of worlds()) {
      const right = await answers(direct(store), world);
      const made = await answers(store, world);
      behind(() => {});
      const { store: watched, read } = counted(store);
      const kept = await answers(watched, world);
      expect(isDeepStrictEqual(made, right), `session ${world.sessionId} when its figures are kept`).toBe(true);
      expect(isDeepStrictEqual(kept, right), `session ${world.sessionId} from what was kept`).toBe(true);
      expect(read()).toBe(0);
    }
  });

  it('are recalculated if a run was read again, whatever is stored', async () => {
    for (const world of worlds()) {
      await answers(store, world);
      const [run = 0] = world.runs;
      const [series] = store.samples.series(run, 'latency_p95_ms');
      store.samples.clearSamples(run);
      if (series) {
        const samples = Array.from(series.t, (t, index) => ({ t, metrics: { latency_p95_ms: index } }));
        const offset = store.samples.offset(run, 0, 'stdout');
        const batch = { runId: run, generator: 0, stream: 'stdout', offset, bytes: new Uint8Array(0) } as const;
        store.samples.ingest({ ...batch, samples });
      }
      store.samples.seal(run);
      const right = await answers(direct(store), world);
      expect(isDeepStrictEqual(await answers(store, world), right), `session ${world.sessionId}`).toBe(true);
    }
  });

  it('name and exclude damaged data, whatever is stored', async () => {
    let damaged = 0;
    for (const world of worlds()) {
      await answers(store, world);
      const run = world.runs.at(-1);
      behind((db) =>
        db.exec(`UPDATE chunk SET data = zeroblob(length(data)) WHERE metric_id = (SELECT id FROM metric WHERE name = 'tps')
          AND feed_id IN (SELECT id FROM feed WHERE run_id = ${run} AND kind = 'samples')`),
      );
      const right = await answers(direct(store), world);
      const now = await answers(store, world);
      damaged += now.results[0]?.damage?.length ?? 0;
      expect(isDeepStrictEqual(now, right), `session ${world.sessionId}`).toBe(true);
    }
    expect(damaged).toBeGreaterThan(WORLDS / 4);
  });

  it('have the same figures in a library of an earlier version, and when it is read while locked', async () => {
    for (const world of worlds().slice(0, 2)) {
      const right = await answers(direct(store), world);
      behind((db) => db.exec(TO_FORMAT_13));
      for (const from of ['worked out', 'kept'] as const) {
        const reader = openStore(folder.path, { shared: true });
        try {
          expect(isDeepStrictEqual(await answers(reader, world), right), `beside, ${from}`).toBe(true);
        } finally {
          reader.close();
        }
        expect(isDeepStrictEqual(await answers(store, world), right), from).toBe(true);
      }
    }
  });
});

it('a session that was read again is recalculated in lists', () => {
  const world = storeWorld(store, seed);
  const row = store.sessions.get(world.sessionId);
  const overviews = new Overviews(store);
  const before = row && overviews.of(row);
  for (const run of world.runs) {
    store.samples.clearSamples(run);
    store.samples.seal(run);
  }
  for (const run of store.runs.ofSession(world.sessionId)) store.runs.update(run.id, { summary: {} });
  expect(before?.sparkline.some((value) => value !== null)).toBe(true);
  expect(row && overviews.of(row).sparkline.every((value) => value === null)).toBe(true);
});

/**
 * Summaries of an earlier version have the figures of that version. If this fails because the calculation has changed, raise `FIGURES` in
 * `workings.ts` and update the digests here.
 */
it('stored summaries of known sessions match FIGURES = 3', async () => {
  for (let each = 1; each <= atDepth(4, 1); each += 1) await answers(store, storeWorld(store, each));
  const kept: { feed: number; key: string; stamp: string }[] = [];
  behind((db) => {
    const rows = db.prepare<[], (typeof kept)[number]>('SELECT feed_id AS feed, key, stamp FROM summary ORDER BY 1, 2');
    kept.push(...rows.all());
  });
  const digest = createHash('sha256');
  for (const place of kept) {
    expect(JSON.parse(place.key)).toHaveProperty('0', 3);
    const columns = (_: string, part: unknown): unknown => (part instanceof Float64Array ? [...part] : part);
    digest.update(place.key).update(JSON.stringify(store.summaries.find(place), columns));
  }
  expect(digest.digest('hex').slice(0, 16)).toBe(NIGHT ? 'c62a6e075a3edc30' : 'a5336972aa19264d');
});
