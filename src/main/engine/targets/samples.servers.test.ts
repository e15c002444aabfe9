import { createConnection } from 'mysql2/promise';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type DatabaseServer,
  runSql,
  startMariaDb,
  startMySql,
  startPostgres,
  startPostgresVersion,
} from '../../../../e2e/testbed/databases/index.ts';
import { byDay } from '../../../shared/util/testing/depth.ts';
import { targetByKind } from './index.ts';
import type { ServerSample, TargetSession } from './target.ts';
import { lastOf, meaning } from './testing/samples.ts';
import { openServer, problemOf } from './testing/servers.ts';

// Log syncs are counted, and files in memory need none.
const WATCHED = { settings: { performance_schema: 'ON' }, onDisk: true };
const SERVERS = [
  { name: 'MariaDB 10.11', kind: 'mysql', start: () => startMariaDb(WATCHED) },
  { name: 'MySQL 8.0.33', kind: 'mysql', start: () => startMySql('8.0.33', WATCHED) },
  { name: 'PostgreSQL 15', kind: 'postgres', start: () => startPostgres({ onDisk: true }) },
  { name: 'PostgreSQL 18', kind: 'postgres', start: () => startPostgresVersion('18', { onDisk: true }) },
] as const;

/** A connection of the load that stays open. */
interface Worker {
  run(sql: string): Promise<unknown>;
  end(): Promise<void>;
}

async function workerOf(server: DatabaseServer): Promise<Worker> {
  const { user, password, database, socket, address, port } = server;
  if (server.product === 'postgres') {
    const client = new Client({ host: address, port, user, password, database });
    await client.connect();
    return { run: (sql) => client.query(sql), end: () => client.end() };
  }
  const connection = await createConnection({ socketPath: socket, user, password, database });
  return { run: (sql) => connection.query(sql), end: () => connection.end() };
}

/** Syncs since the start of a MySQL or MariaDB, as reported to any account. */
async function syncsOf(load: Worker): Promise<number> {
  const [rows] = (await load.run("SHOW GLOBAL STATUS LIKE 'Innodb\\_%\\_fsyncs'")) as [
    { Variable_name: string; Value: string }[],
  ];
  const of = (name: string) => rows.find(({ Variable_name }) => Variable_name === name)?.Value;
  return Number(of('Innodb_os_log_fsyncs') ?? of('Innodb_data_fsyncs'));
}

const SELECTS = 1000;
const INSERTS = 200;
/** PostgreSQL: number of rows, minimum bytes per row in its page and in the WAL, and bytes of a page. */
const ROWS = 20_000;
const LEAST_ROW = 32;
const LEAST_WAL = 40;
const PAGE = 8192;
/** MySQL and MariaDB: amount of data, number of commits, and the log capacity of the test servers. */
const FILLED_MIB = 4;
const COMMITS = 20;
const LOG_MIB = 32;
/** Maximum statements added by samples and background work of the server. */
const MOST_EXTRA = 60;

const servers = byDay<(typeof SERVERS)[number]>(SERVERS, ({ name }) =>
  ['MariaDB 10.11', 'PostgreSQL 18'].includes(name),
);

