import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { ExportFormat } from '../../../shared/contract/reports.ts';
import type { Experiment } from '../../../shared/model/experiment.ts';
import type { SessionStep } from '../../../shared/model/plan.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { cellsOf, experimentOf, type Measured, storeSession } from '../figures/testing/measured.ts';
import { JUDGEMENT_VERSION } from '../judging/index.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { type OpenApi, openApi } from './testing/open-api.ts';

/** Both tools report a latency by the same name. */
const OLTP: SessionStep = { tool: 'sysbench', metric: 'tps' };
const DISK: SessionStep = { tool: 'fio', metric: 'iops' };
const FILL: SessionStep = { tool: 'fio', metric: 'write_mib_s', measured: false };

const constant = (value: number): number[] => [0, 0, value, value, value, value];
const oltp = (cell: number, repeat: number, step = 0): Measured => ({
  ...{ cell, repeat, step, summary: { ignored_errors_total: cell } },
  seconds: { tps: constant(100 * (cell + 1) + repeat), latency_p95_ms: constant(10 + cell) },
});
const disk = (cell: number, repeat: number, step = 1): Measured => ({
  ...{ cell, repeat, step, summary: { ignored_errors_total: 99 } },
  seconds: { iops: constant(9000 - cell), latency_p95_ms: constant(1 + cell) },
});

const FACTORS = { threads: [1, 2] };
let folder: ReturnType<typeof libraryFolder>;
let api: OpenApi;
let client: Client<AppContract>;

/** A session of two cells with two repeats each; `trial` creates a trial from cell and repeat. */
function stored(
  steps: readonly SessionStep[],
  trial: (cell: number, repeat: number) => Measured[],
  document: Experiment['steps'] = undefined,
  factors: Parameters<typeof experimentOf>[0] = FACTORS,
): number {
  const runs = [0, 1].flatMap((repeat) => [0, 1].flatMap((cell) => trial(cell, repeat)));
  const store = openStore(folder.path);
  try {
    const experiment = { ...experimentOf(factors), ...(document && { steps: document }) };
    return storeSession(store, cellsOf(factors), runs, experiment, undefined, steps);
  } finally {
    store.close();
  }
}

async function open(): Promise<void> {
  api = await openApi(folder.path);
  client = api.page().client;
}

beforeEach(() => {
  folder = libraryFolder();
});
afterEach(async () => {
  await api.close();
  folder.remove();
});

