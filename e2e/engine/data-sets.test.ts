import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { PreflightLine } from '../../src/shared/contract/experiments.ts';
import type { DataSet, TableSet } from '../../src/shared/model/data-set.ts';
import { ENDED_SESSION, LOG_KINDS, type Session, type SessionEvent } from '../../src/shared/model/session.ts';
import { atNight } from '../../src/shared/util/testing/depth.ts';
import { type DatabaseServer, runSql, startPostgres } from '../testbed/databases/index.ts';
import { addBed, type DatabaseBed, jobOutputs, startDatabaseBed } from './testing/database-bed.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { startKillable } from './testing/killable-engine.ts';

const passphrase = 'a passphrase of the vault';
let bed: DatabaseBed;
let postgres: DatabaseServer;
let engine: TestEngine;
beforeAll(async () => {
  bed = await startDatabaseBed();
  postgres = await startPostgres({ address: bed.database.address, settings: { fsync: 'off' } });
  // The command line opens its vault as well.
  engine = await startEngine(undefined, { realVault: true });
  await engine.client.app.unlockVault({ passphrase });
  await addBed(engine.client, bed);
  const { address, port, user, database, password } = postgres;
  const config = { address, port, user, database, allowCleartextPassword: true };
  await engine.client.targets.save({
    spec: { name: 'postgres', kind: 'postgres', via: 'loadgen', config },
    secret: password,
  });
});
afterAll(async () => {
  await engine?.close();
  await postgres?.stop();
  await bed?.close();
});

interface DocumentOptions {
  script?: string;
  tables?: number;
  rows?: number;
  data?: string;
  factors?: string;
  measure?: string;
}
const document = ({
  script = 'oltp_point_select',
  tables = 2,
  rows = 500,
  data = 'create',
  ...options
}: DocumentOptions): string =>
  `kneepoint: 1
name: ${script}
workload: { tool: sysbench, data: ${data}, options: { script: ${script}, tables: ${tables}, table-size: ${rows}, rate: 50 } }
where: { generators: [loadgen], target: mariadb }
factors: ${options.factors ?? '[]'}
measure: { ${options.measure ?? 'duration: 1'} }
monitors: { generators: false, place: false }
`;
const scales = (data: string, levels: string): string => `kneepoint: 1
name: Scales
workload: { tool: pgbench, data: ${data}, options: { script: select-only, rate: 50 } }
where: { generators: [loadgen], target: postgres }
factors: [{ name: scale, levels: ${levels} }]
measure: { duration: 1 }
monitors: { generators: false, place: false }
`;

async function until(id: number, wanted: (event: SessionEvent) => boolean, client = engine.client): Promise<Session> {
  for await (const event of client.sessions.watch({ id })) if (wanted(event)) break;
  return (await client.sessions.get({ id })).session;
}
const isState =
  (...states: readonly Session['state'][]) =>
  (event: SessionEvent): boolean =>
    event.kind === 'session' && states.includes(event.session.state);

async function run(text: string): Promise<Session> {
  const { id } = await engine.client.sessions.start({ text });
  return until(id, isState(...ENDED_SESSION));
}
const logOf = async (id: number): Promise<string[]> =>
  (await engine.client.sessions.events({ id, kinds: [...LOG_KINDS] })).map(({ message }) => message);

async function dataLine(text: string): Promise<PreflightLine | undefined> {
  let lines: PreflightLine[] = [];
  for await (lines of engine.client.experiments.preflight({ text }));
  return lines.find(({ id }) => id === 'data');
}
const tablesOf = (all: readonly DataSet[]): TableSet[] => all.filter((set) => set.kind === 'tables');
const sets = async (): Promise<TableSet[]> => tablesOf(await engine.client.dataSets.list({ kind: 'tables' }));
const count = async (id = 0): Promise<TableSet> => {
  const [set] = tablesOf([await engine.client.dataSets.look({ kind: 'tables', id })]);
  if (!set) throw new Error(`Data set ${id} is no set of tables.`);
  return set;
};
beforeEach(async () => {
  await onRows('', '', undefined);
  for (const { id } of await sets()) await engine.client.dataSets.remove({ kind: 'tables', id });
});
/** Prepares the tables of a document, and returns their data set. */
async function made(text = document({})): Promise<TableSet> {
  const { id, state, message } = await run(text);
  expect(state, message).toBe('done');
  const set = (await sets()).find(({ madeBy }) => madeBy === id);
  if (!set) throw new Error('There is no data set.');
  return set;
}
const rowsOf = ({ tables }: TableSet): Record<string, number | null | undefined> =>
  Object.fromEntries(tables.map((table) => [table.name, table.found]));
