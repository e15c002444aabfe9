import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import { LOCAL_HOST_NAME } from '../../src/shared/model/host.ts';
import type { Session } from '../../src/shared/model/session.ts';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { canMakeNetworks } from '../testbed/sshd/index.ts';
import { addBed, type DatabaseBed, isAtWork, startDatabaseBed, toolOn } from './testing/database-bed.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { ended, measuring, until } from './testing/session.ts';

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

const database = (generator: string, extra = ''): string => `kneepoint: 1
name: On the database
workload: { tool: sysbench, options: { script: oltp_point_select, tables: 1, table-size: 100, rate: 20 } }
where: { generators: [${generator}], target: mariadb }
measure: { duration: 600${extra} }
monitors: { generators: false, place: false }
`;
const cpu = (generator: string, seconds = 600): string => `kneepoint: 1
name: On the processor
workload: { tool: sysbench, options: { script: cpu, rate: 20 } }
where: { generators: [${generator}] }
measure: { duration: ${seconds}, repeats: 2 }
monitors: { generators: false, place: false }
`;

async function stop(id: number): Promise<void> {
  await engine.client.sessions.stop({ id });
  await until(engine.client, id, ended);
}
const preflight = async (text: string) => {
  let lines: PreflightLine[] = [];
  for await (lines of engine.client.experiments.preflight({ text }));
  return lines;
};

it('refuses a second benchmark on the same generator or target, before it contacts either', async () => {
  const { client } = engine;
  const first = await client.sessions.start({ text: database('loadgen') });
  await measuring(engine.client, first.id);
  for (const text of [cpu('loadgen'), database(LOCAL_HOST_NAME)]) {
    const refusal = await client.sessions.start({ text }).then(
      () => undefined,
      (error) => error.problem,
    );
    expect(refusal).toMatchObject({ code: 'preflight-refused', safe: 'Nothing was started.' });
    expect(refusal.message).toContain(`Session ${first.id}`);
    expect(refusal.next).toMatch(/pause it, or stop it/);
    const lines = await preflight(text);
    expect(lines.find((line) => line.id === 'free')).toMatchObject({ state: 'block', finding: { code: 'occupied' } });
    // A server or host that is being measured is not checked at all.
    for (const id of ['generator', 'tool', 'target', 'data'])
      expect(lines.find((line) => line.id === id)?.finding?.code ?? 'not-looked').toBe('not-looked');
  }
  const other = await client.sessions.start({ text: cpu(LOCAL_HOST_NAME, 1) });
  expect((await until(engine.client, other.id, ended)).state).toBe('done');

  await engine.restart({ resumeSessions: false });
  await engine.client.app.unlockVault({ passphrase });
  const [line] = (await preflight(cpu('loadgen'))).filter(({ id }) => id === 'free');
  expect(line?.finding?.message).toContain('may still be loading');
  await stop(first.id);
  expect((await preflight(cpu('loadgen'))).find(({ id }) => id === 'free')?.state).toBe('ok');
});

it('accepts one of two simultaneous starts, and does not resume a paused session while another runs in its place', async () => {
  const { client } = engine;
  const paused = await client.sessions.start({ text: cpu('loadgen', 1) });
  await client.sessions.pause({ id: paused.id });
  await until(engine.client, paused.id, (session) => session.state === 'paused');
  const starts = await Promise.allSettled([1, 2].map(() => client.sessions.start({ text: cpu('loadgen') })));
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const running = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))[0] as Session;
  await expect(client.sessions.resume({ id: paused.id })).rejects.toMatchObject({
    problem: { code: 'conflict', message: expect.stringContaining(`Session ${running.id}`) },
  });
  await stop(running.id);
  await client.sessions.resume({ id: paused.id });
  expect((await until(engine.client, paused.id, ended)).state).toBe('done');
});

it('starts nothing if the caller cancels during the preflight', async () => {
  const { client } = engine;
  const before = (await client.sessions.list({})).length;
  const atOnce = new AbortController();
  const first = client.sessions.start({ text: database('loadgen') }, { signal: atOnce.signal });
  atOnce.abort();
  await expect(first).rejects.toMatchObject({ problem: { code: 'cancelled' } });

  // No preflight completes while the server stalls.
  bed.database.freeze();
  try {
    for (const milliseconds of [60, 250, 1_000]) {
      const abort = new AbortController();
      const start = client.sessions.start({ text: database('loadgen') }, { signal: abort.signal });
      setTimeout(() => abort.abort(), milliseconds);
      await expect(start).rejects.toMatchObject({ problem: { code: 'cancelled' } });
    }
  } finally {
    bed.database.thaw();
  }
  // A preflight afterwards: if one of them had started something, it would be refused.
  expect((await preflight(database('loadgen'))).filter((line) => line.state === 'block')).toEqual([]);
  expect(await client.sessions.list({})).toHaveLength(before);
});

