import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENDED_SESSION } from '../../src/shared/model/session.ts';
import { addBed, type DatabaseBed, startDatabaseBed } from './testing/database-bed.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';

const PASSPHRASE = 'correct horse battery';
const DOCUMENT = `kneepoint: 1
name: Behind the vault
workload:
  tool: sysbench
  options: { script: oltp_point_select, tables: 1, table-size: 1000, threads: 1, rate: 20 }
where: { generators: [loadgen], target: mariadb }
measure: { warmup: 0, duration: 6, repeats: 2 }
`;

let bed: DatabaseBed;
let engine: TestEngine;
beforeAll(async () => {
  bed = await startDatabaseBed();
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: PASSPHRASE });
  await addBed(engine.client, bed);
});
afterAll(async () => {
  await engine?.close();
  await bed?.close();
});

it('keeps a session whose passwords are locked, reports it, and resumes it once the vault is unlocked', async () => {
  const { id } = await engine.client.sessions.start({ text: DOCUMENT });
  for await (const event of engine.client.sessions.watch({ id })) {
    if (event.kind === 'run' && event.run.seconds >= 2) break;
  }
  await engine.restart();

  const { client } = engine;
  const [waiting] = await client.sessions.list({});
  expect(waiting).toMatchObject({ id, state: 'interrupted', waitsForVault: true });
  expect(waiting?.message).toMatch(/vault/);
  await expect(client.sessions.resume({ id })).rejects.toMatchObject({
    problem: { code: 'vault-locked', session: id },
  });
  await expect(client.app.unlockVault({ passphrase: `${PASSPHRASE}!` })).rejects.toMatchObject({
    problem: { code: 'vault-locked' },
  });
  expect((await client.sessions.list({}))[0]).toMatchObject({ state: 'interrupted', waitsForVault: true });

  await client.app.unlockVault({ passphrase: PASSPHRASE });
  for await (const event of client.sessions.watch({ id })) {
    if (event.kind === 'session') expect(event.session.waitsForVault).toBeUndefined();
    if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) break;
  }
  const { session } = await client.sessions.get({ id });
  expect(session.state, session.message).toBe('done');
  const runs = await client.sessions.runs({ id });
  expect(runs.map((run) => [run.state, run.partial])).toEqual([
    ['done', false],
    ['done', false],
  ]);
  for (const run of runs) {
    expect(run.summary.total_time_s).toBeGreaterThanOrEqual(6);
    // More than before the restart; sysbench omits the line of a second if it wakes up too late for it.
    expect(run.seconds).toBeGreaterThan(2);
  }
});
