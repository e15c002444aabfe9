import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { skipPauses } from '../../../shared/util/testing/pauses.ts';
import { cellsOf, experimentOf, storeSession } from '../figures/testing/measured.ts';
import type { EndedRun, EndedSession } from '../store/ended.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { type OpenApi, openApi } from './testing/open-api.ts';

skipPauses();

const FACTORS = { threads: [1, 2] };
const CELLS = cellsOf(FACTORS);
const STARTED = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A session measured by another system, with a tool that Kneepoint does not know. */
const imported = (over: Partial<EndedSession> = {}): EndedSession => {
  const experiment = experimentOf(FACTORS);
  return {
    ...{ uuid: 'imported', origin: 'imported', tags: ['hammer'], createdAt: STARTED },
    ...{ startedAt: STARTED, endedAt: STARTED + 60_000 },
    snapshot: {
      experiment: { ...experiment, workload: { ...experiment.workload, tool: 'hammer' } },
      experimentText: 'as another system wrote it',
      plan: { cells: CELLS, trials: [], seconds: 0, findings: [] },
      ...{ findings: [], appVersion: '0.1.0', steps: [{ tool: 'hammer', metric: 'tps' }] },
    },
    ...over,
  };
};

const runOf = (cell: number, tps: number, over: Partial<EndedRun> = {}): EndedRun => ({
  ...{ trial: cell, cell, repeat: 0, levels: CELLS[cell]?.levels ?? {}, warmup: 2, duration: 4 },
  ...{ state: 'done', summary: { total: 6 * tps }, output: Buffer.from(`${tps} tps\n`) },
  samples: Array.from({ length: 6 }, (_, index) => ({ t: index + 1, metrics: { tps } })),
  about: { startedAt: STARTED + cell * 10_000, endedAt: STARTED + cell * 10_000 + 6000 },
  ...over,
});

let folder: ReturnType<typeof libraryFolder>;
let api: OpenApi;
let client: Client<AppContract>;
let id: number;
let measured: number;

beforeEach(async () => {
  folder = libraryFolder();
  const store = openStore(folder.path);
  try {
    const failed = runOf(1, 5, {
      trial: 2,
      repeat: 1,
      state: 'failed',
      about: { message: 'It broke off.', partial: true },
    });
    id = store.insertEnded(imported(), [runOf(0, 100), runOf(1, 150), failed]).id;
    const runs = CELLS.map(({ index }) => ({ cell: index, seconds: { tps: [0, 0, 90, 90, 90, 90] } }));
    measured = storeSession(store, CELLS, runs, experimentOf(FACTORS));
  } finally {
    store.close();
  }
  api = await openApi(folder.path);
  client = api.page().client;
});
afterEach(async () => {
  await api.close();
  folder.remove();
});