describe('a session whose trials have two steps of different tools', () => {
  let id: number;
  beforeEach(async () => {
    id = stored([OLTP, DISK], (cell, repeat) => [oltp(cell, repeat), disk(cell, repeat)]);
    await open();
  });

  it('counts trials instead of runs and lists the tools of both steps', async () => {
    const { session } = await client.sessions.get({ id });
    expect(session).toMatchObject({
      ...{ steps: [OLTP, DISK], tool: 'sysbench', primaryMetric: 'tps' },
      ...{ trialsTotal: 4, trialsEnded: 4, trialsFailed: 0 },
    });
    expect(session).not.toHaveProperty('trialsMissing');
    const runs = await client.sessions.runs({ id });
    expect(runs.map(({ trial, step = 0 }) => [trial, step])).toEqual(
      [0, 1, 2, 3].flatMap((trial) => [
        [trial, 0],
        [trial, 1],
      ]),
    );
  });

  const valuesOf = async (asked: { step?: number; metric?: string }) => {
    const { metric, metrics, cells, step } = await client.results.session({ sessionId: id, ...asked });
    return {
      metric,
      metrics,
      step,
      values: cells.map(({ value }) => value),
      runs: cells.map(({ runs }) => runs.length),
    };
  };

  it('has figures by step and metric', async () => {
    const first = { metrics: ['tps', 'latency_p95_ms'], step: undefined, runs: [2, 2] };
    const second = { metrics: ['iops', 'latency_p95_ms'], step: 1, runs: [2, 2] };
    expect(await valuesOf({})).toEqual({ ...first, metric: 'tps', values: [100.5, 200.5] });
    expect(await valuesOf({ step: 1 })).toEqual({ ...second, metric: 'iops', values: [9000, 8999] });
    expect(await valuesOf({ metric: 'latency_p95_ms' })).toMatchObject({ ...first, values: [10, 11] });
    expect(await valuesOf({ step: 1, metric: 'latency_p95_ms' })).toMatchObject({ ...second, values: [1, 2] });
  });

  it('counts the errors that the tool of each step reports', async () => {
    const errors = async (step: number) =>
      (await client.results.session({ sessionId: id, step })).cells.map((cell) => cell.errors);
    expect([await errors(0), await errors(1)]).toEqual([
      [0, 2],
      [0, 0],
    ]);
  });

  it('has a headline of each step and lists that of the first', async () => {
    const headline = { sparkline: [100.5, 200.5], best: { value: 200.5, levels: { threads: 2 } } };
    expect(await client.results.headline({ sessionId: id })).toMatchObject(headline);
    expect(await client.results.headline({ sessionId: id, step: 1 })).toMatchObject({
      ...{ sparkline: [9000, 8999], best: { value: 9000, levels: { threads: 1 } } },
    });
    await client.sessions.figures({ ids: [id] });
    expect(await client.sessions.list({})).toMatchObject([headline]);
  });

  it('shows all steps side by side with a column for each level', async () => {
    expect(await client.results.steps({ sessionId: id, baselines: { threads: 1 } })).toMatchObject({
      ...{ factor: 'threads', levels: [1, 2], baseline: 1 },
      lines: [
        { step: 0, name: 'step 1', metric: 'tps', levels: {}, cells: [{ value: 100.5 }, { value: 200.5 }] },
        { step: 1, name: 'step 2', metric: 'iops', levels: {}, cells: [{ value: 9000 }, { value: 8999 }] },
      ],
      sentences: [expect.stringMatching(/^threads 2: geometric mean ×1\.41, 2 of 2 between ×1\.00 and ×2\.00, /)],
    });
  });

  it('refuses an unknown step', async () => {
    await expect(client.results.session({ sessionId: id, step: 2 })).rejects.toThrow(
      `Trials of session ${id} have 2 steps, but no step 3.`,
    );
  });

  it('is compared step by step', async () => {
    const compared = async (step: number) => {
      const { metric, cells } = await client.results.compareLevels({
        sessionId: id,
        step,
        factor: 'threads',
        level: 1,
      });
      return [metric, cells.map(({ baseline, other }) => [baseline?.value, other?.value])];
    };
    expect(await compared(0)).toEqual(['tps', [[100.5, 200.5]]]);
    expect(await compared(1)).toEqual(['iops', [[9000, 8999]]]);
  });

  const report = async (format: ExportFormat): Promise<string> =>
    Buffer.from((await client.reports.make({ sessionId: id, format })).bytes).toString();
  const table = async (format: ExportFormat): Promise<Record<string, string>[]> => {
    const [head = '', ...lines] = (await report(format)).trimEnd().split('\r\n');
    return lines.map((line) => {
      const fields = line.split(',');
      return Object.fromEntries(head.split(',').map((name, index) => [name, fields[index] ?? '']));
    });
  };

  it('is exported step by step as CSV', async () => {
    const cells = await table('csv-cells');
    const of = (step: string, metric: string) =>
      cells.filter((line) => line.step === step && line.metric === metric).map(({ tool, value }) => `${tool} ${value}`);
    expect(of('1', 'tps')).toEqual(['sysbench 100.5', 'sysbench 200.5']);
    expect(of('2', 'iops')).toEqual(['fio 9000', 'fio 8999']);
    expect([of('1', 'latency_p95_ms'), of('2', 'latency_p95_ms')]).toEqual([
      ['sysbench 10', 'sysbench 11'],
      ['fio 1', 'fio 2'],
    ]);
    expect([of('2', 'tps'), of('1', 'iops')]).toEqual([[], []]);
    expect(of('2', 'ignored_errors_total')).toEqual(['fio 99', 'fio 99']);

    const seconds = (await table('csv')).filter(({ trial, second }) => trial === '1' && second === '3');
    expect(seconds).toMatchObject([
      { step: '1', tool: 'sysbench', tps: '100', iops: '', latency_p95_ms: '10' },
      { step: '2', tool: 'fio', tps: '', iops: '9000', latency_p95_ms: '1' },
    ]);
  });

  it('is exported step by step as JSON', async () => {
    const { session, results, runs } = JSON.parse(await report('json'));
    expect(session.steps).toEqual([OLTP, DISK]);
    const latencies = results.filter(({ metric }: { metric: string }) => metric === 'latency_p95_ms');
    expect(latencies).toMatchObject([
      { cells: [{ value: 10 }, { value: 11 }] },
      { step: 1, cells: [{ value: 1 }, { value: 2 }] },
    ]);
    expect(runs.slice(0, 2)).toMatchObject([
      { trial: 0, series: [{ metric: 'tps' }, { metric: 'latency_p95_ms' }] },
      { trial: 0, step: 1, series: [{ metric: 'latency_p95_ms' }, { metric: 'iops' }] },
    ]);
  });
});

it('shows the first measured step if another one precedes it', async () => {
  const id = stored([FILL, OLTP], (cell, repeat) => [
    { cell, repeat, seconds: { write_mib_s: constant(5) } },
    oltp(cell, repeat, 1),
  ]);
  await open();
  expect((await client.sessions.get({ id })).session).toMatchObject({ tool: 'sysbench', primaryMetric: 'tps' });
  expect(await client.results.session({ sessionId: id })).toMatchObject({
    step: 1,
    metric: 'tps',
    best: { value: 200.5 },
  });
  expect(await client.results.session({ sessionId: id, step: 0 })).toMatchObject({ metric: 'write_mib_s' });
});