const found = ({ tables }: TableSet): (number | null | undefined)[] => tables.map((table) => table.found);

it('creates data once, records its session, and reuses it in a second session', async () => {
  const first = await run(document({ script: 'oltp_read_only' }));
  expect(first.state, first.message).toBe('done');
  const [set, ...others] = await sets();
  if (!set) throw new Error('There is no data set.');
  expect(others).toEqual([]);
  expect(set).toMatchObject({ target: 'mariadb', tool: 'sysbench', state: 'ready', madeBy: first.id });
  expectSame('tables and their rows', rowsOf(set), { sbtest1: 500, sbtest2: 500 });

  // Fewer of the same tables, and a workload that only reads: the same data is sufficient.
  expect(await dataLine(document({ tables: 1 }))).toMatchObject({ state: 'ok' });
  const second = await run(document({ tables: 1, factors: '[{ name: threads, levels: [1, 2] }]' }));
  expect(second.state, second.message).toBe('done');
  const log = await logOf(second.id);
  expect(log.filter((line) => line.startsWith('Using the existing data'))).toHaveLength(1);
  expect(log.filter((line) => line.startsWith('Preparing'))).toEqual([]);
  expect(await sets()).toMatchObject([{ id: set.id, state: 'ready', madeBy: first.id }]);
});

it('marks data that a workload modifies, notes it before reuse, and refuses other indexes', async () => {
  const set = await made();
  const writing = await run(document({ script: 'oltp_update_index' }));
  expect(writing.state, writing.message).toBe('done');
  expect(await sets()).toMatchObject([{ id: set.id, state: 'dirty', writtenBy: writing.id }]);
  const line = await dataLine(document({}));
  expect(line).toMatchObject({ state: 'note', finding: { code: 'data-written' } });
  expect(line?.finding?.message).toContain(`by session ${writing.id} `);
  // The number of rows is the same, but another index is another measurement.
  const plain = document({}).replace('table-size: 500', 'table-size: 500, create-secondary: false');
  expect(await dataLine(plain)).toMatchObject({ state: 'block', finding: { code: 'data-mismatch' } });
  expect((await dataLine(plain))?.finding?.message).toMatch(/with .*a secondary index.*needs .*no secondary index/);

  const used = await run(document({}));
  const { findings } = await engine.client.sessions.get({ id: used.id });
  const message = expect.stringContaining(`last by session ${writing.id} `);
  expect(findings).toContainEqual(expect.objectContaining({ code: 'data-written', message }));

  const fresh = await run(document({ data: 'recreate' }));
  const [again, ...others] = await sets();
  expect([again?.state, again?.madeBy, again?.writtenAt, others]).toEqual(['ready', fresh.id, undefined, []]);
  expect(again?.id).not.toBe(set.id);
});

atNight(it)('counts rows again on resume if another session has replaced the data', async () => {
  const { client } = engine;
  const text = document({ measure: 'duration: 5, repeats: 2' });
  const { id } = await client.sessions.start({ text });
  await until(id, (event) => event.kind === 'run' && event.run.state === 'running');
  await client.sessions.pause({ id });
  await until(id, isState('paused'));
  const other = await run(document({ data: 'recreate', rows: 300 }));
  expect(other.state, other.message).toBe('done');
  await client.sessions.resume({ id });
  const resumed = await until(id, isState(...ENDED_SESSION));
  expect([resumed.state, resumed.message]).toEqual([
    'failed',
    expect.stringMatching(/sbtest1: 300 rows, expected 500/),
  ]);
  expect((await client.sessions.runs({ id })).map(({ state }) => state)).toEqual(['done', 'pending']);
});

