import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DatabaseServer, startMariaDb } from '../testbed/databases/index.ts';
import { newLibraryFolder } from '../testbed/library-folder.ts';
import { type KillableEngine, startKillable } from './testing/killable-engine.ts';
import { asked } from './testing/outside.ts';
import { ended } from './testing/session.ts';

// Two loads, a report and a command at the same time on one server, across a kill of the engine.

const dataDir = newLibraryFolder('parallel-steps');
let database: DatabaseServer;
let engine: KillableEngine;

async function open(): Promise<void> {
  engine = startKillable(dataDir);
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
}

beforeAll(async () => {
  database = await startMariaDb();
  await open();
  const { address, port, user, database: name, password } = database;
  await engine.client.targets.save({
    spec: {
      ...{ name: 'shop', kind: 'mysql', via: null },
      config: { address, port, user, database: name, allowCleartextPassword: true },
    },
    secret: password,
  });
}, 120_000);
afterAll(async () => {
  await engine?.kill();
  await database?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

/** Connections that only wait, most of the time. */
const IDLE = 25;

const DOCUMENT = `kneepoint: 2
name: Reports during transactions
workload: {tool: sysbench, options: {tables: 1, table-size: 1000, threads: 1, rate: 100}}
steps:
  - {name: reads alone, options: {script: oltp_point_select}}
  - name: all
    duration: 14
    parallel:
      - {name: reads, same: reads alone}
      - {name: writes, options: {script: oltp_update_index}, from: 2}
      - {name: report, do: statement, statement: DO SLEEP(2), from: 1, measured: true}
      - {name: backup, do: run, command: 'date +%s.%N; sleep 1', from: 3, measured: true}
      - {name: lock, do: statement, statement: [LOCK TABLES sbtest1 WRITE, DO SLEEP(2), UNLOCK TABLES], from: 7}
      - {name: idle, options: {script: oltp_point_select, threads: ${IDLE}, rate: 1}, measured: false}
where: {target: shop}
measure: {duration: 3, repeats: 1}
monitors: {generators: false, place: false}
captures: [{name: statements, statement: SHOW GLOBAL STATUS LIKE 'Com_select', as: difference}]
`;

it('measures parallel steps on one clock, with separate figures, a ratio to running alone, and their effects on each other', {
  timeout: 90_000,
}, async () => {
  const { id } = await engine.client.sessions.start({ text: DOCUMENT });
  const now = async () => (await engine.client.sessions.get({ id })).session;
  const runs = () => engine.client.sessions.runs({ id });
  while ((await runs()).filter(({ state }) => state === 'running').length < 6) await delay(50);
  const connected = async () => Number((await asked(database, "SHOW GLOBAL STATUS LIKE 'Threads_connected'"))[1]);
  await expect.poll(connected, { timeout: 10_000 }).toBeGreaterThan(IDLE);
  await engine.kill();
  await open();
  while (!ended(await now())) await delay(100);
  const { state, message } = await now();
  expect(state, message).toBe('done');
  const measured = await runs();
  expect(measured.map((run) => [run.stepName, run.state])).toEqual(
    ['reads alone', 'all / reads', 'all / writes', 'all / report', 'all / backup', 'all / lock', 'all / idle'].map(
      (name) => [name, 'done'],
    ),
  );
  const [, reads, ...others] = measured;
  // Each at its place on the one clock. One that a busy machine started later has a finding.
  for (const [place, from] of [2, 1, 3, 7].entries()) {
    const { startedAt = 0, findings = [] } = others[place] ?? {};
    const lateMs = startedAt - (reads?.startedAt ?? 0) - from * 1000;
    expect(lateMs).toBeGreaterThan(-100);
    expect(findings.some(({ code }) => code === 'start-spread')).toBe(lateMs > 500);
  }
  // Connections of captures last longer than the limit of one capture, 10 s.
  const kept = (await engine.client.captures.list({ sessionId: id })).filter(({ name }) => name === 'statements');
  expect(kept.filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect(kept).toHaveLength(2 * measured.length);
  expect(measured.slice(0, 3).map(({ duration }) => duration)).toEqual([3, 14, 12]);
  // The time that the command printed is that of its start.
  const { bytes } = await engine.client.results.raw({
    ...{ runId: others[2]?.id ?? 0, generator: 0, stream: 'stdout', offset: 0, limit: 1000 },
  });
  const [clock = ''] =
    Buffer.from(bytes)
      .toString()
      .match(/^\d{10}\.\d+$/m) ?? [];
  expect(Number(clock) * 1000).toBeGreaterThan((others[2]?.startedAt ?? Number.NaN) - 100);
  expect(Number(clock) * 1000).toBeLessThan(others[2]?.endedAt ?? Number.NaN);
  expect(others[1]?.summary.took_s).toBeGreaterThan(1.9);
  expect(others[2]?.summary.took_s).toBeGreaterThan(0.9);
  const { lines } = await engine.client.results.steps({ sessionId: id });
  expect(lines.map(({ name }) => name)).toEqual([
    ...['reads alone', 'all / reads', 'all / writes', 'all / report', 'all / backup'],
  ]);
  expect(lines[1]).toMatchObject({ same: 'reads alone', group: 'all' });
  // At a rate that both sustain.
  expect(lines[1]?.cells[0]?.again).toBeCloseTo(1, 0);
  // A locked table cannot be read.
  const figures = await Promise.all(
    ['recovery_depth_pct', 'recovery_s'].map(async (metric) => {
      const { cells, runFigures } = await engine.client.results.session({ sessionId: id, step: 1, metric });
      expect(runFigures).toContain(metric);
      return cells[0]?.value;
    }),
  );
  expect(figures[0]).toBeGreaterThan(90);
  // On a busy machine they may not be back within the run; never before the lock is gone.
  expect(figures[1] ?? 2).toBeGreaterThan(1);
  expect(reads?.findings.map(({ message }) => message).join()).toContain(
    'The parallel step “all / lock” begins. Transactions (tps) fell',
  );
});
