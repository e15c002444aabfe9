import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIBRARY_FILE, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { damagePage } from '../testing/damage.ts';
import { addRuns, libraryOf, TO_FORMAT_13 } from '../testing/library.ts';
import { outputOf, parseLines } from '../testing/output.ts';

const ROWS = 2_500;
const samples = parseLines(outputOf(ROWS).toString('latin1'));

let folder: ReturnType<ReturnType<typeof libraryOf>>;
let store: Store;
let runs: number[];
const first = (): number => runs[0] as number;
const libraryWithSamples = libraryOf((filled) => {
  runs = addRuns(filled, 2);
  for (const runId of runs) fill(runId, samples, filled);
});
beforeEach(() => {
  folder = libraryWithSamples();
  store = openStore(folder.path);
});
afterEach(() => {
  store.close();
  folder.remove();
});

function fill(runId: number, rows = samples, into = store): void {
  const offset = into.samples.offset(runId, 0, 'stdout');
  into.samples.ingest({ runId, generator: 0, stream: 'stdout', offset, bytes: new Uint8Array(0), samples: rows });
  into.samples.seal(runId);
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

const stamp = (of: readonly number[], metrics: readonly string[]) =>
  store.summaries.stamps({ runs: of, metrics: [metrics] })[0];
const stampOf = (...of: number[]) => stamp(of, ['tps']);
const keyOf = (of: readonly number[], key = 'figure') => {
  const { feed, stamp } = stampOf(...of) ?? {};
  if (feed === undefined || stamp === undefined) throw new Error('These samples have no stamp.');
  return { feed, stamp, key };
};
const count = (): number => {
  const db = new Database(join(folder.path, LIBRARY_FILE), { readonly: true });
  try {
    return db.prepare<[], number>('SELECT count(*) FROM summary').pluck().get() ?? 0;
  } finally {
    db.close();
  }
};

describe('a stored value', () => {
  const value = {
    mean: 0.1 + 0.2,
    least: Number.MIN_VALUE,
    words: 'ten – hours',
    columns: [Float64Array.of(1.5, Number.NaN, -0, Number.POSITIVE_INFINITY), new Float64Array(0)],
    nested: { ratios: Float64Array.from({ length: 101 }, (_, index) => Math.sqrt(index)), none: null },
  };

  it('is read back bit for bit after the library was opened again', () => {
    store.summaries.keep([{ ...keyOf([first()]), value }]);
    behind(() => {});
    expect(store.summaries.find(keyOf([first()]))).toStrictEqual(value);
    expect(store.summaries.find(keyOf([first()], 'another'))).toBeUndefined();
  });

  it('replaces the previous one', () => {
    store.summaries.keep([{ ...keyOf([first()]), value }]);
    store.summaries.keep([{ ...keyOf([first()]), value: 7 }]);
    expect(store.summaries.find(keyOf([first()]))).toBe(7);
    expect(count()).toBe(1);
  });

  it.each([
    ['an infinite number', { mean: Number.POSITIVE_INFINITY }],
    ['not a number', { mean: Number.NaN }],
    ['minus zero', { mean: -0 }],
    ['something undefined', { mean: undefined }],
  ])('is not stored if JSON would change it: %s', (_, changed) => {
    store.summaries.keep([{ ...keyOf([first()]), value: changed }]);
    expect(count()).toBe(0);
  });

  it('is rejected if a bit has changed, and under another key', () => {
    store.summaries.keep([{ ...keyOf([first()]), value: { mean: 1234 } }]);
    store.summaries.keep([{ ...keyOf([first()], 'two'), value: { mean: 5678 } }]);
    behind((db) => db.exec(`UPDATE summary SET data = CAST(replace(data, '1234', '1235') AS BLOB)`));
    expect(store.summaries.find(keyOf([first()]))).toBeUndefined();
    behind((db) =>
      db.exec(`DELETE FROM summary WHERE key = 'figure'; UPDATE summary SET key = 'figure' WHERE key = 'two'`),
    );
    expect(store.summaries.find(keyOf([first()]))).toBeUndefined();
  });

  it('on a damaged page is treated as absent', () => {
    store.summaries.keep([{ ...keyOf([first()]), value }]);
    store.close();
    damagePage(join(folder.path, LIBRARY_FILE), 'summary');
    store = openStore(folder.path);
    expect(store.summaries.find(keyOf([first()]))).toBeUndefined();
    expect(store.samples.series(first(), 'tps')[0]?.v).toHaveLength(ROWS);
  });
});

describe('the stamp of samples', () => {
  it('is the same while they are unchanged, and differs by run, metric and order', () => {
    const before = stampOf(first());
    behind(() => {});
    expect(stampOf(first())).toEqual(before);
    const others = [stampOf(runs[1] as number), stampOf(...runs), stampOf(...runs.toReversed())];
    others.push(stamp([first()], ['latency_p95_ms']));
    expect(new Set([before, ...others].map((each) => each?.stamp)).size).toBe(5);
  });

  it('differs after the run was read again, even with the same values, and stored values are removed', () => {
    const before = keyOf([first()]);
    store.summaries.keep([{ ...before, value: 1 }]);
    store.samples.clearSamples(first());
    expect(count()).toBe(0);
    fill(first());
    const after = keyOf([first()]);
    expect(after.stamp).not.toBe(before.stamp);
    expect(store.summaries.find(after)).toBeUndefined();
    // A calculation that finishes late changes nothing.
    store.summaries.keep([{ ...before, value: 1 }]);
    expect(count()).toBe(0);
  });

  it('of a group differs after one of its runs was read again', () => {
    store.summaries.keep([{ ...keyOf(runs), value: 1 }]);
    store.samples.clearSamples(runs[1] as number);
    fill(runs[1] as number, samples.slice(0, 1_000));
    expect(store.summaries.find(keyOf(runs))).toBeUndefined();
  });

  it('is absent while samples arrive, and for a run without samples', () => {
    fill(first(), [{ t: ROWS + 1, metrics: { tps: 1 } }]);
    const sealed = stampOf(first());
    expect(sealed).toBeDefined();
    const offset = store.samples.offset(first(), 0, 'stdout');
    const batch = { runId: first(), generator: 0, stream: 'stdout', offset, bytes: new Uint8Array(0) } as const;
    store.samples.ingest({ ...batch, samples: [{ t: ROWS + 2, metrics: { tps: 1 } }] });
    expect(stampOf(first())).toBeUndefined();
    store.samples.seal(first());
    expect(stampOf(first())).toBeDefined();
    expect(stampOf(first())).not.toEqual(sealed);
    const [empty = 0] = addRuns(store, 1, '7f1c1a52-7a43-4c7a-9d0e-1f7f0e5b6a02');
    expect(stampOf(empty)).not.toHaveProperty('feed');
  });

  const OF_TPS = `metric_id = (SELECT id FROM metric WHERE name = 'tps') AND feed_id = (SELECT min(id) FROM feed)`;
  const OF_TIME = 'metric_id = 0 AND feed_id = (SELECT min(id) FROM feed)';
  it.each([
    ['a block that was changed', `UPDATE chunk SET data = zeroblob(length(data)) WHERE first = 1024 AND ${OF_TPS}`],
    ['a block that is gone', `DELETE FROM chunk WHERE first = 2048 AND ${OF_TPS}`],
    ['a block that was moved', `UPDATE chunk SET first = 4096 WHERE first = 2048 AND ${OF_TPS}`],
    ['times that were changed', `UPDATE chunk SET data = zeroblob(length(data)) WHERE first = 0 AND ${OF_TIME}`],
    ['times that are gone', `DELETE FROM chunk WHERE first = 2048 AND ${OF_TIME}`],
    ['a checksum that is gone', `UPDATE chunk SET checksum = NULL WHERE first = 0 AND ${OF_TPS}`],
  ])('is absent with damage in them: %s', (_, sql) => {
    store.summaries.keep([{ ...keyOf([first()]), value: 1 }]);
    behind((db) => expect(db.prepare(sql).run().changes).toBe(1));
    expect(stampOf(first())).toBeUndefined();
    expect(store.samples.readable(first(), 'tps').damage).not.toEqual([]);
    expect(stampOf(...runs)).toBeUndefined();
    expect(stampOf(runs[1] as number)).toBeDefined();
  });

  it('of one metric is present with damage in another', () => {
    const other = `metric_id = (SELECT id FROM metric WHERE name = 'latency_p95_ms')`;
    behind((db) => db.exec(`UPDATE chunk SET data = zeroblob(length(data)) WHERE ${other}`));
    expect(stampOf(first())).toBeDefined();
    expect(stamp([first()], ['latency_p95_ms'])).toBeUndefined();
  });

  it('is absent for samples on a damaged page', () => {
    store.close();
    damagePage(join(folder.path, LIBRARY_FILE), 'chunk');
    store = openStore(folder.path);
    expect(runs.map((run) => stamp([run], ['tps', 'latency_p95_ms']))).toContain(undefined);
  });
});

it('summaries are removed with their session', () => {
  store.summaries.keep([
    { ...keyOf([first()]), value: 1 },
    { ...keyOf(runs), value: 2 },
  ]);
  const session = store.runs.get(first())?.sessionId as number;
  store.sessions.update(session, { state: 'done' });
  store.sessions.remove(session, 0);
  expect(count()).toBe(0);
});

it('summaries are limited: the oldest of a feed are removed', () => {
  const keys = Array.from({ length: 1050 }, (_, index) => keyOf([first()], `cut ${index}`));
  for (let from = 0; from < keys.length; from += 50)
    store.summaries.keep(keys.slice(from, from + 50).map((key, index) => ({ ...key, value: from + index })));
  expect(count()).toBe(1000);
  expect(store.summaries.find(keys[0] as (typeof keys)[number])).toBeUndefined();
  expect(store.summaries.find(keys[1049] as (typeof keys)[number])).toBe(1049);
});

it('summaries are not stored inside a transaction', () => {
  store.reading(() => store.summaries.keep([{ ...keyOf([first()]), value: 1 }]));
  expect(count()).toBe(0);
});

it('a library that another process holds returns stored summaries and stores none', () => {
  store.summaries.keep([{ ...keyOf([first()]), value: 1 }]);
  const reader = openStore(folder.path, { shared: true });
  try {
    expect(reader.readOnly()?.code).toBe('store-busy');
    expect(reader.summaries.find(keyOf([first()]))).toBe(1);
    reader.summaries.keep([{ ...keyOf([first()], 'more'), value: 2 }]);
    expect(count()).toBe(1);
  } finally {
    reader.close();
  }
});

it('a library of an earlier version has none, and loses nothing in its migration', () => {
  const series = store.samples.series(first(), 'tps');
  behind((db) => db.exec(TO_FORMAT_13));
  expect(store.samples.series(first(), 'tps')).toEqual(series);
  expect(store.summaries.find(keyOf([first()]))).toBeUndefined();
  store.summaries.keep([{ ...keyOf([first()]), value: 1 }]);
  expect(store.summaries.find(keyOf([first()]))).toBe(1);
});

describe('the mark of completed precalculation', () => {
  const session = (): number => store.runs.get(first())?.sessionId as number;
  const left = (least = ROWS): number[] => store.summaries.notPrecomputed('ahead', least);

  it('belongs to an ended session and its samples at that time', () => {
    store.sessions.update(session(), { state: 'running' });
    expect(left()).toEqual([]);
    store.sessions.update(session(), { state: 'done' });
    expect(left()).toEqual([session()]);
    expect(left(ROWS + 1)).toEqual([]);
    store.summaries.markPrecomputed(session(), 'ahead', ROWS);
    expect(left()).toEqual([]);
    expect(store.summaries.notPrecomputed('ahead 2', ROWS)).toEqual([session()]);
  });

  it('is invalid after a run was read again or more samples arrived', () => {
    store.sessions.update(session(), { state: 'done' });
    store.summaries.markPrecomputed(session(), 'ahead', ROWS);
    store.samples.clearSamples(first());
    fill(first());
    expect(left()).toEqual([session()]);
    store.summaries.markPrecomputed(session(), 'ahead', ROWS);
    expect(left()).toEqual([]);
    fill(first(), [{ t: ROWS + 1, metrics: { tps: 1 } }]);
    expect(left()).toEqual([session()]);
  });
});
