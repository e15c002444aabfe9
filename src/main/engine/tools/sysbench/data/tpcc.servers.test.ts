import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../../../../../scripts/test/recorded.ts';
import { atDepth, byDay } from '../../../../../shared/util/testing/depth.ts';
import type { Command } from '../../tool.ts';
import { DONE, FINE, type LibraryBed, libraryBed, MYSQL, SERVERS } from './testing/library-bed.ts';
import { tpccConditions } from './testing/tpcc-conditions.ts';

const LEVELS = ['read-committed', 'repeatable-read', 'serializable'] as const;
const SHARES = { new_orders: 45, payments: 43, order_status: 4, deliveries: 4, stock_levels: 4 };
type Totals = Readonly<Record<keyof typeof SHARES, number>>;

/** Ends after this many events instead of a time, however long they take. */
const ending = (command: Command, events: number): Command => ({
  ...command,
  argv: command.argv.map((word) =>
    word === '--events=0' ? `--events=${events}` : word.replace(/^--time=\d+$/, '--time=900'),
  ),
});

/** Completed transactions by kind, including intentionally rolled-back orders. */
function completed(summary: Readonly<Record<string, number>>): Totals {
  const total = (name: string): number => summary[`${name}_total`] ?? Number.NaN;
  return {
    new_orders: total('new_orders') + total('rollbacks'),
    payments: total('payments'),
    order_status: total('order_status'),
    deliveries: total('deliveries'),
    stock_levels: total('stock_levels'),
  };
}

/** Each count within 4.5 standard deviations of a binomial distribution: 1 in 100,000 is outside by chance. */
function expectMix(found: Totals, events: number): void {
  const total = Object.values(found).reduce((sum, count) => sum + count, 0);
  expectSame('transactions of all kinds', total, events);
  for (const [kind, share] of Object.entries(SHARES) as [keyof Totals, number][]) {
    const p = share / 100;
    const off = Math.abs(found[kind] - events * p) / Math.sqrt(events * p * (1 - p));
    expect(off, `${kind}: ${found[kind]} of ${events}`).toBeLessThan(4.5);
  }
}

const present = spawnSync('sysbench', ['--version']).status === 0;
// With CI=true nothing may be skipped: a missing sysbench fails the tests.
const here = describe.skipIf(!present && process.env.CI !== 'true');

// In daily runs, PostgreSQL is covered by library.servers.test.ts.
const servers = byDay(Object.entries({ ...SERVERS, MySQL: MYSQL }), ([name]) => name === 'MariaDB');