it('does not start with missing rows, and names expected and found counts', async () => {
  const set = await made(document({ rows: 300 }));
  await runSql(bed.database, ['DELETE FROM sbtest2 ORDER BY id LIMIT 10']);
  await expect(engine.client.sessions.start({ text: document({ rows: 300 }) })).rejects.toMatchObject({
    problem: { code: 'preflight-refused', message: expect.stringContaining('sbtest2: 290 rows, expected 300') },
  });
  const counted = await count(set.id);
  expect([counted.state, found(counted)]).toEqual(['partial', [300, 290]]);
});

it('creates the data of each table size before its trials, only if tables may be replaced', async () => {
  const { client } = engine;
  const options = {
    factors: '[{ name: table-size, levels: [400, 800] }, { name: threads, levels: [1, 2] }]',
    measure: 'duration: 1, order: shuffled',
  };
  const { problems } = await client.experiments.check({ text: document(options) });
  expect(problems).toMatchObject([{ message: expect.stringContaining('recreate') }]);

  const text = document({ ...options, data: 'recreate' });
  const { plan } = await client.experiments.check({ text });
  expect(plan?.findings).toContainEqual(
    expect.objectContaining({ code: 'data-changes', message: expect.stringMatching(/prepared 2 times.*grouped/s) }),
  );
  const session = await run(text);
  expect(session.state, session.message).toBe('done');
  const log = (await logOf(session.id)).flatMap((line) => {
    const made = /^Preparing: .*--table-size=(\d+)/.exec(line);
    const measured = /^Trial \d+ \(table-size (\d+)[^)]*\) starts/.exec(line);
    return made ? [`made ${made[1]}`] : measured ? [`on ${measured[1]}`] : [];
  });
  const [first, second] = log[0] === 'made 400' ? [400, 800] : [800, 400];
  const twice = (size: number | undefined) => [`on ${size}`, `on ${size}`];
  expect(log).toEqual([`made ${first}`, ...twice(first), `made ${second}`, ...twice(second)]);
  const [left, ...others] = await sets();
  expect([left?.state, others]).toEqual(['ready', []]);
  expectSame('tables and their rows', left && rowsOf(left), { sbtest1: second, sbtest2: second });
});

it('removes a data set on request, but not while in use, nor tables of another one', async () => {
  const { client } = engine;
  const before = await made();
  const small = await made(document({ data: 'recreate', tables: 1, rows: 100 }));
  const large = await count(before.id);
  expect([large.state, large.tables.length, small.state, small.tables.length]).toEqual(['partial', 2, 'ready', 1]);

  const { id } = await client.sessions.start({ text: document({ tables: 1, rows: 100, measure: 'duration: 60' }) });
  const conflict = { problem: { code: 'conflict', message: expect.stringContaining(`Session ${id} `) } };
  await expect(client.dataSets.remove({ kind: 'tables', id: small.id })).rejects.toMatchObject(conflict);
  await expect(count(small.id)).rejects.toMatchObject(conflict);
  await client.sessions.stop({ id });
  await until(id, isState('stopped'));

  await expect(client.dataSets.remove({ kind: 'tables', id: large.id })).rejects.toMatchObject({
    problem: { code: 'conflict', message: expect.stringMatching(`Data set ${small.id} .* uses .*: sbtest1\\.`) },
  });
  expect(await client.dataSets.remove({ kind: 'tables', id: small.id })).toMatchObject({ state: 'gone' });
  expect(found(await count(large.id))).toEqual([null, expect.any(Number)]);
  expect(await client.dataSets.remove({ kind: 'tables', id: large.id })).toMatchObject({ state: 'gone' });
  expect(await sets()).toEqual([]);
  await expect(runSql(bed.database, ['SELECT 1 FROM sbtest2'])).rejects.toThrow(/sbtest2/);
  await expect(count(large.id)).rejects.toMatchObject({ problem: { code: 'not-found' } });
});

