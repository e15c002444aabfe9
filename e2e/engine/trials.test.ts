import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { expectSame, expectSameSeconds, secondsPrinted } from '../../scripts/test/recorded.ts';
import { ENDED_SESSION, type Run, type Session } from '../../src/shared/model/session.ts';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { addBed, type DatabaseBed, jobOutputs, startDatabaseBed } from './testing/database-bed.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

const passphrase = 'a passphrase of the vault';
let bed: DatabaseBed;
let engine: TestEngine;
beforeAll(async () => {
  bed = await startDatabaseBed();
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase });
  await addBed(engine.client, bed);
});
afterAll(async () => {
  await engine?.close();
  await bed?.close();
});

const document = (measure: string, levels = '[1]'): string => `kneepoint: 1
name: Trials
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 100, rate: 100 } }
where: { generators: [loadgen], target: mariadb }
factors: [{ name: threads, levels: ${levels} }]
measure: { ${measure} }
monitors: { generators: false, place: false }
`;

async function run(text: string, see: (run: Run) => void | Promise<void> = () => {}): Promise<[Session, Run[]]> {
  const { client } = engine;
  const { id } = await client.sessions.start({ text });
  return follow(id, see);
}
async function follow(id: number, see: (run: Run) => void | Promise<void> = () => {}): Promise<[Session, Run[]]> {
  const { client } = engine;
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'run') await see(event.run);
    if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) break;
  }
  return [(await client.sessions.get({ id })).session, await client.sessions.runs({ id })];
}

/** Resolves once the server is receiving the data. */
async function preparing(id: number): Promise<void> {
  for await (const event of engine.client.sessions.watch({ id })) {
    if (event.kind === 'log' && event.entries.some(({ message }) => message.startsWith('Preparing: '))) return;
  }
  throw new Error('Nothing was prepared.');
}

/** Text that must never be shown: stack traces, types and internal codes. */
const RAW = /\bat \w+ \(|\.ts:\d|TypeError|RangeError|undefined|\[object|ECONN|internal/;

it('stores the zeros of a stalled server as data', async () => {
  const tpsOf = async (runId: number) =>
    (await engine.client.results.series({ runIds: [runId], metrics: ['tps'] })).find(({ metric }) => metric === 'tps');
  const zerosOf = async (runId: number): Promise<number> =>
    [...((await tpsOf(runId))?.v ?? [])].filter((tps) => tps === 0).length;
  let frozen = false;
  const [session, [only]] = await run(document('duration: 12'), async ({ id, state, seconds }) => {
    if (state !== 'running' || seconds < 1) return;
    if (frozen && (await zerosOf(id)) >= 4) bed.database.thaw();
    if (!frozen) bed.database.freeze();
    frozen = true;
  });
  expect([session.state, only?.state, only?.partial]).toEqual(['done', 'done', false]);
  const series = await tpsOf(only?.id ?? 0);
  const { bytes } = await engine.client.results.raw({ runId: only?.id ?? 0, stream: 'stdout' });
  expectSameSeconds(series, secondsPrinted(new TextDecoder().decode(bytes), 'tps'));
  expect(await zerosOf(only?.id ?? 0)).toBeGreaterThanOrEqual(4);
});

it('fails cells with more connections than the server allows, explains it, measures the others, and ends as done', async () => {
  const [session, runs] = await run(document('duration: 1, order: listed', '[400, 1, 401]'));
  expect(runs.map(({ state }) => state)).toEqual(['failed', 'done', 'failed']);
  // None remains to resume with.
  expect([session.state, session.trialsFailed, session.message]).toEqual(['done', 2, undefined]);
  expect(runs[0]?.message).toMatch(/connections/i);
  expect(runs[0]?.message).not.toMatch(RAW);
});

it('waits for a server that died between trials, and continues once it is back', async () => {
  onTestFinished(async () => {
    if (!existsSync(`/proc/${bed.database.pid()}`)) await bed.database.restart();
  });
  const { client } = engine;
  const { id } = await client.sessions.start({ text: document('duration: 2, repeats: 3') });
  let killed = false;
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'session' && event.session.needs) break;
    if (event.kind === 'run' && !killed && event.run.trial === 0 && event.run.state === 'done') {
      killed = true;
      await bed.database.kill('SIGKILL');
    }
  }
  const { session } = await client.sessions.get({ id });
  expect(session).toMatchObject({ state: 'running', activity: 'Waiting for “mariadb” to accept connections' });
  expect(session.needs).toMatchObject({ code: 'target-unreachable', target: 'mariadb' });
  expect(session.needs?.message).toMatch(/^Trial \d is waiting for “mariadb” to accept connections\. \S/);
  expect(session.needs?.message).not.toMatch(RAW);
  // The one that was running, or about to start, when the server died.
  expect(session.trialsFailed).toBeLessThanOrEqual(1);
  await bed.database.restart();
  const [again, runs] = await follow(id);
  expect(again).toMatchObject({ state: 'done', trialsFailed: session.trialsFailed });
  expect(again.needs).toBeUndefined();
  expect(runs.filter(({ state }) => state === 'done')).toHaveLength(3 - session.trialsFailed);
});