it('answers in lists over all measured steps, as above its table', async () => {
  const settings = { flush: ['each commit', 'each second'] };
  const id = stored(
    [OLTP, FILL, DISK],
    (cell, repeat) => [
      oltp(cell, repeat),
      { cell, repeat, step: 1, seconds: { write_mib_s: constant(5) } },
      disk(cell, repeat, 2),
    ],
    undefined,
    settings,
  );
  await open();
  const { sentences } = await client.results.steps({ sessionId: id });
  expect(sentences).toHaveLength(1);
  expect(sentences[0]).toMatch(/^flush each second: geometric mean ×1\.41, 2 of 2 between/);
  await client.sessions.figures({ ids: [id] });
  expect((await client.sessions.list({})).map(({ answer }) => answer)).toEqual([sentences.join(' ')]);
});

it('shows all steps side by side by cost per operation, also in CSV', async () => {
  const id = stored([OLTP, DISK], (cell, repeat) => [oltp(cell, repeat), disk(cell, repeat)]);
  const store = openStore(folder.path);
  for (const run of store.runs.ofSession(id)) {
    const cpu = { id: 'cpu_us_server', label: 'CPU of the server', unit: 'µs', digits: 1, formula: '', from: [] };
    const bound = {
      verdict: 'not-known' as const,
      share: 1,
      sentence: '',
      evidence: [],
      runnersUp: [],
      notWatched: [],
    };
    // A statement takes 200 µs with one thread and 300 µs with two; the disk’s step has no costs.
    const operations = run.step === 0 ? [{ ...cpu, value: 200 + 100 * run.cell }] : [];
    store.judgements.set(run.id, { version: JUDGEMENT_VERSION, warmup: run.warmup, operations, bound });
  }
  store.close();
  await open();
  const asked = { sessionId: id, baselines: { threads: 1 } };
  const costs = [{ id: 'cpu_us_server', label: 'CPU of the server per operation', unit: 'µs' }];
  expect(await client.results.steps(asked)).toMatchObject({ costs, lines: [{ metric: 'tps' }, { metric: 'iops' }] });
  expect(await client.results.steps({ ...asked, per: 'cpu_us_server' })).toMatchObject({
    ...{ costs, per: costs[0] },
    lines: [{ name: 'step 1', cells: [{ value: 200 }, { value: 300, ratio: expect.closeTo(1.5, 6) }] }],
  });
  await expect(client.results.steps({ ...asked, per: 'reads' })).rejects.toThrow('It has: cpu_us_server.');
  const csv = Buffer.from((await client.reports.make({ sessionId: id, format: 'csv-cells' })).bytes).toString();
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  const [step, metric, per] = ['step', 'metric', 'cpu_us_server_per_operation'].map((name) =>
    head.split(',').indexOf(name),
  );
  const of = (fields: readonly string[]) => `${fields[step ?? -1]} ${fields[per ?? -1]}`;
  const first = lines
    .map((line) => line.split(','))
    .filter((fields) => /^(tps|iops)$/.test(fields[metric ?? -1] ?? ''));
  expect(first.map(of)).toEqual(['1 200', '1 300', '2 ', '2 ']);
});

it('shows the name of a group and names its steps in full in CSV', async () => {
  const group = { name: 'first', options: {}, each: [{ name: 'load', options: {} }] };
  const again = { name: 'second', same: 'first', options: {} };
  const id = stored(
    [
      { ...OLTP, name: 'first / load' },
      { ...OLTP, name: 'second / load' },
    ],
    (cell, repeat) => [oltp(cell, repeat), oltp(cell, repeat, 1)],
    [group, again],
  );
  await open();
  expect(await client.results.steps({ sessionId: id, baselines: { threads: 1 } })).toMatchObject({
    lines: [
      { name: 'first / load', group: 'first' },
      { name: 'second / load', group: 'second', same: 'first / load' },
    ],
    groups: [
      { name: 'first', cells: [{}, { ratio: expect.closeTo(2, 1) }] },
      { name: 'second', cells: [{ again: 1 }, { again: 1 }] },
    ],
  });
  const csv = Buffer.from((await client.reports.make({ sessionId: id, format: 'csv-cells' })).bytes).toString();
  const [head = '', ...lines] = csv.split('\r\n');
  const place = head.split(',').indexOf('step_name');
  expect(new Set(lines.filter(Boolean).map((line) => line.split(',')[place]))).toEqual(
    new Set(['first / load', 'second / load']),
  );
});