it('resumes the second preparation of a session after the engine is killed', async () => {
  const before = new Set(jobOutputs(bed.generator).keys());
  await engine.stop();
  onTestFinished(async () => {
    await engine.restart();
    await engine.client.app.unlockVault({ passphrase });
  });
  const killable = startKillable(engine.dataDir);
  await killable.client.app.unlockVault({ passphrase });
  const text = document({ data: 'recreate', factors: '[{ name: table-size, levels: [100, 20000] }]' });
  const { id } = await killable.client.sessions.start({ text });
  const begun = /^Preparing: .*--table-size=20000/;
  await until(
    id,
    (event) => event.kind === 'log' && event.entries.some(({ message }) => begun.test(message)),
    killable.client,
  );
  // Nothing completes while the server stalls.
  bed.database.freeze();
  await killable.kill();
  await engine.restart();
  bed.database.thaw();
  // The vault is locked, so the step is not followed yet, but the tool is running.
  let lines: PreflightLine[] = [];
  for await (lines of engine.client.experiments.preflight({ text: document({}) }));
  expect(lines.find((line) => line.id === 'free')).toMatchObject({ state: 'block', finding: { code: 'occupied' } });
  await engine.client.app.unlockVault({ passphrase });
  const session = await until(id, isState(...ENDED_SESSION));
  expect([session.state, session.message]).toEqual(['done', undefined]);
  const [set, ...others] = await sets();
  expect([set?.state, set?.madeBy, others]).toEqual(['ready', id, []]);
  expectSame('tables and their rows', set && rowsOf(set), { sbtest1: 20_000, sbtest2: 20_000 });
  // For each size: clean up, prepare, measure. Nothing was launched twice.
  const launched = [...jobOutputs(bed.generator).keys()].filter((job) => !before.has(job));
  expectSame('number of launches', launched.length, 6);
});

atNight(it)('stops during the second preparation, and keeps the trials on the first data', async () => {
  const { client } = engine;
  const text = document({ data: 'recreate', factors: '[{ name: table-size, levels: [50, 250000] }]' });
  const { id } = await client.sessions.start({ text });
  const begun = /^Preparing: .*--table-size=250000/;
  await until(id, (event) => event.kind === 'log' && event.entries.some(({ message }) => begun.test(message)));
  bed.database.freeze();
  await client.sessions.stop({ id });
  const session = await until(id, isState(...ENDED_SESSION));
  bed.database.thaw();
  expect([session.state, session.message]).toEqual(['stopped', 'Stopped by user.']);
  const runs = await client.sessions.runs({ id });
  expect(runs.map(({ state }) => state)).toEqual(['done', 'skipped']);
  expect(runs[1]?.command).toBeUndefined();
  // It did not wait for all of the rows.
  expect(await sets()).toMatchObject([{ state: 'partial', madeBy: id }]);
});

it('forgets data sets when their target is changed to another database', async () => {
  const { client } = engine;
  await made();
  const target = (await client.targets.list({})).find(({ spec }) => spec.name === 'mariadb');
  if (!target) throw new Error('There is no target.');
  const here = () => client.dataSets.list({ targetId: target.id });
  const before = await here();
  expect(before).toHaveLength(1);
  const { id, spec } = target;
  onTestFinished(async () => {
    await client.targets.save({ id, spec });
  });
  await client.targets.save({ id, spec: { ...spec, config: { ...spec.config, tls: 'preferred' } } });
  expect(await here()).toEqual(before);
  await client.targets.save({ id, spec: { ...spec, config: { ...spec.config, database: 'another' } } });
  expect(await here()).toEqual([]);
});

/** Makes the server treat rows of a table that match a condition this way while they are loaded; `undefined`: like all others. */
const onRows = async (table: string, holds: string, does: string | undefined): Promise<void> =>
  runSql(postgres, [
    'DROP EVENT TRIGGER IF EXISTS meddle',
    'DROP FUNCTION IF EXISTS loaded() CASCADE',
    ...(does === undefined
      ? []
      : [
          `CREATE FUNCTION loaded() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF ${holds} THEN ${does}; END IF; RETURN NEW; END'`,
          `CREATE OR REPLACE FUNCTION meddle() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN IF to_regclass(''${table}'') IS NOT NULL AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgname = ''loaded'') THEN CREATE TRIGGER loaded BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION loaded(); END IF; END'`,
          `CREATE EVENT TRIGGER meddle ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION meddle()`,
        ]),
  ]);
const onTeller = (teller: number, does: string | undefined): Promise<void> =>
  onRows('pgbench_tellers', `NEW.tid = ${teller}`, does);