here.each(servers)('tpcc on %s', (_, server) => {
  // Two districts for eight threads, so that nearly every transaction conflicts with another one.
  const options = { script: 'tpcc', warehouses: 1, districts: 2, customers: 30, items: 200, threads: 8 };
  const conditions = tpccConditions(options);
  let bed: LibraryBed;
  beforeAll(async () => {
    bed = await libraryBed(server);
    expect(await bed.done(bed.planned(options).prepare, 'prepare')).toMatchObject(FINE);
    await bed.countsAsNeeded(options);
  });
  afterAll(() => bed.stop());
  async function broken(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const [name, query] of Object.entries(conditions)) found[name] = Number(await bed.sql.one(query));
    return Object.fromEntries(Object.entries(found).filter(([, rows]) => rows !== 0));
  }
  const expectWhole = async (): Promise<void> => expectSame('rows against the specification', await broken(), {});
  const ran = (more: Record<string, unknown>, events: number) =>
    bed.done(ending(bed.planned({ ...options, ...more }).run, events), 'run');

  it('fills the tables as specified, also with other numbers of districts and customers', async () => {
    await expectWhole();
    const one = async (query: string): Promise<number> => Number(await bed.sql.one(query));
    expect(await one('SELECT ytd FROM kp_tpcc_warehouse1')).toBe(10 * 30 * 2);
    // 20 of 200 expected: 4.5 standard deviations are 19.
    for (const table of ['kp_tpcc_item1', 'kp_tpcc_stock1']) {
      const originals = await bed.rows(`${table} WHERE data LIKE '%ORIGINAL%'`);
      expect(originals).toBeGreaterThan(1);
      expect(originals).toBeLessThan(39);
      expect(await bed.rows(`${table} WHERE CHAR_LENGTH(data) NOT BETWEEN 26 AND 50`)).toBe(0);
    }
    expect(
      await bed.rows(
        'kp_tpcc_order_line1 JOIN kp_tpcc_orders1 ON o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id WHERE delivered_at <> entered_at OR (delivered_at IS NULL) <> (amount > 0)',
      ),
    ).toBe(0);
  });

  it.each(byDay(LEVELS, (level) => level === 'serializable'))(
    'keeps its mix and its consistency at %s',
    async (isolation) => {
      const events = atDepth(400, 250);
      const before = { orders: await bed.rows('kp_tpcc_orders1'), history: await bed.rows('kp_tpcc_history1') };
      const { ok, summary, findings } = await ran({ isolation }, events);
      expect({ ok }).toEqual(DONE);
      expectMix(completed(summary), events);
      const after = { orders: await bed.rows('kp_tpcc_orders1'), history: await bed.rows('kp_tpcc_history1') };
      expectSame('rows that were counted', after, {
        orders: before.orders + (summary.new_orders_total ?? 0),
        history: before.history + (summary.payments_total ?? 0),
      });
      await expectWhole();
      const repeated = summary.ignored_errors_total ?? 0;
      // With locks, few of them conflict; without, most.
      if (isolation === 'serializable') expect(repeated).toBeGreaterThan(server.kind === 'postgres' ? events / 5 : 0);
      expect(findings.filter(({ code }) => code === 'errors-ignored')).toHaveLength(repeated > 0 ? 1 : 0);
    },
  );

  it.each(byDay([...LEVELS, ...(server.kind === 'mysql' ? ['server'] : [])], (level) => level === 'repeatable-read'))(
    'delivers each order once, including new ones, at %s',
    async (isolation) => {
      if (isolation === 'server') await bed.sql.one('SET GLOBAL TRANSACTION ISOLATION LEVEL READ UNCOMMITTED');
      const only = { 'new-orders': 0, payments: 0, 'order-status': 0, deliveries: 0, 'stock-levels': 0 };
      expect(await ran({ isolation, ...only, 'new-orders': 1 }, atDepth(60, 40))).toMatchObject(DONE);
      await expectWhole();
      const waiting = await bed.sql.one(
        'SELECT MAX(there) FROM (SELECT COUNT(*) AS there FROM kp_tpcc_new_order1 GROUP BY no_w_id, no_d_id) n',
      );
      // Each takes one order per district while there are any. None may remain, even if transactions wait for each other.
      const emptied = await ran({ isolation, ...only, deliveries: 1 }, Number(waiting));
      expect(emptied).toMatchObject({ ...DONE, summary: { deliveries_total: Number(waiting) } });
      expect(await bed.rows('kp_tpcc_new_order1')).toBe(0);
      await expectWhole();
      // Orders that are delivered immediately: newer than the snapshot of a transaction at repeatable-read.
      expect(await ran({ isolation, ...only, 'new-orders': 50, deliveries: 50 }, atDepth(200, 100))).toMatchObject(
        DONE,
      );
      await expectWhole();
    },
  );

  it('draws complete decks, rolls back on purpose, and has lines and amounts as specified', async () => {
    const { ok, summary, findings } = await ran({ threads: 1, isolation: 'read-committed' }, 100);
    expect({ ok, ...completed(summary) }).toEqual({
      ...DONE,
      ...{ new_orders: 45, payments: 43, order_status: 4, deliveries: 4, stock_levels: 4 },
    });
    // Only orders that the script itself rolls back, and these are not errors.
    expect(summary.ignored_errors_total).toBe(0);
    expect(findings.map(({ code }) => code)).not.toContain('errors-ignored');
    expect(await bed.rows('kp_tpcc_orders1 WHERE line_count NOT BETWEEN 5 AND 15')).toBe(0);
    // Prices, since all orders added by the runs are based on them.
    const wrong = `kp_tpcc_order_line1 l JOIN kp_tpcc_item1 ON i_id = ol_i_id WHERE ol_o_id > ${options.customers} AND l.amount <> l.quantity * price`;
    expect(await bed.rows(wrong)).toBe(0);
    await expectWhole();
  });

  if (server.kind === 'mysql')
    it('reports a failed run once, by its cause', async () => {
      const { ok, reason, findings } = await ran({ isolation: 'serializable', 'mysql-ignore-errors': '1020' }, 5000);
      expect({ ok, code: reason?.code }).toEqual({ ok: false, code: 'deadlock' });
      expect(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual(['deadlock']);
      await expectWhole();
    });

  if (server.kind === 'postgres')
    it('does not retry forever on impossible data', async () => {
      await bed.sql.one(
        'INSERT INTO kp_tpcc_orders1 SELECT d_w_id, d_id, next_o_id, 1, NOW(), 1, 5, 1 FROM kp_tpcc_district1',
      );
      const { ok, reason } = await ran({}, 400);
      expect({ ok, code: reason?.code }).toEqual({ ok: false, code: 'duplicate-key' });
    });

  if (server.kind === 'postgres')
    it('uses other frequent names while running than while loading', async () => {
      const some = { ...options, warehouses: 1, districts: 1, customers: 2000 };
      await bed.done(bed.planned(options).cleanup, 'cleanup');
      expect(await bed.done(bed.planned(some).prepare, 'prepare')).toMatchObject(FINE);
      await ran({ ...some, 'new-orders': 0, 'order-status': 0, deliveries: 0, 'stock-levels': 0 }, 800);
      // NURand(255, 0, 999) mostly has its lower eight bits set: these four numbers, shifted by its constant C.
      const around = (constant: number): string =>
        [255, 511, 767, 23]
          .map((number) => (number + constant) % 1000)
          .map((number) => `'${[100, 10, 1].map((place) => SYLLABLES[Math.floor(number / place) % 10]).join('')}'`)
          .join(', ');
      const named = (constant: number): Promise<number> =>
        bed.rows(`kp_tpcc_customer1 WHERE c_id > 1000 AND last IN (${around(constant)})`);
      const paidEach = async (constant: number): Promise<number> =>
        Number(
          await bed.sql.one(`SELECT AVG(payments - 1) FROM kp_tpcc_customer1 WHERE last IN (${around(constant)})`),
        );
      // 0.75 to the power of 8, a tenth, of 1000 names and of 480 payments by name; otherwise a hundredth.
      expect(await named(123)).toBeGreaterThan(60);
      expect(await named(208)).toBeLessThan(40);
      expect(await paidEach(208)).toBeGreaterThan(4 * (await paidEach(123)));
    });
});

const SYLLABLES = ['BAR', 'OUGHT', 'ABLE', 'PRI', 'PRES', 'ESE', 'ANTI', 'CALLY', 'ATION', 'EING'];
