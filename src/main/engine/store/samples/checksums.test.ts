import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SampleDamage } from '../../../../shared/model/damage.ts';
import { KneepointError, type Problem } from '../../../../shared/model/problem.ts';
import { formatNumber } from '../../../../shared/util/format.ts';
import { randomFrom } from '../../../../shared/util/numbers.ts';
import { atDepth } from '../../../../shared/util/testing/depth.ts';
import { LIBRARY_FILE, openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { firstRun, libraryOf } from '../testing/library.ts';
import { outputOf, parseLines, randomBatches } from '../testing/output.ts';

const LINES = 3_000;
const output = outputOf(LINES);
const parsed = parseLines(output.toString('latin1'));
const METRICS = ['tps', 'latency_p95_ms'];
const seed = Number(process.env.KNEEPOINT_SEED ?? 36);
/** Places in each chunk: the first half byte by byte from its start, the rest anywhere. */
const PLACES = atDepth(12, 4);

let folder: ReturnType<ReturnType<typeof libraryOf>>;
let store: Store;
let run: number;
const libraryWithSamples = libraryOf((filled) => {
  run = firstRun(filled);
  for (const batch of randomBatches(run, output, randomFrom(seed))) filled.samples.ingest(batch);
});
beforeEach(() => {
  folder = libraryWithSamples();
  store = openStore(folder.path);
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** Modifies the file without the engine's knowledge, then opens it again. */
function behind<T>(work: (db: Database.Database) => T): T {
  store.close();
  const db = new Database(join(folder.path, LIBRARY_FILE));
  try {
    return work(db);
  } finally {
    db.close();
    store = openStore(folder.path);
  }
}

function problemFrom(work: () => unknown): Problem | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof KneepointError) return error.problem;
    throw error;
  }
  return undefined;
}

const right = (metric: string) => parsed.filter((row) => metric in row.metrics).map((row) => row.metrics[metric]);

interface Blob {
  id: number;
  metric: string;
  first: number;
  count: number;
  data: Buffer;
}
const chunksOf = (db: Database.Database): Blob[] =>
  db
    .prepare<[], Blob>(
      `SELECT chunk.id, name AS metric, first, count, data FROM chunk JOIN metric ON metric.id = metric_id
        JOIN feed ON feed.id = feed_id WHERE kind = 'samples' ORDER BY metric_id, first`,
    )
    .all();

describe('a bit flipped in a chunk', () => {
  it(`is never read as a figure, wherever it is (${PLACES} places in each of 9 chunks, seed ${seed})`, () => {
    store.samples.seal(run);
    const random = randomFrom(seed);
    const chunks = behind(chunksOf);
    expect(chunks.length).toBe(9);
    let flipped = 0;
    for (const chunk of chunks) {
      for (let place = 0; place < PLACES; place += 1) {
        const byte =
          place < PLACES / 2 ? Math.min(place, chunk.data.length - 1) : Math.floor(random() * chunk.data.length);
        const bytes = Buffer.from(chunk.data);
        bytes[byte] = (bytes[byte] ?? 0) ^ (1 << Math.floor(random() * 8));
        const write = (data: Buffer) =>
          behind((db) => db.prepare('UPDATE chunk SET data = ? WHERE id = ?').run(data, chunk.id));
        write(bytes);
        flipped += 1;
        const [first, last] = [chunk.first, chunk.first + chunk.count - 1];
        const isTime = chunk.metric === 't';
        const problem = problemFrom(() => store.samples.series(run, isTime ? 'tps' : chunk.metric));
        const wanted = { runId: run, generator: 0, first, last, ...(isTime ? {} : { metric: chunk.metric }) };
        expect(problem, `byte ${byte} of ${chunk.metric}`).toMatchObject({
          code: 'store-corrupt',
          run,
          details: wanted,
        });
        expect(problem?.message).toContain(isTime ? 'all metrics' : chunk.metric);
        expect(problem?.message).toContain(`samples ${formatNumber(first + 1)} to ${formatNumber(last + 1)}`);
        for (const metric of METRICS) {
          const { series, damage } = store.samples.readable(run, metric);
          const touched = isTime || metric === chunk.metric;
          expect(damage).toEqual(touched ? [wanted] : []);
          const kept = parsed.filter(
            (row, index) => metric in row.metrics && !(touched && index >= first && index <= last),
          );
          expect(Array.from(series[0]?.v ?? [])).toEqual(kept.map((row) => row.metrics[metric]));
          expect(Array.from(series[0]?.t ?? [])).toEqual(kept.map((row) => row.t));
        }
        if (place === PLACES - 1) write(chunk.data);
      }
    }
    expect(flipped).toBe(9 * PLACES);
    // Damage to one run's samples does not affect the rest of the file: it stays writable, so they can be read again.
    store.experiments.insert('a', '', 1);
  }, 120_000);

  it('is fixed by reading the samples again from the output', () => {
    store.samples.seal(run);
    behind((db) => db.prepare(`UPDATE chunk SET data = zeroblob(length(data))`).run());
    expect(problemFrom(() => store.samples.series(run, 'tps'))?.code).toBe('store-corrupt');
    const raw = store.samples.raw(run, 0, 'stdout', 0, output.length);
    store.samples.clearSamples(run);
    store.samples.ingest({
      runId: run,
      generator: 0,
      stream: 'stdout',
      offset: output.length,
      bytes: new Uint8Array(),
      samples: parseLines(Buffer.from(raw).toString('latin1')),
    });
    store.samples.seal(run);
    for (const metric of METRICS) {
      expect(Array.from(store.samples.series(run, metric)[0]?.v ?? [])).toEqual(right(metric));
    }
  });
});

