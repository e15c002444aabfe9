import { createHash } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KneepointError } from '../../../../shared/model/problem.ts';
import { randomFrom } from '../../../../shared/util/numbers.ts';
import { LIBRARY_FILE, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { firstRun, libraryFolder } from '../testing/library.ts';
import { outputOf, parseLines, randomBatches } from '../testing/output.ts';

let folder: ReturnType<typeof libraryFolder>;
let store: Store;
let run: number;
beforeEach(() => {
  folder = libraryFolder();
  store = openStore(folder.path, { mode: 'test' });
  run = firstRun(store);
});
afterEach(() => {
  store.close();
  folder.remove();
});

const LINES = 3_000;
const output = outputOf(LINES);
const sha256 = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');
const parsed = parseLines(output.toString('latin1'));

function wholeRaw(): Buffer {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < store.samples.rawSize(run, 0, 'stdout'); ) {
    const piece = store.samples.raw(run, 0, 'stdout', at, 50_000);
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces);
}

function expectAllSamples(): void {
  for (const metric of ['tps', 'latency_p95_ms']) {
    const [series, ...others] = store.samples.series(run, metric);
    const wanted = parsed.filter((row) => metric in row.metrics);
    expect(others).toEqual([]);
    expect(Array.from(series?.t ?? [])).toEqual(wanted.map((row) => row.t));
    expect(Array.from(series?.v ?? [])).toEqual(wanted.map((row) => row.metrics[metric]));
  }
}