it('protects host and target from changes while a session uses them', async () => {
  const { client } = engine;
  const { id } = await client.sessions.start({ text: database('loadgen') });
  await measuring(engine.client, id);
  await client.sessions.edit({ id, archived: true });
  const host = (await client.hosts.list({})).find(({ spec }) => spec.name === 'loadgen');
  const [target] = await client.targets.list({});
  if (host?.spec.kind !== 'ssh' || !target) throw new Error('both are there');
  const conflict = { problem: { code: 'conflict', message: expect.stringContaining(`Session ${id}`) } };
  await expect(client.hosts.remove({ id: host.id })).rejects.toMatchObject(conflict);
  await expect(client.hosts.save({ id: host.id, spec: { ...host.spec, name: 'other' } })).rejects.toMatchObject(
    conflict,
  );
  await expect(client.targets.remove({ id: target.id })).rejects.toMatchObject(conflict);
  const moved = { ...target.spec, config: { ...target.spec.config, port: 1 } };
  await expect(client.targets.save({ id: target.id, spec: moved })).rejects.toMatchObject(conflict);
  await expect(client.sessions.remove({ id })).rejects.toMatchObject({ problem: { code: 'conflict' } });
  // Route and password may change; the run continues over the new connection.
  await client.targets.save({ id: target.id, spec: target.spec, secret: bed.database.password });
  await client.hosts.save({ id: host.id, spec: host.spec });
  const [run] = await client.sessions.runs({ id });
  const seen = run?.seconds ?? 0;
  await expect.poll(async () => (await client.sessions.runs({ id }))[0]?.seconds).toBeGreaterThan(seen + 2);
  await stop(id);
  await expect(client.hosts.remove({ id: host.id })).rejects.toMatchObject({
    problem: { code: 'conflict', message: expect.stringContaining('mariadb') },
  });
  await expect(client.hosts.save({ id: 999, spec: { ...host.spec, name: 'nobody' } })).rejects.toMatchObject({
    problem: { code: 'not-found' },
  });
});

atNight(it.skipIf(!canMakeNetworks()))(
  'stops while the cable is out: at once in words, and for good when pressed again',
  async () => {
    const { client } = engine;
    const { id } = await client.sessions.start({ text: cpu('loadgen') });
    await measuring(engine.client, id);
    bed.generator.pullCable();
    try {
      await until(engine.client, id, (session) => session.activity?.includes('cannot be reached') ?? false);
      // Two simultaneous clicks count once.
      const [first] = await Promise.all([client.sessions.stop({ id }), client.sessions.stop({ id })]);
      expect(first.state).toBe('stopping');
      expect((await client.sessions.get({ id })).session.state).toBe('stopping');
      await new Promise((resolve) => setTimeout(resolve, 2100));
      await client.sessions.stop({ id });
      expect((await until(engine.client, id, ended)).state).toBe('stopped');
      const runs = await client.sessions.runs({ id });
      expect(runs.map((run) => run.state)).toEqual(['lost', 'skipped']);
      expect(runs[0]?.message).toContain('may still be running there');
      process.kill(-toolOn(bed.generator), 'SIGKILL');
      await expect.poll(() => isAtWork(bed.generator)).toBe(false);
    } finally {
      bed.generator.plugCable();
    }
  },
);

it.skipIf(!canMakeNetworks())('ends the tool once the connection is back after a stop', async () => {
  const { client } = engine;
  const host = (await client.hosts.list({})).find(({ spec }) => spec.name === 'loadgen');
  await client.hosts.test({ id: host?.id ?? 0 });
  const { id } = await client.sessions.start({ text: cpu('loadgen') });
  await measuring(engine.client, id);
  bed.generator.pullCable();
  await until(engine.client, id, (session) => session.activity?.includes('cannot be reached') ?? false);
  await client.sessions.stop({ id });
  bed.generator.plugCable();
  expect((await until(engine.client, id, ended)).state).toBe('stopped');
  expect((await client.sessions.runs({ id })).map((run) => run.state)).toEqual(['stopped', 'skipped']);
});
