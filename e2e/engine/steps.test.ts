import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { LOG_KINDS } from '../../src/shared/model/session.ts';
import { atDepth, atNight } from '../../src/shared/util/testing/depth.ts';
import { type DatabaseServer, startMariaDb } from '../testbed/databases/index.ts';
import { newLibraryFolder } from '../testbed/library-folder.ts';
import { type KillableEngine, startKillable } from './testing/killable-engine.ts';
import { asked } from './testing/outside.ts';
import { seededRandom } from './testing/random.ts';
import { ended } from './testing/session.ts';

// A suite of tests as the steps of a trial, on two servers and with a setting of theirs.

const dataDir = newLibraryFolder('steps');
const SERVERS = ['one', 'two'];
/** Steps of the repeated group. */
const EACH = atDepth(4, 1);
const KILLS = atDepth(30, 2);
/** Steps of a trial that do not run the workload; they precede those that do. */
const ACTS = ['load', 'index', 'quiet', 'open', 'counted', 'sync'];
const WAITS = ['quiet', 'open', 'counted'];
const THREADS = [1, 2];
const FLUSHES = [2, 0].slice(0, atDepth(2, 1));

let databases: DatabaseServer[] = [];
let engine: KillableEngine;

async function open(): Promise<void> {
  engine = startKillable(dataDir);
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
}