describe('intact chunks in the wrong place', () => {
  const expectDamage = (change: string, wanted: Partial<SampleDamage>): void => {
    store.samples.seal(run);
    behind((db) => db.exec(change));
    expect(problemFrom(() => store.samples.series(run, 'tps'))).toMatchObject({
      code: 'store-corrupt',
      details: wanted,
    });
  };
  const chunk = (metric: string, first: number): string =>
    `(SELECT chunk.id FROM chunk JOIN metric ON metric.id = metric_id WHERE name = '${metric}' AND first = ${first})`;
  const copy = (from: string, to: string): string =>
    `UPDATE chunk SET (data, checksum) = (SELECT data, checksum FROM chunk WHERE id = ${from}) WHERE id = ${to};`;

  it('are detected if swapped between metrics', () =>
    expectDamage(copy(chunk('latency_p95_ms', 0), chunk('tps', 0)), { metric: 'tps', first: 0 }));
  it('are detected if swapped between seconds', () =>
    expectDamage(copy(chunk('tps', 0), chunk('tps', 1024)), { metric: 'tps', first: 1024 }));
  it('are detected if missing', () =>
    expectDamage(`DELETE FROM chunk WHERE id = ${chunk('tps', 1024)}`, { metric: 'tps' }));
  it('are detected if missing with their times', () =>
    expectDamage(`DELETE FROM chunk WHERE id = ${chunk('t', 1024)}`, { first: 1024, last: 2047 }));
});

describe('rows that are not sealed yet', () => {
  it.each([
    ['changed', `UPDATE tail SET data = zeroblob(length(data)) WHERE row = 2500`],
    ['at another time', 'UPDATE tail SET t = t + 1 WHERE row = 2500'],
    ['missing', 'DELETE FROM tail WHERE row = 2500'],
  ])('%s are damaged', (_, change) => {
    behind((db) => db.exec(change));
    expect(problemFrom(() => store.samples.series(run, 'tps'))).toMatchObject({
      code: 'store-corrupt',
      details: { first: 2500, last: 2500 },
    });
    expect(store.samples.readable(run, 'tps').series[0]?.v.length).toBe(LINES - 1);
  });
});

describe('raw output', () => {
  it.each([
    ['packed', true],
    ['as it came', false],
  ])('%s is checked by chunk, and the rest can be read', (_, sealed) => {
    if (sealed) store.samples.seal(run);
    const piece = behind((db) => {
      const last = db
        .prepare<[], { id: number; offset: number; data: Buffer }>(
          'SELECT id, offset, data FROM raw ORDER BY offset DESC',
        )
        .get();
      if (last === undefined) throw new Error('There is no output.');
      last.data[last.data.length - 1] = (last.data.at(-1) ?? 0) ^ 16;
      db.prepare('UPDATE raw SET data = ? WHERE id = ?').run(last.data, last.id);
      return last;
    });
    const problem = problemFrom(() => store.samples.raw(run, 0, 'stdout', 0, output.length));
    expect(problem).toMatchObject({ code: 'store-corrupt', run, details: { name: 'stdout', from: piece.offset } });
    const rest = store.samples.raw(run, 0, 'stdout', 0, piece.offset);
    expect(Buffer.from(rest).equals(output.subarray(0, piece.offset))).toBe(true);
  });
});
