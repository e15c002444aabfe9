import { afterEach, beforeEach, expect, it } from 'vitest';
import { contract } from '../../../shared/contract/index.ts';
import { answerSentences } from '../../../shared/model/answer.ts';
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
  measure?: Partial<Experiment['measure']>;
}

/** Result of three repeats per cell, second by second, with 1 % noise. */
const resultOf = (world: World): Promise<StepResult> =>
  answersOf(world, ({ results }, sessionId) => results.session({ sessionId }));

async function answersOf<Answer>(
  { factors, options = {}, truth, measure }: World,
  ask: (engine: ReturnType<typeof connect<typeof contract>>, sessionId: number) => Promise<Answer>,
): Promise<Answer> {
  const normal = normalFrom(randomFrom(SEED));
  const plain = experimentOf(factors, options);
  const experiment: Experiment = {
    ...plain,
    measure: { ...plain.measure, warmup: WARMUP, duration: SECONDS, ...measure },
  };
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
    return await ask(connect(contract, near), sessionId);
  } finally {
    await engine.close();
  }
}

const THREADS = [1, 2, 4, 8, 16, 32, 64, 128];
const peaked = ({ threads }: Record<string, unknown>): number => uslRate(Number(threads), 1000, 0.02, 0.0006);

it('finds the knee and the peak over an option that is a load', async () => {
  const { factors, scaling, steadiness, findings } = await resultOf({ factors: { threads: THREADS }, truth: peaked });
  expect(factors).toEqual([{ name: 'threads', levels: THREADS, load: 'concurrency' }]);
  expect(scaling?.[0]?.knee).toMatchObject({ verdict: 'found', load: 32 });
  expect(scaling?.[0]?.usl?.peak.value).toBeCloseTo(Math.sqrt(0.98 / 0.0006), 0);
  expect(steadiness?.every(({ verdict }) => verdict === 'settled')).toBe(true);
  expect(findings).toBeUndefined();
});

it('finds no knee over other options, or if the rate is fixed', async () => {
  const size = await resultOf({ factors: { 'table-size': [1000, 2000, 4000, 8000] }, truth: () => 500 });
  expect(size.scaling).toBeUndefined();
  const held = await resultOf({ factors: { threads: THREADS }, options: { rate: 500 }, truth: () => 500 });
  expect(held.scaling?.[0]?.knee.verdict).toBe('unsure');
});

it('does not accept throughput that still approaches its level with τ = 30 s', async () => {
  const { steadiness, findings } = await resultOf({
    factors: { threads: [8] },
    truth: (_levels, t) => 1000 * (1 - 0.6 * Math.exp(-t / 30)),
  });
  expect(steadiness?.[0]).toMatchObject({ verdict: 'trend' });
  expect(findings?.map(({ code, severity }) => [code, severity])).toEqual([['not-settled', 'warn']]);
});

it('names an unsteady cell by the factors in which cells differ', async () => {
  const truth = (_: Record<string, unknown>, t: number): number => (t % 10 === 0 ? 200 : 2000);
  const { findings = [] } = await resultOf({ factors: { disk: ['a', 'b'], size: [10] }, truth });
  const messages = findings.map(({ message }) => message);
  expect(messages).toContainEqual(expect.stringMatching(/^disk [ab]: throughput falls by 90 % every 10 s/));
  expect(messages.join()).not.toContain('size');
});

it('assigns a later note to the run at its time, or to none between two runs', async () => {
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

it('answers by steadiness if the document asks for it, in results, list and report, even if another level is faster', async () => {
  // The second disk writes twice as much, and every tenth second hardly anything.
  const truth = ({ disk }: Record<string, unknown>, t: number): number =>
    disk === 'calm' ? 1000 : t % 10 === 0 ? 200 : 2000;
  const world: World = { factors: { disk: ['calm', 'uneven'] }, truth, measure: { answer: 'steadiness' } };
  const { result, rate, listed } = await answersOf(world, async ({ results, sessions }, sessionId) => ({
    result: await results.session({ sessionId }),
    rate: await results.session({ sessionId, metric: 'tps' }),
    listed: (await sessions.get({ id: sessionId })).session,
  }));
  if (result.metric === null || rate.metric === null) throw new Error('Nothing was measured.');
  expect(result).toMatchObject({ metric: 'variation_pct', overTime: 'tps', best: { cell: 0 } });
  const [effect, ...more] = answerSentences(result);
  expect(effect).toMatch(/^disk uneven is less steady than calm: ×[2-3]\d.* the variation \(/);
  expect(more).toEqual([
    'No stalls: no second passed without an event.',
    'Regular dips: uneven every 10 s, 90 % deep.',
  ]);
  expect(listed.answer).toBe(effect);
  // Lists show the best rate, as the tool has it.
  expect(listed).toMatchObject({ primaryMetric: 'tps', best: { levels: { disk: 'uneven' } } });
  expect(answerSentences(rate)[0]).toMatch(/^disk uneven is faster than calm: ×1\.8/);
});

it('answers by throughput if trials are too short to show how much they vary, and reports it', async () => {
  const world: World = {
    factors: { disk: ['a', 'b'] },
    truth: () => 1000,
    measure: { answer: 'steadiness', duration: 10 },
  };
  const result = await resultOf(world);
  expect(result).toMatchObject({ metric: 'tps' });
  expect(answerSentences(result).at(-1)).toMatch(/^Answered by throughput instead of steadiness: 10 s is too short/);
});