beforeAll(async () => {
  databases = await Promise.all(SERVERS.map(() => startMariaDb()));
  await open();
  for (const [place, name] of SERVERS.entries()) {
    const { address, port, user, database, password } = databases[place] as DatabaseServer;
    await engine.client.targets.save({
      spec: { name, kind: 'mysql', via: null, config: { address, port, user, database, allowCleartextPassword: true } },
      secret: password,
    });
  }
}, 120_000);
afterAll(async () => {
  await engine?.kill();
  for (const database of databases) await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

const SCRIPTS = ['oltp_point_select', 'oltp_update_non_index', 'oltp_read_only', 'oltp_update_index'];
const FLUSH = 'innodb_flush_log_at_trx_commit';
const TESTS = Array.from({ length: EACH }, (_, place) => ({
  name: `test ${place + 1}`,
  script: SCRIPTS[place % SCRIPTS.length] ?? '',
}));
/** Steps that run the workload, in order, with a part of their commands. */
const LOADS: readonly (readonly [name: string, part: string])[] = [
  ...['before', 'after'].flatMap((group) => TESTS.map(({ name, script }) => [`${group} / ${name}`, script] as const)),
  ...THREADS.map((threads) => [`levels / threads ${threads}`, `--threads=${threads} `] as const),
];
const STEPS = ACTS.length + LOADS.length;
const RUNS = SERVERS.length * FLUSHES.length * STEPS;
const documentFor = ({ port }: DatabaseServer): string => `kneepoint: 2
name: Suite
workload: {tool: sysbench, data: recreate, options: {tables: 1, table-size: 1000, threads: 1, rate: 100}}
steps:
  - {name: load, do: prepare, measured: true}
  - {name: index, do: statement, statement: [ALTER TABLE sbtest1 FORCE, DO SLEEP(0.4)], measured: true}
  - {name: quiet, do: wait, until: {status: Threads_running, above: 0}}
  - {name: open, do: wait, until: {port: ${port}, on: this computer}}
  - {name: counted, do: wait, until: {sql: SELECT COUNT(*) FROM sbtest1, above: 999}, at-most: 60}
  - {name: sync, do: run, command: 'sleep 0.5; echo synced', measured: true}
  - {name: before, each: [${TESTS.map(({ name, script }) => `{name: ${name}, options: {script: ${script}}}`).join(', ')}]}
  - {name: after, same: before}
  - {name: levels, options: {script: oltp_read_only}, factors: [{name: threads, levels: [${THREADS.join(', ')}]}]}
where: {target: one}
factors:
  - {name: server, kind: target, levels: [one, two], tested: true}
  - {name: flush, kind: server-setting, setting: ${FLUSH}, levels: [${FLUSHES.join(', ')}]}
measure: {duration: 1, repeats: 1}
`;
const settings = (): Promise<string[][]> =>
  Promise.all(databases.map((database) => asked(database, `SELECT @@${FLUSH}`)));
const random = seededRandom('kills');
const outputOf = async (runId: number): Promise<string> => {
  const { bytes } = await engine.client.results.raw({
    runId,
    generator: 0,
    stream: 'stdout',
    offset: 0,
    limit: 10_000,
  });
  return Buffer.from(bytes).toString();
};

it('measures each step once, in order, despite any number of kills, and restores both servers', {
  timeout: 1_200_000,
}, async () => {
  const before = await settings();
  const { id } = await engine.client.sessions.start({ text: documentFor(databases[0] as DatabaseServer) });
  const now = async () => (await engine.client.sessions.get({ id })).session;
  for (let kill = 0; kill < KILLS && !ended(await now()); kill += 1) {
    await delay(random(300, 4000));
    await engine.kill();
    await open();
  }
  while (!ended(await now())) await delay(100);
  const { state, message, steps } = await now();
  expect(state, message).toBe('done');
  const runs = await engine.client.sessions.runs({ id });
  expect(runs.map((run) => run.state)).toEqual(Array.from({ length: RUNS }, () => 'done'));
  expectSame(
    'steps of each trial, by when they were started',
    runs.toSorted((one, other) => (one.startedAt ?? 0) - (other.startedAt ?? 0)).map(({ step = 0 }) => step),
    Array.from({ length: RUNS }, (_, place) => place % STEPS),
  );
  for (const { id, command = '', stepName = '', summary, step = 0 } of runs) {
    if (step < ACTS.length) {
      expect(stepName).toBe(ACTS[step]);
      expect(summary.took_s).toBeGreaterThan(
        { index: 0.4, sync: 0.4 }[stepName] ?? (WAITS.includes(stepName) ? -1 : 0),
      );
      if (stepName === 'load') expect(summary).toMatchObject({ tables_created_total: 1, rows_inserted_total: 1000 });
      if (stepName === 'index') expect(summary).toMatchObject({ statements_total: 2 });
      if (stepName === 'sync') expect(await outputOf(id)).toContain('synced');
      continue;
    }
    const [name, part] = LOADS[step - ACTS.length] ?? [];
    expect(stepName).toBe(name);
    expect(command).toContain(part);
    expect(summary.transactions_total).toBeGreaterThan(0);
  }
  expectSame('settings of both servers', await settings(), before);
  expectSame('changes that are not put back', await engine.client.changes.list({}), []);

  // Each trial prepared its own data, and nothing was prepared before.
  const log = await engine.client.sessions.events({ id, kinds: [...LOG_KINDS] });
  expect(log.filter(({ message }) => /^(Preparing|Cleaning up|Prepared)\b/.test(message))).toEqual([]);
  expect(await Promise.all(databases.map((database) => asked(database, 'SELECT COUNT(*) FROM sbtest1')))).toEqual(
    SERVERS.map(() => ['1000']),
  );

  const loaded = await engine.client.results.session({ sessionId: id, step: 0, metric: 'rows_per_s' });
  for (const { value } of loaded.cells) expect(value).toBeGreaterThan(100);

  expect(steps).toHaveLength(STEPS);
  const table = await engine.client.results.steps({ sessionId: id });
  expect(table).toMatchObject({ factor: 'server', levels: SERVERS, baseline: 'one' });
  const own = table.lines.filter(({ sum }) => sum === undefined);
  expect(own.map(({ step: place, levels }) => `${place} ${String(levels.flush)}`)).toEqual(
    Array.from({ length: STEPS }, (_, place) => place).flatMap((place) =>
      WAITS.includes(ACTS[place] ?? '') ? [] : FLUSHES.toSorted().map((flush) => `${place} ${flush}`),
    ),
  );
  // A fixed rate, so the servers measure the same; with one repeat there is no verdict of a difference.
  const sums = table.lines.filter(({ sum }) => sum);
  expect(sums.map(({ levels }) => levels.flush)).toEqual(FLUSHES.toSorted());
  for (const { levels, cells } of sums)
    for (const [column, cell] of cells.entries()) {
      const parts = own.filter(({ metric, levels: at }) => metric === 'took_s' && at.flush === levels.flush);
      expect(cell?.value).toBeCloseTo(
        parts.reduce((sum, part) => sum + (part.cells[column]?.value ?? 0), 0),
        6,
      );
    }
  expect(table.groups?.map(({ name, cells }) => [name, cells.map(({ again }) => again !== undefined)])).toEqual([
    ['before', [false, false]],
    ['after', [true, true]],
    ['levels', [false, false]],
  ]);
  for (const { step: place, metric, cells } of own) {
    expect(metric).toBe(place < ACTS.length ? 'took_s' : 'tps');
    expect(cells.map((cell) => cell?.verdict)).toEqual([undefined, 'too-few']);
  }
});

atNight(it)(
  'preconditions two folders by size and until they are steady, and measures them before and after',
  {
    timeout: 120_000,
  },
  async () => {
    const folder = newLibraryFolder('two-folders');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const places = ['one', 'other'].map((name) => path.join(folder, name));
    for (const place of places) mkdirSync(place, { recursive: true });
    const text = `kneepoint: 2
name: Two folders
workload: {tool: fio, data: create, options: {directories: '${places.join(', ')}', rw: randread, bs: 4k, iodepth: 2, size: 4m, rate: 1m}}
steps:
  - {name: fresh}
  - {name: fill, options: {rw: write, bs: 64k, passes: 2, rate: 4m}, measured: false, duration: 60}
  - {name: settle, options: {rw: randwrite}, measured: false, steady: {rounds: 2, of: 2s, within: 60%, slope: 60%}, duration: 60}
  - {name: flushed, do: wait, until: {dirty: 1000000, writes: 100000}, at-most: 20}
  - {name: after, same: fresh, gate: {of: fresh, ratio-above: 0.5}}
  - {name: end, do: run, command: sync, measured: true}
where: {generators: [this computer]}
measure: {warmup: 0, duration: 3, repeats: 1}
monitors: {generators: false}
`;
    const { id } = await engine.client.sessions.start({ text });
    const now = async () => (await engine.client.sessions.get({ id })).session;
    while (!ended(await now())) await delay(100);
    const runs = await engine.client.sessions.runs({ id });
    expect(runs.map(({ stepName, state, message = '' }) => `${stepName} ${state} ${message}`.trim())).toEqual(
      ['fresh', 'fill', 'settle', 'flushed', 'after', 'end'].map((name) => `${name} done`),
    );
    const [, fill, settle] = runs;
    // 4 MiB twice in each, at 4 MiB/s: a load that ends by its size, long before its time.
    expectSame('blocks written in all', fill?.summary.ios_total, 256);
    expect((settle?.endedAt ?? 0) - (settle?.startedAt ?? 0)).toBeLessThan(40_000);
    const log = await engine.client.sessions.events({ id, kinds: [...LOG_KINDS] });
    expect(log.map(({ message }) => message).join('\n')).toMatch(
      /Trial 1: steady after \d+ s\. .* in the last 2 rounds of 2 s/,
    );
    const { lines } = await engine.client.results.steps({ sessionId: id });
    expect(lines.map(({ name }) => name)).toEqual(['fresh', 'after', 'end']);
    expect(lines[1]?.cells[0]?.again).toBeGreaterThan(0.5);
  },
);