it('states that no trial was measured, with the last message', async () => {
  const failing = (repeats: number): string => `kneepoint: 1
name: Nothing measured
workload: { tool: command, options: { command: exit 3 } }
where: { generators: [loadgen] }
measure: { duration: 1, repeats: ${repeats} }
`;
  const [session, runs] = await run(failing(2));
  expect([session.state, ...runs.map(({ state }) => state)]).toEqual(['done', 'failed', 'failed']);
  expect(runs[1]?.message).toContain('exit code 3');
  expect(session.message).toBe(`None of its 2 trials was measured: each failed. Last message: ${runs[1]?.message}`);
  const [only, [trial]] = await run(failing(1));
  expect(only.message).toBe(`Its only trial failed, so nothing was measured. Message: ${trial?.message}`);
});

atNight(it)('prepares data once, although the app is restarted meanwhile', async () => {
  const text = document('duration: 1').replace('tables: 1, table-size: 100', 'tables: 3, table-size: 20000');
  const jobs = jobOutputs(bed.generator).size;
  const { id } = await engine.client.sessions.start({ text: text.replace('options:', 'data: recreate, options:') });
  await preparing(id);
  // Nothing completes while the server stalls.
  bed.database.freeze();
  await engine.restart();
  bed.database.thaw();
  await engine.client.app.unlockVault({ passphrase });
  const [session, runs] = await follow(id);
  expect([session.state, session.message]).toEqual(['done', undefined]);
  expect(runs.map(({ state }) => state)).toEqual(['done']);
  // Cleaned up, prepared and measured.
  expectSame('number of launches', jobOutputs(bed.generator).size - jobs, 3);
});

it('passes a folder name with every shell character to the tool unchanged', async () => {
  const base = mkdtempSync(path.join(tmpdir(), 'kneepoint-names-'));
  const canary = path.join(base, 'canary');
  const name = `a $(touch ${canary}) \`touch ${canary}\` 'q' "d" \\ ; & | * ? # ~ %s é\n-n\tt @file@ $HOME`.replaceAll(
    '/',
    '|',
  );
  try {
    const text = `kneepoint: 1
name: Names
workload:
  tool: sysbench
  options: { script: fileio, file-total-size: 4M, file-num: 2, directory: ${JSON.stringify(path.join(base, name))} }
where: { generators: [loadgen] }
measure: { duration: 1 }
`;
    const [session, runs] = await run(text);
    expect(session.state, session.message).toBe('done');
    expect(runs[0]?.state, runs[0]?.message).toBe('done');
    expect(existsSync(canary)).toBe(false);
    expect(readdirSync(base)).toEqual([name]);
  } finally {
    rmSync(base, { recursive: true });
  }
});

it('exports, compares and shows a running session', async () => {
  const { client } = engine;
  let looked = false;
  const [before] = await run(document('duration: 1').replace('options:', 'data: recreate, options:'));
  const text = document('duration: 600').replace('options:', 'data: recreate, options:');
  const [session] = await run(text, async ({ sessionId, state, seconds }) => {
    if (looked || state !== 'running' || seconds < 3) return;
    looked = true;
    for (const format of ['csv', 'csv-cells', 'json', 'pdf'] as const) {
      const { bytes } = await client.reports.make({ sessionId, format });
      expect(bytes.length).toBeGreaterThan(50);
    }
    const result = await client.results.session({ sessionId });
    expect(result.cells[0]?.partial).toBe(true);
    const comparison = await client.results.compare({ baselineId: before.id, otherId: sessionId });
    expect(comparison.verdict).toMatch(/\.$/);
    await client.sessions.stop({ id: sessionId });
  });
  expect([looked, session.state]).toEqual([true, 'stopped']);
});