describe.each(servers)('samples of $name', ({ name, kind, start }) => {
  const rules = targetByKind(kind).monitoring?.rules ?? [];
  const isPostgres = kind === 'postgres';
  let server: DatabaseServer;
  let session: Required<TargetSession>;
  beforeAll(async () => {
    server = await start();
    await runSql(server, [
      'CREATE TABLE watched (id INT PRIMARY KEY, v INT)',
      'INSERT INTO watched VALUES (1, 0), (2, 0), (3, 0)',
    ]);
    session = await openServer(targetByKind(kind), server);
  });
  afterAll(async () => {
    await session.close();
    await server.stop();
  });

  const workers: Worker[] = [];
  const worker = async (): Promise<Worker> => {
    const made = await workerOf(server);
    workers.push(made);
    return made;
  };
  afterEach(() => Promise.all(workers.splice(0).map((each) => each.end())));

  /** Samples until a series has reached a value. */
  const untilSeries = async (
    before: ServerSample[],
    id: (last: ServerSample['metrics']) => string,
    least: number,
  ): Promise<ServerSample[]> => {
    let samples: ServerSample[] = [];
    await expect
      .poll(
        async () => {
          samples = [...before, await session.sample()];
          return lastOf(rules, samples, id(samples.at(-1)?.metrics ?? {}));
        },
        { interval: 50 },
      )
      .toBeGreaterThanOrEqual(least);
    return samples;
  };
  /** Samples until the series with this meaning has reached a value. */
  const until = (before: ServerSample[], means: string, least: number): Promise<ServerSample[]> =>
    untilSeries(before, (last) => meaning(rules, last, means), least);
  const lastValue = (samples: ServerSample[], means: string): number =>
    lastOf(rules, samples, meaning(rules, samples.at(-1)?.metrics ?? {}, means)) ?? Number.NaN;

  test('count 1000 selects and 200 inserts', async () => {
    const load = await worker();
    const syncsBefore = isPostgres ? 0 : await syncsOf(load);
    const before = await until([], 'connections', isPostgres ? 1 : 2);
    for (let n = 0; n < SELECTS; n += 1) await load.run(`SELECT v FROM watched WHERE id = ${1 + (n % 3)}`);
    for (let n = 0; n < INSERTS; n += 1) await load.run(`INSERT INTO watched VALUES (${1000 + n}, ${n})`);
    // Otherwise the backend would not publish the last ones for ten seconds.
    if (isPostgres) await load.run('SELECT pg_stat_force_next_flush()');
    const samples = await until(before, 'rows-written', INSERTS);
    expect(lastValue(samples, 'rows-written')).toBe(INSERTS);
    const read = lastValue(samples, 'rows-read');
    expect(read).toBeGreaterThanOrEqual(SELECTS);
    const done = lastValue(samples, isPostgres ? 'transactions' : 'statements');
    expect(done).toBeGreaterThanOrEqual(SELECTS + INSERTS);
    expect(done).toBeLessThan(SELECTS + INSERTS + MOST_EXTRA);
    if (!isPostgres) {
      const selects = lastOf(rules, samples, 'Com_select');
      expect(selects).toBeGreaterThanOrEqual(SELECTS);
      expect(selects).toBeLessThan(SELECTS + MOST_EXTRA);
      expect(lastOf(rules, samples, 'Com_insert')).toBe(INSERTS);
      // One per commit. MySQL's own threads add some, on a busy machine as many again.
      const syncs = lastValue(samples, 'log-syncs');
      expect(syncs).toBeGreaterThanOrEqual(INSERTS);
      expect(syncs).toBeLessThanOrEqual((await syncsOf(load)) - syncsBefore);
    }
    expect(lastValue(samples, 'log-mib') * 1024 ** 2).toBeGreaterThan(INSERTS * 30);
    expect(lastValue(samples, 'connections')).toBe(isPostgres ? 1 : 2);
    expect(lastValue(samples, 'cache-hits')).toBeGreaterThan(90);
    expect(lastValue(samples, 'lock-waiters')).toBe(0);
    expect(lastValue(samples, 'deadlocks')).toBe(0);
    if (!isPostgres) expect(lastValue(samples, 'cache-transfers')).toBe(0);
  });

  if (isPostgres)
    test('show a requested checkpoint, its writes, and the WAL before it', async () => {
      const load = await worker();
      await load.run('CHECKPOINT');
      const since = (samples: ServerSample[]): number =>
        lastOf(rules, samples, 'log.since_checkpoint_mib') ?? Number.NaN;
      const start = [await session.sample()];
      await load.run(`INSERT INTO watched SELECT n, n FROM generate_series(10001, ${10_000 + ROWS}) n`);
      const before = [await session.sample()];
      expect(since(before) - since(start)).toBeGreaterThan((ROWS * LEAST_WAL) / 2 ** 20);
      await load.run('CHECKPOINT');
      const after = await untilSeries(before, () => 'log.checkpoints_requested', 1);
      expect(lastOf(rules, after, 'log.checkpoints_requested')).toBe(1);
      expect(lastOf(rules, after, 'log.checkpoints_timed')).toBe(0);
      expect(since(after)).toBeLessThan(since(before));
      // Some of them may have been written in the background before.
      const pages = (ROWS * LEAST_ROW) / PAGE / 2;
      expect(lastOf(rules, after, 'cache.written_by_checkpoints')).toBeGreaterThan(pages);
      if (name !== 'PostgreSQL 15')
        expect(lastOf(rules, after, 'pg_stat_io.relation.checkpointer.writes')).toBeGreaterThan(pages);
    });
  else
    test('show writes by an enabled InnoDB counter, and the distance of the log from its checkpoint', async () => {
      const load = await worker();
      await load.run("SET GLOBAL innodb_monitor_enable = 'trx_commits_insert_update'");
      await load.run('CREATE TABLE filled (id INT PRIMARY KEY, v LONGTEXT)');
      const before = [await session.sample()];
      for (let n = 0; n < COMMITS; n += 1)
        await load.run(`INSERT INTO filled VALUES (${n}, REPEAT('x', ${FILLED_MIB * 2 ** 20} / ${COMMITS}))`);
      const after = [...before, await session.sample()];
      const commits = lastOf(rules, after, 'innodb_metrics.trx_commits_insert_update');
      expect(commits).toBeGreaterThanOrEqual(COMMITS);
      expect(commits).toBeLessThan(2 * COMMITS);
      // Pages may be written in the meantime, which reduces the checkpoint age.
      const written = lastValue(after, 'log-mib');
      expect(written).toBeGreaterThan(FILLED_MIB);
      const grown = lastValue(after, 'checkpoint-age') - lastValue(before, 'checkpoint-age');
      expect(grown).toBeGreaterThan(((written / LOG_MIB) * 100) / 4);
      expect(grown).toBeLessThan(100);
    });

  test('show a session waiting for a row, its blocker, and the waiting time', async () => {
    const [keeper, waiter] = [await worker(), await worker()];
    const before = [await session.sample()];
    await keeper.run('BEGIN');
    await keeper.run('UPDATE watched SET v = 1 WHERE id = 1');
    const asked = performance.now();
    const kept = keeper.run(isPostgres ? 'SELECT pg_sleep(2)' : 'SELECT SLEEP(2)').then(() => keeper.run('COMMIT'));
    const changed = waiter.run('UPDATE watched SET v = 2 WHERE id = 1').then(() => performance.now() - asked);
    const sleeping = isPostgres ? 'wait_event.Timeout.PgSleep' : 'sessions.User sleep';
    let during = before;
    await expect
      .poll(
        async () => {
          during = [...before, await session.sample()];
          return {
            waiting: lastValue(during, 'lock-waiters'),
            sleeping: lastOf(rules, during, sleeping),
            // MySQL counts its event scheduler as running.
            running: lastValue(during, 'running') - lastValue(before, 'running'),
          };
        },
        { interval: 50 },
      )
      .toEqual({ waiting: 1, sleeping: 1, running: 2 });
    if (isPostgres) expect(lastOf(rules, during, 'wait_event.Lock.transactionid')).toBe(1);
    await kept;
    const waited = await changed;
    const after = [...before, await session.sample()];
    expect(lastValue(after, 'lock-waiters')).toBe(0);
    // A state that has ended is 0, not a gap.
    expect(lastOf(rules, after, sleeping)).toBe(0);
    if (!isPostgres) {
      expect(lastValue(after, 'lock-waits')).toBe(1);
      const time = lastValue(after, 'lock-wait-time');
      expect(time).toBeGreaterThan(waited / 2);
      expect(time).toBeLessThanOrEqual(waited + 1);
    }
  });

  test('include visible values of an account without privileges, and report missing ones once', async () => {
    const password = 'Little-Fixture-pw1';
    await runSql(
      server,
      isPostgres
        ? [`CREATE ROLE little LOGIN PASSWORD '${password}'`]
        : [`CREATE USER little IDENTIFIED BY '${password}'`, `GRANT SELECT ON ${server.database}.* TO little`],
    );
    const little = await openServer(targetByKind(kind), server, { user: 'little', secret: password });
    const first = await little.sample();
    expect(first.problems?.join(' ')).toContain(isPostgres ? 'Grant pg_monitor' : 'GRANT PROCESS');
    const second = await little.sample();
    expect(second).not.toHaveProperty('problems');
    for (const means of ['connections', 'rows-read', 'cache-hits', 'log-mib']) {
      expect(meaning(rules, second.metrics, means)).toBeTypeOf('string');
    }
    // The app's other connection is visible, if only as a count.
    expect(lastValue([second], 'connections')).toBeGreaterThanOrEqual(1);
    await little.close();
  });

  test('from a statement contain columns of its first row, or rows of names and numbers', async () => {
    expect(await session.sampleStatement("SELECT 1 AS one, 2.5 AS half, 'x' AS word -- and a comment")).toEqual({
      one: 1,
      half: 2.5,
    });
    expect(await session.sampleStatement("SELECT 'first', 1 UNION ALL SELECT 'second', 2 ORDER BY 1")).toEqual({
      first: 1,
      second: 2,
    });
    expect(await session.sampleStatement('SELECT v FROM watched WHERE id = -1')).toEqual({});
    const problem = await problemOf(session.sampleStatement('SELECT nothing FROM nowhere'));
    expect(problem).toMatchObject({ code: 'change-refused', message: expect.stringContaining('nowhere') });
    expect(Object.keys((await session.sample()).metrics).length).toBeGreaterThan(50);
  });

  // One server per family is sufficient for tests that take the limit of five seconds.
  if (['MariaDB 10.11', 'PostgreSQL 18'].includes(name))
    test('cancel a statement that does not end on the server, and continue', async () => {
      const slow = isPostgres ? 'SELECT pg_sleep(600)' : 'SELECT SLEEP(600)';
      const problem = await problemOf(session.sampleStatement(slow));
      expect(problem).toMatchObject({ code: 'change-refused', message: expect.stringMatching(/time/) });
      const { metrics } = await session.sample();
      expect(lastValue([{ metrics }], 'running')).toBe(0);
    });

  test('end with the server and its error message', async () => {
    await server.kill('SIGKILL');
    expect(await problemOf(session.sample())).toMatchObject({ code: 'target-unreachable' });
  });
});