describe('ingest', () => {
  it('stores a metric again that was rolled back with its transaction', () => {
    const batch = { runId: run, generator: 0, stream: 'stdout' as const, offset: 0, bytes: Buffer.from('x') };
    const samples = [{ t: 1, metrics: { tps: 5 } }];
    expect(() =>
      store.atomically(() => {
        store.samples.ingest({ ...batch, samples });
        throw new Error('undone');
      }),
    ).toThrow('undone');
    store.samples.ingest({ ...batch, samples });
    expect(Array.from(store.samples.series(run, 'tps')[0]?.v ?? [])).toEqual([5]);
  });

  it('continues without gaps or duplicates after a power cut reverted relaxed commits', () => {
    const batches = [...randomBatches(run, output, randomFrom(7))];
    const half = Math.floor(batches.length / 2);
    for (const batch of batches.slice(0, half)) store.atomically(() => store.samples.ingest(batch));
    const cut = libraryFolder();
    for (const name of [LIBRARY_FILE, `${LIBRARY_FILE}-wal`])
      copyFileSync(join(folder.path, name), join(cut.path, name));
    for (const batch of batches.slice(half)) store.relaxed(() => store.samples.ingest(batch));
    const whole = store.samples.offset(run, 0, 'stdout');
    store.close();
    folder.remove();
    // The durable half that is on the disk.
    folder = cut;
    store = openStore(folder.path, { mode: 'test' });
    const offset = store.samples.offset(run, 0, 'stdout');
    expect(offset).toBe(batches[half]?.offset);
    expect(offset).toBeLessThan(whole);
    for (const batch of batches.slice(half)) store.relaxed(() => store.samples.ingest(batch));
    expect(wholeRaw().equals(output)).toBe(true);
    expectAllSamples();
  });

  it('returns every byte and sample for any chunks (seeds 1 to 5), before and after sealing', () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      run = firstRun({
        ...store,
        sessions: {
          ...store.sessions,
          insert: (row, runs) => store.sessions.insert({ ...row, uuid: `s${seed}` }, runs),
        },
      });
      for (const batch of randomBatches(run, output, randomFrom(seed))) store.samples.ingest(batch);
      expect(wholeRaw().equals(output)).toBe(true);
      expectAllSamples();
      expect(store.samples.seal(run)).toBe(sha256(output));
      expect(store.samples.count(run, 0)).toBe(LINES);
      expect(wholeRaw().equals(output)).toBe(true);
      expectAllSamples();
      const index = store.samples.index(run, 0);
      expect(index.epoch.at(-1)).toBe(1_700_000_000 + LINES);
      expect(index.uptime.at(-1)).toBe(100.25 + LINES);
      expect(index.offset.length).toBe(LINES);
      expect(index.offset.at(-1)).toBe(output.length);
    }
  });

  it('writes nothing if the offset is not the next byte', () => {
    const first = {
      runId: run,
      generator: 0,
      stream: 'stdout',
      offset: 0,
      bytes: Buffer.from('abc'),
      samples: [{ t: 1, metrics: { tps: 5 } }],
    } as const;
    store.samples.ingest(first);
    for (const offset of [0, 2, 4]) {
      const wrong = {
        ...first,
        offset,
        samples: [{ t: 2, metrics: { tps: 6, fresh: 1 } }],
        index: [{ epoch: 1, uptime: 1, offset: 1, next: 6 }],
        run: { state: 'done' },
      } as const;
      expect(() => store.samples.ingest(wrong)).toThrow(KneepointError);
    }
    expect(store.samples.offset(run, 0, 'stdout')).toBe(3);
    expect(store.samples.count(run, 0)).toBe(1);
    expect(store.samples.metrics(run)).toEqual(['tps']);
    expect(store.samples.index(run, 0).epoch.length).toBe(0);
    expect(store.runs.get(run)?.state).toBe('pending');
  });

  it('updates the run in the same transaction', () => {
    const batch = {
      runId: run,
      generator: 0,
      stream: 'stdout',
      offset: 0,
      bytes: Buffer.from('abc'),
      samples: [],
    } as const;
    store.samples.ingest({ ...batch, run: { state: 'running', startedAt: 5 } });
    expect(store.runs.get(run)).toMatchObject({ state: 'running', startedAt: 5 });
  });

  it('keeps streams and generators separate', () => {
    const bytes = Buffer.from('abc');
    store.samples.ingest({
      runId: run,
      generator: 0,
      stream: 'stdout',
      offset: 0,
      bytes,
      samples: [{ t: 1, metrics: { tps: 1 } }],
    });
    store.samples.ingest({
      runId: run,
      generator: 0,
      stream: 'stderr',
      offset: 0,
      bytes: Buffer.from('warn'),
      samples: [],
    });
    store.samples.ingest({
      runId: run,
      generator: 2,
      stream: 'stdout',
      offset: 0,
      bytes,
      samples: [{ t: 1, metrics: { qps: 2, tps: 3 } }],
    });
    expect(store.samples.generators(run)).toEqual([0, 2]);
    expect(store.samples.progress(run)).toEqual([
      { generator: 0, rows: 1 },
      { generator: 2, rows: 1 },
    ]);
    expect(Buffer.from(store.samples.raw(run, 0, 'stderr')).toString()).toBe('warn');
    expect(store.samples.series(run, 'tps').map((series) => [series.generator, series.v[0]])).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(store.samples.series(run, 'tps', 2)).toHaveLength(1);
    expect(store.samples.series(run, 'qps')).toHaveLength(1);
    expect(store.samples.series(run, 'unknown')).toEqual([]);
    expect(store.samples.seal(run)).toBe(['abc', 'warn', 'abc'].map(sha256).join(' '));
  });

  it.each(['a restart', 'a commit that was undone'])('seals stored samples after %s', (what) => {
    const half = output.length >> 1;
    const ingest = (offset: number, bytes: Buffer): void =>
      store.samples.ingest({ runId: run, generator: 0, stream: 'stdout', offset, bytes, samples: [] });
    ingest(0, output.subarray(0, half));
    if (what === 'a restart') {
      store.close();
      store = openStore(folder.path);
    } else {
      const undone = (): void =>
        store.atomically(() => {
          ingest(half, Buffer.from('never stored'));
          throw new Error('undone');
        });
      expect(undone).toThrow('undone');
    }
    ingest(half, output.subarray(half));
    expect(store.samples.seal(run)).toBe(sha256(output));
  });

  it('accepts the digest of earlier versions over all streams', () => {
    const streams = ['stdout', 'stderr'] as const;
    for (const stream of streams)
      store.samples.ingest({ runId: run, generator: 0, stream, offset: 0, bytes: Buffer.from(stream), samples: [] });
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    db.prepare('UPDATE run SET digest = ? WHERE id = ?').run(sha256('stdoutstderr'), run);
    db.close();
    store = openStore(folder.path);
    expect(store.samples.seal(run)).toBe(streams.map(sha256).join(' '));
  });

  it('refuses an unknown run', () => {
    const batch = {
      runId: 999,
      generator: 0,
      stream: 'stdout',
      offset: 0,
      bytes: Buffer.from('a'),
      samples: [],
    } as const;
    expect(() => store.samples.ingest(batch)).toThrow(/no run 999/);
  });

  it('stores odd values and times unchanged, and NaN as absent', () => {
    const rows = [
      { t: 1, metrics: { a: -0, b: Infinity } },
      { t: 1, metrics: { a: Number.NaN, b: -Infinity } },
      { t: 0.5, metrics: { a: 1e300 } },
    ];
    store.samples.ingest({
      runId: run,
      generator: 0,
      stream: 'stdout',
      offset: 0,
      bytes: new Uint8Array(),
      samples: rows,
    });
    const read = () =>
      ['a', 'b'].map((metric) => store.samples.series(run, metric).map(({ t, v }) => [Array.from(t), Array.from(v)]));
    const before = read();
    expect(before).toEqual([
      [
        [
          [1, 0.5],
          [-0, 1e300],
        ],
      ],
      [
        [
          [1, 1],
          [Infinity, -Infinity],
        ],
      ],
    ]);
    store.samples.seal(run);
    expect(read()).toEqual(before);
  });
});