describe('an imported session', () => {
  it('is listed with origin and figures, uses no host and is never pending', async () => {
    await client.sessions.figures({ ids: [id] });
    const listed = (await client.sessions.list({})).find((session) => session.id === id);
    expect(listed).toMatchObject({
      ...{ origin: 'imported', state: 'done', tool: 'hammer', primaryMetric: 'tps', tags: ['hammer'] },
      ...{ generators: [], startedAt: STARTED, endedAt: STARTED + 60_000 },
      ...{ trialsTotal: 3, trialsEnded: 3, trialsFailed: 1, trialsMissing: 1 },
      best: { value: 150, levels: { threads: 2 } },
    });
    expect(listed).not.toHaveProperty('target');
    expect((await client.sessions.list({})).find((session) => session.id === measured)).not.toHaveProperty('origin');
  });

  it('opens with document, runs, figures, seconds and raw output', async () => {
    expect(await client.sessions.get({ id })).toMatchObject({
      experimentText: 'as another system wrote it',
      hosts: [],
    });
    const runs = await client.sessions.runs({ id });
    expect(runs.map(({ state, message, partial }) => [state, message, partial])).toEqual([
      ['done', undefined, false],
      ['done', undefined, false],
      ['failed', 'It broke off.', true],
    ]);
    const { cells } = await client.results.session({ sessionId: id });
    expect(cells.map(({ value }) => value)).toEqual([100, 150]);
    const [first] = runs.map((run) => run.id) as [number];
    expect(await client.results.series({ runIds: [first], metrics: ['tps'] })).toMatchObject([
      { v: Float64Array.of(100, 100, 100, 100, 100, 100) },
    ]);
    expect(Buffer.from((await client.results.raw({ runId: first, stream: 'stdout' })).bytes).toString()).toBe(
      '100 tps\n',
    );
  });

  it('is compared with a measured session, naming both tools', async () => {
    const { cells, findings, differences } = await client.results.compare({ baselineId: measured, otherId: id });
    expect(cells.map(({ baseline, other }) => [baseline?.value, other?.value])).toEqual([
      [90, 100],
      [90, 150],
    ]);
    expect(findings.map(({ code }) => code)).toContain('different-tools');
    expect(differences).toContainEqual({ what: 'Tool', baseline: 'sysbench', other: 'hammer' });
  });

  it('is exported and reported with its origin', async () => {
    const text = async (format: 'csv' | 'csv-cells' | 'json') =>
      Buffer.from((await client.reports.make({ sessionId: id, format })).bytes).toString();
    expect((await text('csv')).split('\r\n')).toHaveLength(1 + 3 * 6 + 1);
    expect(await text('csv-cells')).toMatch(/,tps,[^\n]*,150,/);
    expect(JSON.parse(await text('json')).session).toMatchObject({ origin: 'imported' });
    expect((await client.reports.make({ sessionId: id, format: 'pdf' })).bytes.length).toBeGreaterThan(1000);
  });

  it('cannot be continued, and the refusal names its origin', async () => {
    const refusals = [
      () => client.sessions.resume({ id }),
      () => client.sessions.repeat({ id }),
      () => client.sessions.addRepeats({ id, repeats: 1 }),
      () => client.sessions.addLevels({ id, factor: 'threads', levels: '4', destroy: [] }),
    ];
    for (const refusal of refusals)
      await expect(refusal()).rejects.toMatchObject({
        ...{ code: 'conflict' },
        message: `Session ${id} cannot be continued: it was imported from another system.`,
      });
    await expect(client.sessions.reingest({ id })).rejects.toThrow('was imported');
    expect(await client.sessions.runs({ id })).toHaveLength(3);
  });

  it('cannot be started again without its tool', async () => {
    const started = client.sessions.start({ text: JSON.stringify(imported().snapshot.experiment), destroy: [] });
    await expect(started).rejects.toThrow('There is no tool named “hammer”.');
  });

  it('supports exclusions, notes, tags and removal', async () => {
    const [run] = await client.sessions.runs({ id });
    await client.sessions.exclude({ id, runIds: [run?.id ?? 0], reason: 'cold' });
    expect((await client.results.session({ sessionId: id })).cells.map(({ value }) => value)).toEqual([undefined, 150]);
    await client.sessions.remove({ id });
    expect((await client.sessions.list({})).map((session) => session.id)).toEqual([measured]);
  });
});

it('an imported session is stored completely or not at all', () => {
  const own = libraryFolder();
  onTestFinished(() => own.remove());
  const store = openStore(own.path);
  try {
    expect(() => store.insertEnded(imported(), [runOf(0, 1), runOf(1, 2, { state: 'running' })])).toThrow(
      'Trial 2 has not ended: it is running.',
    );
    expect(store.sessions.list(false).sessions).toEqual([]);
  } finally {
    store.close();
  }
});

it('an imported session does not affect estimates of trial durations', () => {
  const own = libraryFolder();
  onTestFinished(() => own.remove());
  const store = openStore(own.path);
  try {
    const experiment = experimentOf(FACTORS);
    const snapshot = { ...imported().snapshot, experiment, steps: [{ tool: 'sysbench', metric: 'tps' }] };
    const row = store.insertEnded(imported({ snapshot }), [runOf(0, 1)]);
    const like = { tool: 'sysbench', targets: row.targets, generators: row.generators };
    expect(store.sessions.doneLike(like, 9)).toEqual([]);
  } finally {
    store.close();
  }
});
