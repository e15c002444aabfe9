import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { expectSame, expectSameSeconds, secondsPrinted } from '../../scripts/test/recorded.ts';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { addBed, type DatabaseBed, jobOutputs, startDatabaseBed } from './testing/database-bed.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { ended, until } from './testing/session.ts';

let bed: DatabaseBed;
let engine: TestEngine;
beforeAll(async () => {
  bed = await startDatabaseBed();
  engine = await startEngine();
  await addBed(engine.client, bed);
});
afterAll(async () => {
  await engine?.close();
  await bed?.close();
});

const document = (factors: string, extra = ''): string => `kneepoint: 1
name: Walk
workload:
  tool: sysbench
  options: { script: oltp_read_only, tables: 2, table-size: 1000, rate: 20${extra} }
where: { generators: [loadgen], target: mariadb }
factors:
${factors}
measure: { warmup: 1, duration: 3, repeats: 2 }
`;

it('knows host and target after a test', async () => {
  const host = (await engine.client.hosts.list({})).find(({ spec }) => spec.name === 'loadgen');
  const tested = await engine.client.hosts.test({ id: host?.id ?? 0 });
  if (tested.result !== 'ok') throw new Error(JSON.stringify(tested));
  expect(tested.facts.tools.find(({ tool }) => tool === 'sysbench')).toMatchObject({ found: true, version: '1.0.20' });
  const [target] = await engine.client.targets.list({});
  const reached = await engine.client.targets.test({ id: target?.id ?? 0 });
  if (reached.result !== 'ok') throw new Error(JSON.stringify(reached));
  expect(reached.description.version).toMatch(/^10\.11/);
  expect(reached.description.settings.length).toBeGreaterThanOrEqual(10);
});

it('keeps what a test before saving found of the host, for just what was tested', async () => {
  const { client } = engine;
  const saved = (await client.hosts.list({})).find(({ spec }) => spec.name === 'loadgen');
  if (saved?.spec.kind !== 'ssh') throw new Error('The generator is there.');
  const tested = { ...saved.spec, name: 'tested' };
  const refused = await client.hosts.testSpec({ spec: { ...tested, port: 1 } });
  expect(refused).toMatchObject({ result: 'failed', problem: { code: 'host-refused' } });
  // Nothing can run on a host that is not saved.
  expect(refused.result === 'failed' && refused.problem.safe).toBeUndefined();
  expect(await client.hosts.testSpec({ spec: tested })).toMatchObject({ result: 'ok' });
  const changed = await client.hosts.save({ spec: { ...tested, name: 'changed since' } });
  expect(await client.hosts.facts({ id: changed.id })).toEqual({});
  const kept = await client.hosts.save({ spec: tested });
  expect((await client.hosts.facts({ id: kept.id })).facts?.cpuCount).toBeGreaterThan(0);
  for (const { id } of [changed, kept]) await client.hosts.remove({ id });
});

