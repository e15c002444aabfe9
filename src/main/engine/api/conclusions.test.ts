import { afterEach, beforeEach, expect, it } from 'vitest';
import { contract } from '../../../shared/contract/index.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { StepResult } from '../../../shared/model/result.ts';
import { connect } from '../../../shared/rpc/client.ts';
import { serve } from '../../../shared/rpc/server.ts';
import { memoryTransports } from '../../../shared/rpc/transports.ts';
import { normalFrom, uslRate } from '../../../shared/stats/testing/load-worlds.ts';
import { randomFrom } from '../../../shared/util/numbers.ts';
import { cellsOf, experimentOf, storeSession } from '../figures/testing/measured.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { createApi } from './index.ts';
import { openApi } from './testing/open-api.ts';

const SEED = 20_263;
const SECONDS = 60;
const WARMUP = 10;

let folder: ReturnType<typeof libraryFolder>;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(() => folder.remove());

interface World {
  factors: Record<string, (string | number)[]>;
  options?: Record<string, string | number>;
  /** True throughput of a cell at a second. */
  truth: (levels: Record<string, unknown>, t: number) => number;
}

/** What the engine answers of three repeats a cell, second by second, with 1 % noise. */
async function resultOf({ factors, options = {}, truth }: World): Promise<StepResult> {
  const normal = normalFrom(randomFrom(SEED));
  const plain = experimentOf(factors, options);
  const experiment: Experiment = { ...plain, measure: { ...plain.measure, warmup: WARMUP, duration: SECONDS } };
  const cells = cellsOf(factors);
  const runs = [0, 1, 2].flatMap((repeat) =>
    cells.map(({ index, levels }) => ({
      cell: index,
      repeat,
      seconds: {
        tps: Array.from({ length: WARMUP + SECONDS }, (_, at) => truth(levels, at + 1) * (1 + 0.01 * normal())),
      },
    })),
  );
  const store = openStore(folder.path);
  const sessionId = storeSession(store, cells, runs, experiment);
  store.close();
  const engine = await createApi({
    dataDir: folder.path,
    assetsDir: '.',
    nodePath: process.execPath,
    version: '0',
    mode: 'test',
    clock: { now: () => 0, monotonic: () => 0 },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  try {
    const [near, far] = memoryTransports();
    serve(contract, engine.implementation, far);
    return await connect(contract, near).results.session({ sessionId });
  } finally {
    await engine.close();
  }
}

const THREADS = [1, 2, 4, 8, 16, 32, 64, 128];
const peaked = ({ threads }: Record<string, unknown>): number => uslRate(Number(threads), 1000, 0.02, 0.0006);

it('finds the knee and the peak of an option that is a load', async () => {
  const { factors, scaling, steadiness, findings } = await resultOf({ factors: { threads: THREADS }, truth: peaked });
  expect(factors).toEqual([{ name: 'threads', levels: THREADS, load: 'concurrency' }]);
  expect(scaling?.[0]?.knee).toMatchObject({ verdict: 'found', load: 32 });
  expect(scaling?.[0]?.usl?.peak.value).toBeCloseTo(Math.sqrt(0.98 / 0.0006), 0);
  expect(steadiness?.every(({ verdict }) => verdict === 'settled')).toBe(true);
  expect(findings).toBeUndefined();
});

it('finds no knee of an option that is no load, nor where a rate is held', async () => {
  const size = await resultOf({ factors: { 'table-size': [1000, 2000, 4000, 8000] }, truth: () => 500 });
  expect(size.scaling).toBeUndefined();
  const held = await resultOf({ factors: { threads: THREADS }, options: { rate: 500 }, truth: () => 500 });
  expect(held.scaling?.[0]?.knee.verdict).toBe('unsure');
});

it('does not let throughput pass that nears its level with τ = 30 s', async () => {
  const { steadiness, findings } = await resultOf({
    factors: { threads: [8] },
    truth: (_levels, t) => 1000 * (1 - 0.6 * Math.exp(-t / 30)),
  });
  expect(steadiness?.[0]).toMatchObject({ verdict: 'trend' });
  expect(findings?.map(({ code, severity }) => [code, severity])).toEqual([['not-settled', 'warn']]);
});

it('keeps a note that is set afterwards with the run of its moment, or with none between two', async () => {
  const store = openStore(folder.path);
  const runs = [10_000, 20_000].map((startedAt, repeat) => ({
    ...{ cell: 0, repeat, startedAt },
    seconds: { tps: [1, 2, 3] },
  }));
  const id = storeSession(store, cellsOf({}), runs, experimentOf({}));
  const [first, second] = store.runs.ofSession(id);
  for (const run of [first, second]) if (run) store.runs.update(run.id, { endedAt: (run.startedAt ?? 0) + 3000 });
  store.close();
  const api = await openApi(folder.path);
  try {
    const { client } = api.page();
    for (const at of [12_500, 16_000, 21_000]) await client.sessions.addNote({ id, message: `at ${at}`, at });
    const notes = await client.sessions.events({ id, kinds: ['note'] });
    expect(notes.map(({ at, runId, t }) => [at, runId, t])).toEqual([
      [12_500, first?.id, 2.5],
      [16_000, undefined, undefined],
      [21_000, second?.id, 1],
    ]);
  } finally {
    await api.close();
  }
});
