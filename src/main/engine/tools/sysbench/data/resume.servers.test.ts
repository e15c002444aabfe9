import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Breaker, type Moment, startBreaker } from '../../../../../../e2e/testbed/breaker.ts';
import { type Pooler, startPgBouncer } from '../../../../../../e2e/testbed/databases/index.ts';
import { expectSame } from '../../../../../../scripts/test/recorded.ts';
import { byDay, NIGHT } from '../../../../../shared/util/testing/depth.ts';
import { perform } from '../../testing/perform.ts';
import { FINE, type LibraryBed, libraryBed, SERVERS } from './testing/library-bed.ts';

const present = spawnSync('sysbench', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing sysbench fails the tests.
const here = describe.skipIf(!present && process.env.CI !== 'true');
here.each(Object.entries(SERVERS))('a prepare of the library that is killed, on %s', (_, server) => {
  let bed: LibraryBed;
  let breaker: Breaker;
  beforeAll(async () => {
    bed = await libraryBed(server);
    breaker = await startBreaker(bed.server);
  });
  afterAll(async () => {
    await breaker.close();
    await bed.stop();
  });

  const through = (options: Record<string, unknown>) => bed.planned(options, { port: breaker.port });
  /** Starts a command and kills it at a moment, which must occur. */
  async function killedAt(
    moment: Moment,
    options: Record<string, unknown>,
    name: 'prepare' | 'cleanup' = 'prepare',
    hold = false,
  ): Promise<void> {
    const step = through(options)[name];
    if (!step) throw new Error(`there is no step ${name}`);
    breaker.reset({ hold });
    const { exit, stderr, stdout } = await perform(step, bed.folder, { killed: breaker.reached(moment) });
    expect({ ...exit, moment, output: exit.signal ? '' : stdout + stderr }).toEqual({
      signal: 'SIGKILL',
      moment,
      output: '',
    });
  }
  /** Continues to the end, then runs once more, which must not change anything. */
  async function completes(options: Record<string, unknown>): Promise<void> {
    breaker.reset();
    expect(await bed.done(through(options).prepare, 'prepare')).toMatchObject(FINE);
    await bed.countsAsNeeded(options);
    breaker.reset();
    expect(await bed.done(through(options).prepare, 'prepare')).toMatchObject(FINE);
    for (const word of ['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'ALTER', 'DROP'])
      expect(breaker.sent(word), word).toBe(0);
    expect(breaker.sent('SELECT')).toBeGreaterThan(0);
    await bed.countsAsNeeded(options);
  }

  // MariaDB commits pending changes before each table definition change.
  const threadCounts = server.kind === 'mysql' || NIGHT ? byDay([1, 4], (threads) => threads === 4) : [];
  it.each(threadCounts)('completes tpcc in the end, with %i threads', async (threads) => {
    const options = {
      ...{ script: 'tpcc', tables: 2, warehouses: 2, districts: 2, customers: 31, items: 120, 'foreign-keys': true },
      'prepare-threads': threads,
    };
    const moments: Moment[] = [
      { text: 'CREATE TABLE kp_tpcc_keys_parts' },
      { text: 'CREATE TABLE kp_tpcc_keys_history1' },
      { text: 'CREATE TABLE kp_tpcc_keys_stock2', when: 'after' },
      { text: 'INSERT INTO kp_tpcc_keys_item', when: 'after' },
      { text: 'INSERT INTO kp_tpcc_keys_history' },
      { text: 'INSERT INTO kp_tpcc_keys_history', when: 'after' },
      { text: 'INSERT INTO kp_tpcc_keys_order_line', nth: 2, when: 'after' },
      { text: 'COMMIT', nth: 2 },
      { text: 'COMMIT', when: 'after' },
      { text: 'CREATE INDEX', nth: 2, when: 'after' },
      { text: 'FOREIGN KEY', nth: 4, when: 'after' },
      { text: 'FOREIGN KEY', nth: 2 },
      { text: "VALUES (-1, 'done')" },
      { text: "VALUES (-2, 'done')", when: 'after' },
    ];
    for (const moment of moments) await killedAt(moment, options);
    await completes(options);
    const keys =
      "SELECT COUNT(DISTINCT constraint_name) FROM information_schema.table_constraints WHERE constraint_type = 'FOREIGN KEY'";
    expectSame('foreign keys', Number(await bed.sql.one(keys)), 20);
    const indexes =
      server.kind === 'postgres'
        ? "SELECT COUNT(*) FROM pg_indexes WHERE indexname LIKE 'kp_tpcc_keys_%_name' OR indexname LIKE 'kp_tpcc_keys_orders%_customer'"
        : "SELECT COUNT(DISTINCT index_name) FROM information_schema.statistics WHERE index_name LIKE 'kp_tpcc_keys_%_name' OR index_name LIKE 'kp_tpcc_keys_orders%_customer'";
    expectSame('indexes', Number(await bed.sql.one(indexes)), 4);
    await bed.cleaned(options);
  });

  it('waits for the running work of a lost generator', async () => {
    const options = { script: 'key_popularity', 'table-size': 500, 'prepare-threads': 1 };
    await killedAt({ text: "SET words = 'done'", when: 'after' }, options, 'prepare', true);
    breaker.reset();
    const second = bed.done(through(options).prepare, 'prepare');
    const waiting =
      server.kind === 'postgres'
        ? "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        : "SELECT COUNT(*) FROM information_schema.processlist WHERE state = 'User lock'";
    await expect.poll(async () => Number(await bed.sql.one(waiting)), { interval: 20 }).toBe(1);
    breaker.release();
    expect(await second).toMatchObject(FINE);
    await bed.countsAsNeeded(options);
    await bed.cleaned(options);
  });

  if (server.kind === 'mysql' && !NIGHT) return;

  it('completes object_history in the end', async () => {
    // Without a key, only the count would reveal a duplicate record.
    const options = { script: 'object_history', objects: 30_050, 'history-records': 1, 'prepare-threads': 2 };
    const moments: Moment[] = [
      { text: 'CREATE TABLE kp_section' },
      { text: 'CREATE INDEX', when: 'after' },
      { text: 'INSERT INTO kp_history', when: 'after' },
      { text: 'INSERT INTO kp_history', nth: 2, when: 'after' },
      { text: 'COMMIT' },
      { text: 'COMMIT', when: 'after' },
    ];
    for (const moment of moments) await killedAt(moment, options);
    await completes(options);
    await bed.cleaned(options);
  });

  it('ignores the remains of a killed cleanup', async () => {
    const options = { script: 'tpcc', districts: 1, customers: 10, items: 100 };
    await completes(options);
    await killedAt({ text: 'DROP TABLE IF EXISTS kp_tpcc_stock1' }, options, 'cleanup');
    await completes(options);
    await bed.cleaned(options);
  });

  it('continues many_schemas and its killed cleanup', async () => {
    const options = {
      script: 'many_schemas',
      schemas: 5,
      'tables-per-schema': 2,
      'rows-per-table': 3,
      'indexed-column': true,
    };
    for (const moment of [
      { text: 'CREATE TABLE kp_schema_begun', when: 'after' as const },
      { text: 'CREATE SCHEMA IF NOT EXISTS kp_schema_2', when: 'after' as const },
      { text: 'INSERT INTO kp_schema_3.t2', when: 'after' as const },
      { text: 'RENAME TO kp_schemas', when: 'after' as const },
    ])
      await killedAt(moment, { ...options, 'prepare-threads': 1 });
    await completes(options);
    await killedAt({ text: 'DROP SCHEMA IF EXISTS kp_schema_3', when: 'after' }, options, 'cleanup');
    await completes(options);
    for (let schema = 1; schema <= 5; schema += 1)
      for (const table of [1, 2]) expectSame('rows', await bed.rows(`kp_schema_${schema}.t${table}`), 3);
    await bed.cleaned(options);
  });
});

here('a prepare of the library through a pooler that lends a connection for a transaction', () => {
  let bed: LibraryBed;
  let pooler: Pooler;
  beforeAll(async () => {
    bed = await libraryBed(SERVERS.PostgreSQL);
    pooler = await startPgBouncer(bed.server, { size: 2 });
  });
  afterAll(async () => {
    await pooler?.stop();
    await bed.stop();
  });

  it.each([
    { script: 'key_popularity', 'table-size': 500, 'prepare-threads': 4 },
    { script: 'many_schemas', schemas: 5, 'tables-per-schema': 2, 'rows-per-table': 3, 'prepare-threads': 4 },
  ])('completes $script repeatedly and leaves no lock', async (options) => {
    for (let round = 0; round < 2; round += 1) {
      const { prepare, cleanup } = bed.planned(options, { port: pooler.port });
      expect(await bed.done(prepare, 'prepare')).toMatchObject(FINE);
      await bed.countsAsNeeded(options);
      expect(await bed.done(cleanup, 'cleanup')).toMatchObject(FINE);
    }
    expectSame('locks', Number(await bed.sql.one("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory'")), 0);
  });
});
