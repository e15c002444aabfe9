import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../../../../../scripts/test/recorded.ts';
import { byDay } from '../../../../../shared/util/testing/depth.ts';
import type { Command } from '../../tool.ts';
import { unread } from '../testing/recordings.ts';
import { DONE, FINE, type LibraryBed, libraryBed, SERVERS } from './testing/library-bed.ts';

const present = spawnSync('sysbench', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing sysbench fails the tests.
const here = describe.skipIf(!present && process.env.CI !== 'true');
// In daily runs, MariaDB is covered by tpcc.servers.test.ts and resume.servers.test.ts.
here.each(byDay(Object.entries(SERVERS), ([name]) => name === 'PostgreSQL'))('the library on %s', (_, server) => {
  const { kind } = server;
  let bed: LibraryBed;
  beforeAll(async () => {
    bed = await libraryBed(server);
  });
  afterAll(() => bed.stop());
  const planned = (options: Record<string, unknown>, duration = 1) => bed.planned(options, { duration });
  const done: LibraryBed['done'] = (command, name) => bed.done(command, name);
  const rows = (table: string) => bed.rows(table);
  const countsAsNeeded: LibraryBed['countsAsNeeded'] = (options, how) => bed.countsAsNeeded(options, how);
  const cleaned = (options: Record<string, unknown>) => bed.cleaned(options);

  /** For a run that lasts its full time: events per second that leave processors for others. */
  const CALM = { rate: 100 };
  /** Ends after a few events instead of a time, however long they take. */
  const brief = (command: Command): Command => ({
    ...command,
    argv: command.argv.map((word) =>
      word === '--events=0' ? '--events=60' : word.replace(/^--time=\d+$/, '--time=600'),
    ),
  });
  /** Checks the size formula. InnoDB’s files grow in steps that are larger than small data. */
  async function sizedAsNeeded(options: Record<string, unknown>): Promise<void> {
    if (kind !== 'postgres') return;
    const there = await bed.sql.one(
      "SELECT SUM(pg_total_relation_size(pg_class.oid)) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relkind = 'r' AND (nspname = 'public' OR nspname LIKE 'kp%')",
    );
    const share = Number(there) / (bed.need(options)?.bytes ?? 0);
    expect(share).toBeGreaterThan(0.8);
    expect(share).toBeLessThan(1.25);
  }

  describe('tpcc', () => {
    const small = { script: 'tpcc', tables: 2, warehouses: 2, districts: 3, customers: 30, items: 100 };

    it('counts the actual orders, second by second and in total', async () => {
      expect(await done(planned(small).prepare, 'prepare')).toMatchObject(FINE);
      await countsAsNeeded(small);
      expect(await rows('kp_tpcc_order_line1')).toBeGreaterThan(2 * 3 * 30 * 5);
      const read = await done(planned({ ...small, ...CALM }, 2).run, 'run');
      const { ok, summary, samples } = read;
      expect({ ok, unread: unread(read) }).toEqual({ ...DONE, unread: [] });
      const before = 2 * 2 * 3 * 30;
      const orders = (await rows('kp_tpcc_orders1')) + (await rows('kp_tpcc_orders2'));
      expectSame('orders', summary.new_orders_total, orders - before);
      expect(summary.new_orders_total).toBeGreaterThan(0);
      expect(summary.transactions_total).toBeGreaterThan(summary.new_orders_total ?? 0);
      expect(samples.length).toBeGreaterThan(0);
      for (const { metrics } of samples)
        for (const id of ['tps', 'new_orders_per_s', 'rollbacks_per_s']) expect(metrics[id]).toBeGreaterThanOrEqual(0);
      await countsAsNeeded(small, { made: false });
      // With complete data it does nothing; with different data it reports what exists.
      expect(await done(planned(small).prepare, 'prepare')).toMatchObject(FINE);
      expect((await rows('kp_tpcc_orders1')) + (await rows('kp_tpcc_orders2'))).toBe(orders);
      const refused = await done(planned({ ...small, warehouses: 3 }).prepare, 'prepare');
      expect(refused.reason?.code).toBe('data-differs');
      expect(refused.reason?.evidence).toContain('warehouses=2 districts=3 customers=30 items=100');
      await cleaned(small);
    });

    it('has foreign keys and filled columns separate from the plain variant', async () => {
      const one = { ...small, tables: 1 };
      const variant = { ...one, 'foreign-keys': true, 'unset-columns': 'default', isolation: 'read-committed' };
      for (const options of [one, variant]) expect(await done(planned(options).prepare, 'prepare')).toMatchObject(FINE);
      const keys = await bed.sql.one(
        "SELECT COUNT(DISTINCT constraint_name) FROM information_schema.table_constraints WHERE constraint_type = 'FOREIGN KEY' AND table_name LIKE 'kp_tpcc_keys%'",
      );
      expect(Number(keys)).toBe(10);
      const unset = (table: string) => rows(`${table} WHERE carrier_id IS NULL`);
      expect([await unset('kp_tpcc_orders1'), await unset('kp_tpcc_keys_default_orders1')]).toEqual([2 * 3 * 9, 0]);
      expect(await done(brief(planned(variant).run), 'run')).toMatchObject(DONE);
      for (const options of [one, variant]) await done(planned(options).cleanup, 'cleanup');
      await cleaned(one);
    });
  });

  describe('insert_rows', () => {
    it('counts rows in each second', async () => {
      const options = { script: 'insert_rows', tables: 2, partitions: 3, 'partition-rows': 100, 'note-length': 10 };
      expect(await done(planned(options).prepare, 'prepare')).toMatchObject(FINE);
      await countsAsNeeded(options);
      // The second run starts with empty tables again.
      for (let round = 0; round < 2; round += 1) {
        const { run } = planned(round === 0 ? { ...options, ...CALM } : options, 2);
        const read = await done(round === 0 ? run : brief(run), 'run');
        const { ok, summary, samples } = read;
        expect({ ok, unread: unread(read) }).toEqual({ ...DONE, unread: [] });
        const there = (await rows('kp_insert1')) + (await rows('kp_insert2'));
        expectSame('rows', summary.rows_inserted_total, there);
        const inserted = samples.map(({ metrics }) => metrics.rows_inserted ?? -1);
        if (round === 0) expect(inserted.length).toBeGreaterThan(0);
        expect(inserted.every((count, index) => count >= (inserted[index - 1] ?? 0) && count <= there)).toBe(true);
        expect(samples.every(({ metrics }) => (metrics.ops_insert ?? -1) >= 0)).toBe(true);
      }
      await cleaned(options);
    });
    it('ends when its rows are inserted', async () => {
      const options = { script: 'insert_rows', indexes: 0, 'rows-per-writer': 500, 'rows-per-insert': 10 };
      const { ok, summary } = await done(planned(options, 60).run, 'run');
      expect({ ok, rows: summary.rows_inserted_total }).toEqual({ ok: true, rows: 1000 });
      expectSame('rows', await rows('kp_insert1'), 1000);
      await cleaned(options);
    });
  });

  it('insert_rows has readers next to writers at a rate, with separate figures, over existing rows', async () => {
    const load = { script: 'insert_rows', tables: 2, threads: 2, 'rows-per-writer': 400, 'rows-per-insert': 4 };
    expect(await done(planned(load, 60).run, 'run')).toMatchObject({ ok: true, summary: { rows_inserted_total: 800 } });
    const both = { ...load, 'keep-rows': true, 'rows-per-writer': 100, 'insert-rate': 80, readers: 2 };
    const read = await done(planned({ ...both, 'rows-per-read': 5 }, 60).run, 'run');
    expect({ ok: read.ok, unread: unread(read) }).toEqual({ ...DONE, unread: [] });
    expectSame('rows', (await rows('kp_insert1')) + (await rows('kp_insert2')), 1000);
    const { summary, samples } = read;
    expectSame('inserted', summary.rows_inserted_total, 200);
    expectSame('events', summary.events_total, 50 + (summary.reads_total ?? 0));
    expect(summary.reads_total).toBeGreaterThan(0);
    // 200 rows at 80 per second: the last insert of a writer starts after 2.4 s.
    expect(summary.total_time_s).toBeGreaterThan(2.3);
    for (const each of ['insert', 'read']) {
      const figure = (name: string): number => summary[`${each}_latency_${name}_ms`] ?? Number.NaN;
      expect(figure('avg')).toBeGreaterThan(0);
      expect(figure('p95')).toBeLessThanOrEqual(figure('p99'));
      // Buckets of percentiles are 2 % wide.
      expect(figure('p99')).toBeLessThanOrEqual(1.02 * figure('max'));
    }
    expect(summary.lag_max_ms).toBeGreaterThanOrEqual(summary.lag_avg_ms ?? Number.NaN);
    expect(samples.length).toBeGreaterThan(0);
    for (const { metrics } of samples) expect(metrics.ops_scan).toBeGreaterThanOrEqual(0);
    await cleaned(load);
  });

  it('lookups uses lists and ranges over either key, on the data of the sysbench scripts', async () => {
    const options = { script: 'lookups', tables: 2, 'table-size': 500, 'rand-type': 'uniform' };
    expect(await done(planned({ ...options, script: 'oltp_read_only' }).prepare, 'prepare')).toMatchObject(FINE);
    await countsAsNeeded(options);
    for (const query of ['in-list', 'hot-in-list', 'range', 'update-in-list', 'update-one'])
      for (const key of ['primary', 'secondary'])
        for (const covering of [false, true]) {
          const result = await done(brief(planned({ ...options, query, key, covering, values: 20 }).run), 'run');
          expect(result, `${query} ${key} ${covering}`).toMatchObject(DONE);
          expect(result.summary.events_total).toBeGreaterThanOrEqual(60);
        }
    await countsAsNeeded(options);
    await cleaned(options);
  });

  it('reads_outside writes in transactions and reads before them', async () => {
    const options = { script: 'reads_outside', 'table-size': 500, 'point-selects': 3, 'rand-type': 'uniform' };
    expect(await done(planned(options).prepare, 'prepare')).toMatchObject(FINE);
    const { ok, summary } = await done(brief(planned({ ...options, threads: 1 }).run), 'run');
    expect(ok).toBe(true);
    const events = summary.events_total ?? 0;
    expectSame('reads', summary.queries_read_total, 7 * events);
    await countsAsNeeded(options);
    await cleaned(options);
  });

  it('object_history keeps its rows, with and without a primary key', async () => {
    const options = { script: 'object_history', objects: 10_050, 'history-records': 2, threads: 4 };
    for (const keyed of [false, true]) {
      const variant = { ...options, 'history-key': keyed, 'rand-type': 'special' };
      expect(await done(planned(variant).prepare, 'prepare')).toMatchObject(FINE);
      await countsAsNeeded(variant);
      await sizedAsNeeded(variant);
      expect(await done(planned({ ...variant, ...CALM }).run, 'run')).toMatchObject(DONE);
      await countsAsNeeded(variant);
      await done(planned(variant).cleanup, 'cleanup');
    }
    await cleaned(options);
  });

  it('many_schemas continues an interrupted prepare and does not touch foreign schemas', async () => {
    const options = { script: 'many_schemas', schemas: 6, 'tables-per-schema': 2, 'rows-per-table': 3 };
    await bed.sql.one('CREATE SCHEMA kp_schema_5');
    const refused = await done(planned({ ...options, 'prepare-threads': 1 }).prepare, 'prepare');
    expect(refused).toMatchObject({ ok: false, reason: { code: 'schema-exists' } });
    expect(await rows('kp_schema_begun')).toBe(4);
    await bed.sql.one('DROP SCHEMA kp_schema_5');
    expect(await done(planned(options).prepare, 'prepare')).toMatchObject(FINE);
    await countsAsNeeded(options);
    for (const table of ['kp_schema_1.t1', 'kp_schema_6.t2']) expect(await rows(table)).toBe(3);
    expect(await done(brief(planned(options).run), 'run')).toMatchObject(DONE);
    await cleaned(options);
    const left = "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name LIKE 'kp_schema_%'";
    expect(Number(await bed.sql.one(left))).toBe(0);
  });

  const measured = [
    { script: 'tpcc', districts: 2, customers: 500, items: 3000 },
    { script: 'tpcc', districts: 1, customers: 300, items: 2000, 'foreign-keys': true, 'unset-columns': 'default' },
    { script: 'key_popularity', 'table-size': 20_000 },
    { script: 'many_schemas', schemas: 4, 'tables-per-schema': 5, 'rows-per-table': 1000, 'indexed-column': true },
    { script: 'many_schemas', schemas: 10, 'tables-per-schema': 20, 'rows-per-table': 0 },
  ];
  // In daily runs, one of each counting method.
  const sized = byDay<(typeof measured)[number]>(measured, (_options, index) => [0, 2, 3].includes(index));
  it.each(kind === 'postgres' ? sized : [])('has the stated size: %o', async (options) => {
    expect(await done(planned(options).prepare, 'prepare')).toMatchObject(FINE);
    await sizedAsNeeded(options);
    await cleaned(options);
  });

  it('key_popularity counts every lookup, and Zipf sends most of them to few rows', async () => {
    const options = { script: 'key_popularity', 'table-size': 1000, lookups: 3000, distribution: 'zipf' };
    expect(await done(planned(options).prepare, 'prepare')).toMatchObject(FINE);
    await countsAsNeeded(options);
    const shares: number[] = [];
    for (const change of [{ theta: 2 }, { theta: 0 }, { distribution: 'rand-type', 'rand-type': 'uniform' }]) {
      const { ok, summary } = await done(planned({ ...options, ...change }, 60).run, 'run');
      expect({ ok }).toEqual(DONE);
      expectSame('lookups', summary.lookups_total, 3000);
      const parts = Array.from({ length: 20 }, (_, index) => summary[`hits_in_part_${index + 1}_of_20`] ?? 0);
      const hits = parts.reduce((sum, part) => sum + part, 0);
      expectSame('lookups of all parts', hits, 3000);
      expect(summary.rows_for_50_percent).toBeLessThanOrEqual(summary.rows_for_90_percent ?? 0);
      expect(summary.rows_hit_total).toBeLessThanOrEqual(1000);
      shares.push((summary.hits_of_hottest_1 ?? 0) / 3000);
    }
    // 1 / (1 + 1/4 + 1/9 + …) is 0.61; uniformly, each row would get 0.001.
    expect(shares[0]).toBeGreaterThan(0.5);
    expect(shares[0]).toBeLessThan(0.7);
    for (const share of shares.slice(1)) expect(share).toBeLessThan(0.02);
    await cleaned(options);
  });

  it('runs a custom script with its options, its data and its figures', async () => {
    const text = `
      sysbench.cmdline.options = { rows = {"Rows", 10}, answer = {"What to add", 1} }
      local con
      function prepare()
        local con = sysbench.sql.driver():connect()
        con:query("CREATE TABLE kp_own (id INTEGER NOT NULL PRIMARY KEY)")
        for id = 1, sysbench.opt.rows do con:query("INSERT INTO kp_own VALUES (" .. id .. ")") end
      end
      function cleanup() sysbench.sql.driver():connect():query("DROP TABLE IF EXISTS kp_own") end
      function thread_init() drv = sysbench.sql.driver() con = drv:connect() end
      function event() con:query("SELECT id FROM kp_own WHERE id = " .. sysbench.rand.default(1, sysbench.opt.rows)) end
      sysbench.hooks.report_intermediate = function(stat)
        print(string.format("[ %.0fs ] metrics: rows_inserted=%d", stat.time_total, 41 + sysbench.opt.answer))
        sysbench.report_default(stat)
      end`;
    const own = { script: 'own', 'script-text': text, 'script-options': 'rows=7', 'script-prepare': true };
    const options = { ...own, 'script-tables': 'kp_own = rows' };
    expect(await done(planned(options).prepare, 'prepare')).toMatchObject(FINE);
    expect(bed.need(options)?.tables).toEqual([{ name: 'kp_own', rows: 7 }]);
    await countsAsNeeded(options);
    const { ok, samples } = await done(planned({ ...options, ...CALM }, 2).run, 'run');
    expect({ ok }).toEqual(DONE);
    expect(samples[0]?.metrics).toMatchObject({ rows_inserted: 42 });
    await cleaned(options);
  });

  it('prepares with a custom script that does not divide its work between threads', async () => {
    const text = `
      sysbench.cmdline.options = { rows = {"Rows", 10} }
      local function make()
        local con = sysbench.sql.driver():connect()
        con:query("CREATE TABLE kp_ledger (id INT PRIMARY KEY, v INT)")
        for id = 1, sysbench.opt.rows do con:query("INSERT INTO kp_ledger VALUES (" .. id .. ", 1)") end
      end
      sysbench.cmdline.commands = { prepare = {make, sysbench.cmdline.PARALLEL_COMMAND} }
      function cleanup() sysbench.sql.driver():connect():query("DROP TABLE IF EXISTS kp_ledger") end
      function event() end`;
    const options = {
      ...{ script: 'own', 'script-text': text, 'script-prepare': true, 'script-tables': 'kp_ledger = rows' },
    };
    expect(await done(planned(options).prepare, 'prepare')).toMatchObject(FINE);
    expect(await rows('kp_ledger')).toBe(10);
    const again = await done(planned({ ...options, 'prepare-threads': 4 }).prepare, 'prepare');
    expect(again.reason).toMatchObject({ code: 'table-exists', next: expect.stringContaining('prepare-threads to 1') });
    await cleaned(options);
  });

  it('runs a script from before sysbench 1.0, which reads options from globals', async () => {
    const text = `
      function thread_init(thread_id)
        rows = tonumber(rows) or 3
      end
      function event(thread_id)
        db_query("SELECT " .. rows + shift .. " / (" .. rows .. " - 4) FROM " .. from)
      end`;
    const options = { script: 'own', 'script-text': text, 'script-options': 'shift=2 rows=5 from="(SELECT 1) one"' };
    expect(await done(brief(planned(options).run), 'run')).toMatchObject(DONE);
    const missing = await done(brief(planned({ ...options, 'script-options': 'shift=2' }).run), 'run');
    expect(missing.reason?.code).toBe('script-error');
  });

  it('prints checkpoints and the percentiles of a histogram', async () => {
    const options = { script: 'oltp_point_select', 'table-size': 500, histogram: true, 'report-checkpoints': '1' };
    await done(planned(options).prepare, 'prepare');
    // The histogram covers the time after the checkpoint, which can be a second late on a busy machine, but never four.
    const { ok, summary, checkpoints } = await done(planned({ ...options, ...CALM }, 5).run, 'run');
    expect({ ok }).toEqual(DONE);
    expect(checkpoints?.map(({ t }) => t >= 1)).toEqual([true]);
    expect(checkpoints?.[0]?.summary.transactions_total).toBeGreaterThan(0);
    expect(summary.latency_p50_ms).toBeLessThanOrEqual(summary.latency_p99_ms ?? 0);
    expect(summary.latency_p99_ms).toBeLessThanOrEqual((summary.latency_max_ms ?? 0) * 1.05 + 0.01);
    await cleaned(options);
  });
});