test('samples of a MariaDB with a thread pool count waits for a thread and for locks of other kinds, and refused connections', async () => {
  const settings = { thread_handling: 'pool-of-threads', max_connections: '10' };
  const server = await startMariaDb({ settings });
  const session = await openServer(targetByKind('mysql'), server);
  const rules = targetByKind('mysql').monitoring?.rules ?? [];
  const workers: Worker[] = [];
  try {
    const before = await session.sample();
    expect(before.metrics['threadpool.queued']).toBe(0);
    const refused = expect.objectContaining({ code: 'ER_CON_COUNT_ERROR' });
    await expect(
      (async () => {
        for (let count = 0; count <= 12; count += 1) workers.push(await workerOf(server));
      })(),
    ).rejects.toEqual(refused);
    const samples = [before, await session.sample()];
    const lastValue = (means: string) => lastOf(rules, samples, meaning(rules, before.metrics, means));
    expect(lastValue('refused')).toBe(1);
    expect(lastValue('admission-waiters')).toBe(0);
    // The process list reports its sessions, as performance_schema is off.
    const [keeper, ...others] = workers;
    if (!keeper) throw new Error('Nobody could connect.');
    await keeper.run("SELECT GET_LOCK('kept', 1)");
    await keeper.run('CREATE TABLE kept (v INT) ENGINE=MyISAM');
    await keeper.run('LOCK TABLES kept WRITE');
    const waits = [others[0]?.run("SELECT GET_LOCK('kept', 60)"), others[1]?.run('INSERT INTO kept VALUES (1)')];
    const lockWaiters = async () => {
      const { metrics } = await session.sample();
      return lastOf(rules, [before, { metrics }], meaning(rules, metrics, 'lock-waiters'));
    };
    await expect.poll(lockWaiters, { interval: 50 }).toBe(2);
    await keeper.run('UNLOCK TABLES');
    await keeper.run("DO RELEASE_LOCK('kept')");
    await Promise.all(waits);
    expect(await lockWaiters()).toBe(0);
  } finally {
    await Promise.all(workers.map((each) => each.end()));
    await session.close();
    await server.stop();
  }
});