/** Starts a session whose prepare reaches a row at which the server sleeps, and stops it there. */
async function stoppedAsleep(text: string): Promise<number> {
  const { id } = await engine.client.sessions.start({ text });
  const asleep = `DO 'BEGIN PERFORM 1 / count(*) FROM pg_stat_activity WHERE wait_event = ''PgSleep''; END'`;
  await expect
    .poll(() =>
      runSql(postgres, [asleep]).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  expect(await sets()).toMatchObject([{ state: 'making', madeBy: id }]);
  await engine.client.sessions.stop({ id });
  await until(id, isState('stopped'));
  await runSql(postgres, [`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`]);
  return id;
}

atNight(it)('recreates data that an earlier session did not finish, without asking', async () => {
  await onTeller(7, 'PERFORM pg_sleep(3600)');
  const id = await stoppedAsleep(scales('create', '[1]'));
  await onTeller(7, undefined);
  expect(await sets()).toMatchObject([{ state: 'partial', madeBy: id }]);

  const line = await dataLine(scales('create', '[1]'));
  expect(line).toMatchObject({ state: 'note', finding: { message: expect.stringContaining('was interrupted') } });
  const session = await run(scales('create', '[1]'));
  expect(session.state, session.message).toBe('done');
  expect(await sets()).toMatchObject([{ state: 'ready', madeBy: session.id, tables: [{}, { found: 10 }, {}] }]);
});

it('recreates data with all rows but without keys', async () => {
  onTestFinished(() => runSql(postgres, ['DROP EVENT TRIGGER IF EXISTS stall']));
  await runSql(postgres, [
    `CREATE OR REPLACE FUNCTION stall() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3600); END'`,
    `CREATE EVENT TRIGGER stall ON ddl_command_start WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION stall()`,
  ]);
  await stoppedAsleep(scales('create', '[1]'));
  await runSql(postgres, ['DROP EVENT TRIGGER stall']);

  expect(await dataLine(scales('keep', '[1]'))).toMatchObject({
    state: 'block',
    finding: { message: expect.stringContaining('indexes or keys may be missing') },
  });
  expect(await dataLine(scales('create', '[1]'))).toMatchObject({
    state: 'note',
    finding: { message: expect.stringContaining('removed first') },
  });
  const session = await run(scales('create', '[1]'));
  expect(session.state, session.message).toBe('done');
  await runSql(postgres, [
    `DO 'BEGIN ASSERT (SELECT count(*) FROM pg_indexes WHERE tablename LIKE ''pgbench%'') = 3; END'`,
  ]);
  expect(await sets()).toMatchObject([{ state: 'ready', madeBy: session.id }]);
});

atNight(it)('creates each scale of pgbench, and starts no trial on incomplete data', async () => {
  // Scale 1 has no such teller.
  await onTeller(17, 'RETURN NULL');
  const { id, ...short } = await run(scales('recreate', '[1, 2]'));
  expect([short.state, short.message]).toEqual([
    'failed',
    expect.stringMatching(/pgbench_tellers: 19 rows, expected 20/),
  ]);
  const made = (await logOf(id)).flatMap((line) => /^Preparing: .*--scale=(\d+)/.exec(line)?.[1] ?? []);
  expect(made).toEqual(['1', '2']);
  expect((await engine.client.sessions.runs({ id })).map(({ state }) => state)).toEqual(['done', 'pending']);
  const tables = [{ found: 2 }, { rows: 20, found: 19 }, { found: 200_000 }];
  expect(await sets()).toMatchObject([{ state: 'partial', target: 'postgres', madeBy: id, tables }]);
});

it('lists, counts and removes data sets on the command line, never without confirmation', async () => {
  await onTeller(7, 'RETURN NULL');
  expect(await run(scales('recreate', '[1]'))).toMatchObject({ state: 'failed' });
  const [set] = await sets();
  if (!set) throw new Error('There is no data set of pgbench.');
  await engine.stop();
  onTestFinished(async () => {
    await engine.restart();
    await engine.client.app.unlockVault({ passphrase });
  });
  const file = path.join(engine.dataDir, 'passphrase.txt');
  writeFileSync(file, `${passphrase}\n`);
  chmodSync(file, 0o600);
  const cli = path.resolve(import.meta.dirname, '../../src/main/cli.ts');
  const kneepoint = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
    const all = [cli, 'data', ...args, '--data', engine.dataDir, '--passphrase-file', file];
    return promisify(execFile)(process.execPath, all).then(
      (output) => ({ code: 0, ...output }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  };
  const listed = await kneepoint('list', '--target', 'postgres', '--json');
  expect(JSON.parse(listed.stdout)).toEqual([set]);
  expect((await kneepoint('list')).stdout).toMatch(/pgbench tables of scale 1.*100,010 of 100,011.*incomplete/);
  expect(await kneepoint('count', String(set.id))).toMatchObject({ code: 1 });
  const unasked = await kneepoint('remove', String(set.id), '--json');
  expect(unasked).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/pgbench_accounts on postgres .*--yes|--yes.*pgbench_accounts on postgres/),
  });
  const removed = await kneepoint('remove', String(set.id), '--yes', '--json');
  expect(removed.code, removed.stderr).toBe(0);
  expect(JSON.parse(removed.stdout)).toMatchObject({ id: set.id, state: 'gone' });
  await expect(runSql(postgres, ['SELECT 1 FROM pgbench_accounts'])).rejects.toThrow(/pgbench_accounts/);
  expect((await kneepoint('count', String(set.id))).code).toBe(2);
});