atNight(it)(
  'prepares data, runs a matrix through SSH, and its figures agree with what sysbench itself sums up',
  async () => {
    const { client } = engine;
    const text = document('  - { name: threads, levels: [1, 2] }\n  - { name: rand-type, levels: [uniform, special] }');
    const before = Date.now();
    const { id } = await client.sessions.start({ text });
    await until(engine.client, id, ended);
    const { session } = await client.sessions.get({ id });
    expect(session.state, session.message).toBe('done');
    // Use by a session counts as a test.
    const generator = (await client.hosts.list({})).find(({ spec }) => spec.name === 'loadgen');
    const { facts } = await client.hosts.facts({ id: generator?.id ?? 0 });
    expect(facts?.readAt).toBeGreaterThanOrEqual(before);
    const runs = await client.sessions.runs({ id });
    expect(runs).toHaveLength(8);
    const outputs = jobOutputs(bed.generator);
    for (const run of runs) {
      expect(run.state).toBe('done');
      const [series] = await client.results.series({ runIds: [run.id], metrics: ['tps'] });
      const raw = await client.results.raw({ runId: run.id, stream: 'stdout' });
      expectSame(
        'outputs of the host that are the stored one',
        [...outputs.values()].filter((output) => output.equals(raw.bytes)).length,
        1,
      );
      // Everything that sysbench printed, for each second and in total.
      const printed = new TextDecoder().decode(raw.bytes);
      const eachSecond = secondsPrinted(printed, 'tps');
      expect(eachSecond).not.toEqual([]);
      expectSameSeconds(series, eachSecond);
      // The final report; the one before it is of the warm-up.
      const totals = [...printed.matchAll(/transactions: +\d+ +\(([\d.]+) per sec/g)];
      expectSame('transactions per second of the whole', run.summary.tps, Number(totals.at(-1)?.[1]));
      expect(run.command).not.toContain(bed.database.password);
    }
    const csv = new TextDecoder().decode((await client.reports.make({ sessionId: id, format: 'csv' })).bytes);
    const [head = '', ...lines] = csv.trim().split('\r\n');
    expectSame(
      'lines of the CSV of every second',
      lines.length,
      runs.reduce((sum, run) => sum + run.seconds, 0),
    );
    const column = head.split(',').indexOf('tps');
    const [firstRun] = runs;
    const [series] = await client.results.series({ runIds: [firstRun?.id ?? 0], metrics: ['tps'] });
    const fromCsv = lines
      .filter((line) => line.split(',')[1] === String(firstRun?.id))
      .map((line) => Number(line.split(',')[column]));
    expectSame('seconds of the first run in the CSV', fromCsv, [...(series?.v ?? [])]);
    const cells = new TextDecoder().decode((await client.reports.make({ sessionId: id, format: 'csv-cells' })).bytes);
    const result = await client.results.session({ sessionId: id });
    for (const cell of result.cells) expect(cells).toContain(String(cell.value));
  },
);

it('uses data that is there, refuses data of another size, and names a table that is missing', async () => {
  const { client } = engine;
  const factors = '  - { name: threads, levels: [1] }';
  const { id } = await client.sessions.start({ text: document(factors).replace('repeats: 2', 'repeats: 1') });
  expect((await until(client, id, ended)).state).toBe('done');
  const preflight = async (text: string) => {
    let lines: Awaited<ReturnType<typeof client.experiments.list>> | unknown[] = [];
    for await (const list of client.experiments.preflight({ text })) lines = list;
    return lines as { id: string; state: string; finding?: { code: string; message: string } }[];
  };
  const same = await preflight(document(factors));
  expect(same.find(({ id }) => id === 'data')?.state).toBe('ok');
  const other = await preflight(document(factors, ', table-size: 500').replace('table-size: 1000, ', ''));
  expect(other.find(({ id }) => id === 'data')).toMatchObject({ state: 'block', finding: { code: 'data-mismatch' } });
  await expect(
    client.sessions.start({ text: document(factors).replace('tables: 2', 'tables: 3') }),
  ).rejects.toMatchObject({
    problem: { code: 'preflight-refused' },
  });
});

it('names the cause for a wrong password, a missing database and an unknown option', async () => {
  const { client } = engine;
  const [target] = await client.targets.list({});
  if (!target) throw new Error('there is a target');
  const wrong = await client.targets.testSpec({ spec: target.spec, secret: 'not-it' });
  expect(wrong).toMatchObject({ result: 'failed', problem: { code: 'target-auth-failed' } });
  const spec = { ...target.spec, config: { ...target.spec.config, database: 'nowhere' } };
  expect(await client.targets.testSpec({ spec, secret: bed.database.password })).toMatchObject({ result: 'failed' });
  const { problems } = await client.experiments.check({ text: document('  - { name: threds, levels: [1] }') });
  expect(problems[0]).toMatchObject({ line: 8, message: expect.stringContaining('Did you mean “threads”') });
});

it('pauses after a trial, resumes, skips and stops', async () => {
  const { client } = engine;
  const text = document('  - { name: threads, levels: [1, 2, 3] }')
    .replace('repeats: 2', 'repeats: 1')
    .replace('duration: 3', 'duration: 600');
  const { id } = await client.sessions.start({ text });
  let paused = false;
  let skipped = false;
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'run' && event.run.state === 'running' && event.run.seconds >= 2) {
      if (!skipped) {
        skipped = true;
        await client.sessions.pause({ id });
        await client.sessions.skip({ id });
      } else if (paused && event.run.trial === 1) await client.sessions.stop({ id });
    }
    if (event.kind === 'session' && event.session.state === 'paused' && !paused) {
      paused = true;
      await client.sessions.resume({ id });
    }
  }
  const runs = await client.sessions.runs({ id });
  expect(runs.map((run) => run.state)).toEqual(['skipped', 'stopped', 'skipped']);
  expect(runs[0]?.partial).toBe(true);
  expect(runs[0]?.seconds).toBeGreaterThanOrEqual(2);
  expect((await client.sessions.get({ id })).session.state).toBe('stopped');
});

it('keeps measured data when the server dies in the middle, and reports it', async () => {
  const { client } = engine;
  const text = document('  - { name: threads, levels: [2] }')
    .replace('repeats: 2', 'repeats: 1')
    .replace('duration: 3', 'duration: 600');
  const { id } = await client.sessions.start({ text });
  let killed = false;
  onTestFinished(() => bed.database.restart());
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'run' && event.run.state === 'running' && event.run.seconds >= 3 && !killed) {
      killed = true;
      await bed.database.kill('SIGKILL');
    }
  }
  const [run] = await client.sessions.runs({ id });
  expect(run).toMatchObject({ state: 'failed', partial: true });
  expect(run?.seconds).toBeGreaterThanOrEqual(3);
  expect(run?.message).toMatch(/server|connection/i);
});
