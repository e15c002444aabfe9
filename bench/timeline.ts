import { serialize } from 'node:v8';
import { runBuckets, runSeries } from '../src/main/engine/figures/index.ts';
import type { Store } from '../src/main/engine/store/store.ts';
import { median } from '../src/shared/util/numbers.ts';
import { addRuns, freshLibrary } from './library.ts';
import type { BenchRow } from './row.ts';
import { seconds } from './sysbench-like.ts';

const RUNS = 64;
const SECONDS = 36_000;
const PER_CELL = 4;
const ROUNDS = 5;
/** As requested by the page: columns of a heat map's row, and of a line. */
const COLUMNS = 240;
const POINTS = 600;

/** Sixty-four runs of ten hours on a timeline: cost in the engine, and bytes loaded by the page. */
export async function run(): Promise<BenchRow[]> {
  const { store, remove } = freshLibrary();
  try {
    const runIds = addRuns(store, RUNS);
    for (const runId of runIds) fill(store, runId);
    const cells = Array.from({ length: RUNS / PER_CELL }, (_, cell) =>
      runIds.slice(PER_CELL * cell, PER_CELL * (cell + 1)),
    );
    const asked = [
      { name: 'heat map', query: { groups: runIds.map((id) => [id]), metric: 'tps', points: COLUMNS } },
      { name: 'lines', query: { groups: cells, metric: 'tps', points: POINTS } },
    ];
    const limit = median(await rounds(() => readAll(store, runIds)));
    const rows: BenchRow[] = [];
    for (const { name, query } of asked) {
      const value = median(await rounds(() => runBuckets(store, query)));
      rows.push({ name: `Timeline of ${RUNS} runs of 10 h, ${name}`, value, unit: 'ms', limit, ratio: value / limit });
      const bytes = serialize(await runBuckets(store, query)).byteLength;
      rows.push({
        name: `Timeline of ${RUNS} runs of 10 h, ${name}, loaded`,
        value: bytes / 1024,
        unit: 'KiB',
        goal: '≤ 1,024 KiB',
      });
    }
    return rows;
  } finally {
    remove();
  }
}

function fill(store: Store, runId: number): void {
  const samples = Array.from(seconds(SECONDS, runId), ({ t, metrics }) => ({ t, metrics: { tps: metrics.tps ?? 0 } }));
  store.samples.ingest({ runId, generator: 0, stream: 'stdout', offset: 0, bytes: Buffer.alloc(0), samples });
  store.samples.seal(runId);
}

/** Limit: the same series read, without calculations. */
function readAll(store: Store, runIds: readonly number[]): void {
  for (const id of runIds) {
    const row = store.runs.get(id);
    if (!row || runSeries(store, row, 'tps')[0]?.v.length !== SECONDS) throw new Error('Not all samples came back.');
  }
}

async function rounds(work: () => unknown): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return taken;
}