const orders = (data: string): string => `kneepoint: 1
name: Orders
workload: { tool: sysbench, data: ${data}, options: { script: tpcc, districts: 2, customers: 20, items: 100, prepare-threads: 1 } }
where: { generators: [loadgen], target: postgres }
measure: { duration: 2 }
monitors: { generators: false, place: false }
`;
const SECOND_DISTRICT = 'NEW.ol_d_id = 2 AND NEW.ol_o_id = 3';

it('continues a prepare if the tool supports it, and counts all tables, including growing ones', async () => {
  await onRows('kp_tpcc_order_line1', SECOND_DISTRICT, 'PERFORM pg_sleep(3600)');
  await stoppedAsleep(orders('create'));
  await onRows('kp_tpcc_order_line1', SECOND_DISTRICT, undefined);
  // This detects a second preparation of the first district.
  await runSql(postgres, ["UPDATE kp_tpcc_district1 SET name = 'kept'"]);

  const line = await dataLine(orders('create'));
  expect(line).toMatchObject({ state: 'note', finding: { message: expect.stringContaining('it is continued') } });
  const session = await run(orders('create'));
  expect(session.state, session.message).toBe('done');
  await runSql(postgres, [`DO 'BEGIN ASSERT (SELECT name FROM kp_tpcc_district1 WHERE d_id = 1) = ''kept''; END'`]);
  const [set] = await sets();
  expect(set).toMatchObject({ state: 'dirty', madeBy: session.id });
  // A count of each before the trial: of 20 orders, one each has 5 to 15 lines, and nine 5 to 13.
  const lines = 2 * (110 + 81);
  const rows = {
    ...{ warehouse: 1, district: 2, customer: 40, item: 100, stock: 100 },
    ...{ orders: 40, order_line: lines, history: 40, new_order: 12 },
  };
  expectSame(
    'tables, their planned rows and those found',
    set?.tables.map((table) => [table.name, table.rows, table.found]),
    Object.entries(rows).map(([name, count]) => [`kp_tpcc_${name}1`, count, count]),
  );
  const counted = await count(set?.id);
  expect(counted.state).toBe('dirty');
  expect(counted.tables[5]?.found).toBeGreaterThanOrEqual(40);

  // More orders than prepared come from trials; fewer lines than prepared are a fault.
  expect(await dataLine(orders('create'))).toMatchObject({ state: 'note' });
  await runSql(postgres, ['DELETE FROM kp_tpcc_order_line1']);
  expect(await dataLine(orders('create'))).toMatchObject({
    state: 'block',
    finding: { message: expect.stringContaining(`kp_tpcc_order_line1: 0 rows, expected at least ${lines}`) },
  });

  await onRows('kp_tpcc_order_line1', `${SECOND_DISTRICT} AND NEW.ol_number = 1`, 'RETURN NULL');
  const short = await run(orders('recreate'));
  expect([short.state, short.message]).toEqual([
    'failed',
    expect.stringContaining(`kp_tpcc_order_line1: ${lines - 1} rows, expected ${lines}`),
  ]);
});
