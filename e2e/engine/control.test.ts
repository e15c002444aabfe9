import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { type KillableEngine, startKillable } from './testing/killable-engine.ts';
import { ended, measuring, until } from './testing/session.ts';

let engine: TestEngine;
beforeEach(async () => {
  await engine?.close();
  engine = await startEngine();
});
afterAll(() => engine?.close());

const document = (seconds: number, extra = ''): string => `kneepoint: 1
name: Control
workload: { tool: sysbench, options: { script: cpu, cpu-max-prime: ${prime}, rate: 20 } }
where: {}
factors: [{ name: threads, levels: [1, 2] }]
measure: { duration: ${seconds}${extra} }
monitors: { generators: false, place: false }
`;
/** Identifies the processes of one test among those of the machine. */
let prime = 3000 + Math.floor(Math.random() * 1000);
beforeEach(() => {
  prime++;
});

type Client = TestEngine['client'];

const states = async (client: Client, id: number) => (await client.sessions.runs({ id })).map((run) => run.state);

/** Running load tools of this test. */
const tools = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return line.startsWith('sysbench\0') && line.includes(`--cpu-max-prime=${prime}\0`);
      } catch {
        // Processes end while they are being listed.
        return false;
      }
    });

it('ends the tool that an interrupted session left running when the session is stopped', async () => {
  const { id } = await engine.client.sessions.start({ text: document(600) });
  await measuring(engine.client, id);
  await engine.restart({ resumeSessions: false });
  const { client } = engine;
  expect(tools()).toHaveLength(1);
  await client.sessions.stop({ id });
  await until(client, id, ended);
  expect(tools()).toEqual([]);
  expect((await client.sessions.get({ id })).session.state).toBe('stopped');
  expect(await states(client, id)).toEqual(['stopped', 'skipped']);
});

atNight(it)('stays stopped after a skip', async () => {
  const { client } = engine;
  const { id } = await client.sessions.start({ text: document(600) });
  await measuring(client, id);
  await client.sessions.stop({ id });
  await expect(client.sessions.skip({ id })).rejects.toMatchObject({ code: 'conflict' });
  await until(client, id, ended);
  expect(await states(client, id)).toEqual(['stopped', 'skipped']);
});

atNight(it)('skips one trial, however often its skip is pressed', async () => {
  const { client } = engine;
  const { id } = await client.sessions.start({ text: document(600) });
  await measuring(client, id);
  const [first, second] = await client.sessions.runs({ id });
  const runId = first?.id ?? 0;
  await client.sessions.skip({ id, runId });
  await measuring(client, id, 1);
  await client.sessions.skip({ id, runId });
  expect(await states(client, id)).toEqual(['skipped', 'running']);
  await expect(client.sessions.skip({ id, runId: runId + 1000 })).rejects.toMatchObject({ code: 'not-found' });
  await client.sessions.skip({ id, runId: second?.id ?? 0 });
  await until(client, id, ended);
  expect(await states(client, id)).toEqual(['skipped', 'skipped']);
});

atNight(it)('applies a pause requested before the first trial', async () => {
  const { client } = engine;
  const { id } = await client.sessions.start({ text: document(2) });
  await client.sessions.pause({ id });
  const session = await until(client, id, (now) => now.state === 'paused' || ended(now));
  expect(session.state).toBe('paused');
  expect(await states(client, id)).toEqual(['pending', 'pending']);
  await client.sessions.resume({ id });
  expect((await until(client, id, ended)).state).toBe('done');
});

it('keeps a pending pause when the app is closed or killed', async () => {
  const { id } = await engine.client.sessions.start({ text: document(600).replace('[1, 2]', '[1, 2, 3]') });
  await measuring(engine.client, id);
  await engine.client.sessions.pause({ id });
  await engine.restart();
  await engine.client.sessions.skip({ id });
  expect((await until(engine.client, id, (now) => now.state === 'paused' || now.trialsEnded > 1)).trialsEnded).toBe(1);
  await engine.stop();

  let killable: KillableEngine = startKillable(engine.dataDir);
  await killable.client.sessions.resume({ id });
  await measuring(killable.client, id, 1);
  await killable.client.sessions.pause({ id });
  await killable.kill();
  killable = startKillable(engine.dataDir);
  await killable.client.sessions.skip({ id });
  const paused = await until(killable.client, id, (now) => now.state === 'paused' || now.trialsEnded > 2);
  expect([paused.state, paused.trialsEnded]).toEqual(['paused', 2]);
  await killable.kill();
  await engine.restart();
  await engine.client.sessions.stop({ id });
  await until(engine.client, id, ended);
});

it('does not start a trial of a session stopped while starting', async () => {
  const { client } = engine;
  const { id } = await client.sessions.start({ text: document(600) });
  await client.sessions.stop({ id });
  expect((await until(client, id, ended)).state).toBe('stopped');
  expect(await states(client, id)).toEqual(['skipped', 'skipped']);
  expect((await client.sessions.runs({ id })).map((run) => run.command)).toEqual([undefined, undefined]);
});

it('waits the whole pause between trials despite a pause and resume of the session', async () => {
  const { client } = engine;
  const { id } = await client.sessions.start({ text: document(1, ', pause: 3') });
  await until(client, id, (now) => now.activity?.startsWith('Waiting') ?? false);
  await client.sessions.pause({ id });
  await client.sessions.resume({ id });
  await until(client, id, ended);
  const runs = await client.sessions.runs({ id });
  expect(runs.map((run) => run.state)).toEqual(['done', 'done']);
  for (const [index, run] of runs.slice(1).entries()) {
    // The host records whole seconds.
    expect((run.startedAt ?? 0) - (runs[index]?.endedAt ?? 0)).toBeGreaterThan(2_000);
  }
});

it('resumes an archived session after a restart', async () => {
  const { id } = await engine.client.sessions.start({ text: document(4) });
  await measuring(engine.client, id);
  await engine.client.sessions.edit({ id, archived: true });
  await engine.restart();
  expect((await until(engine.client, id, ended)).state).toBe('done');
});