describe('rows', () => {
  it('continue from any index, across sealed chunks and the open tail', () => {
    for (const batch of randomBatches(run, output, randomFrom(1))) store.samples.ingest(batch);
    for (const first of [0, 1, 1_023, 1_024, 2_047, 2_048, 2_500, LINES - 1, LINES, LINES + 5]) {
      const { t, columns } = store.samples.rows(run, 0, first);
      const wanted = parsed.slice(first);
      expect(Array.from(t)).toEqual(wanted.map((row) => row.t));
      expect(Array.from(columns.latency_p95_ms ?? [])).toEqual(
        wanted.map((row) => row.metrics.latency_p95_ms ?? Number.NaN),
      );
    }
  });

  it('are returned as separate arrays', () => {
    for (const batch of randomBatches(run, output, randomFrom(1))) store.samples.ingest(batch);
    store.samples.series(run, 'tps')[0]?.t.fill(0);
    expectAllSamples();
  });
});

describe('re-ingest', () => {
  it('stores equal samples after they were cleared, and keeps raw output', () => {
    for (const batch of randomBatches(run, output, randomFrom(4))) store.samples.ingest(batch);
    const digest = store.samples.seal(run);
    store.samples.clearSamples(run);
    expect(store.samples.count(run, 0)).toBe(0);
    expect(store.samples.metrics(run)).toEqual([]);
    expect(wholeRaw().equals(output)).toBe(true);
    const offset = store.samples.offset(run, 0, 'stdout');
    store.samples.ingest({
      runId: run,
      generator: 0,
      stream: 'stdout',
      offset,
      bytes: new Uint8Array(),
      samples: parseLines(wholeRaw().toString('latin1')),
    });
    expectAllSamples();
    expect(store.samples.seal(run)).toBe(digest);
    expectAllSamples();
  });
});

it('stores a ten-hour run with twenty metrics next to others', () => {
  const names = Array.from({ length: 20 }, (_, index) => `metric_${index}`);
  const samples = Array.from({ length: 36_000 }, (_, index) => ({
    t: index + 1,
    metrics: Object.fromEntries(names.map((name, position) => [name, (index * (position + 1)) % 977])),
  }));
  for (let first = 0; first < samples.length; first += 2_000) {
    const offset = store.samples.offset(run, 0, 'stdout');
    store.samples.ingest({
      runId: run,
      generator: 0,
      stream: 'stdout',
      offset,
      bytes: Buffer.from('line\n'),
      samples: samples.slice(first, first + 2_000),
    });
  }
  store.samples.seal(run);
  expect(store.samples.metrics(run)).toEqual(names);
  const { v } = store.samples.series(run, 'metric_19')[0] ?? { v: new Float64Array() };
  expect(v.length).toBe(36_000);
  expect(v[35_999]).toBe((35_999 * 20) % 977);
});
