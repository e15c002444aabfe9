import { createConnection } from 'mysql2/promise';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Capture, KeptCapture } from '../../src/shared/model/capture.ts';
import { atNight, byDay } from '../../src/shared/util/testing/depth.ts';
import { type DatabaseServer, startMariaDb, startMySql, startPostgres } from '../testbed/databases/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { asked } from './testing/outside.ts';
import { ended, until } from './testing/session.ts';

interface Kind {
  readonly kind: 'mysql' | 'postgres';
  readonly start: () => Promise<DatabaseServer>;
  /** The capture of statements, and how it shows sysbench's point select. */
  readonly statements: string;
  readonly select: RegExp;
  readonly before?: string;
  /** Additional options of the tool. */
  readonly options?: string;
}

/** In every version, all prepared statements share one row. */
const DIGESTS = {
  ...{
    statements: 'statement digests',
    select: /SELECT `c` FROM `sbtest1` WHERE (`id`|ID) = \?/i,
    options: ', db-ps-mode: disable',
  },
};
const ALL: Readonly<Record<string, Kind>> = {
  'MariaDB 10.11': { kind: 'mysql', start: () => startMariaDb({ settings: { performance_schema: 'ON' } }), ...DIGESTS },
  'MySQL 5.7': {
    kind: 'mysql',
    start: () => startMySql('5.7.22', { settings: { performance_schema: 'ON' } }),
    ...DIGESTS,
  },
  'MySQL 8.0': {
    kind: 'mysql',
    start: () => startMySql('8.0.33', { settings: { performance_schema: 'ON' } }),
    ...DIGESTS,
  },
  'PostgreSQL 15': {
    kind: 'postgres',
    start: () => startPostgres({ settings: { shared_preload_libraries: 'pg_stat_statements' } }),
    before: 'CREATE EXTENSION IF NOT EXISTS pg_stat_statements',
    ...{ statements: 'pg_stat_statements', select: /SELECT c FROM sbtest1 WHERE id=\$1/i },
  },
};
const KINDS = byDay(Object.keys(ALL), (name) => name === 'MariaDB 10.11');

let engine: TestEngine;
let server: DatabaseServer | undefined;
beforeEach(async () => {
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
});
afterEach(async () => {
  await engine.close();
  await server?.stop();
  server = undefined;
});

const written = (capture: Capture): string => `  - ${JSON.stringify(capture)}`;

it.each(KINDS)(
  'stores every capture of %s, and counts statements per transaction as sysbench sends them',
  async (name) => {
    const { kind, start, statements, select, before, options = '' } = ALL[name] as Kind;
    server = await start();
    const { address, port, user, database, password } = server;
    if (before !== undefined)
      await asked({ ...{ address, port, user, database, password }, product: 'postgres' }, before);
    const { client } = engine;
    const spec = {
      name: 'db',
      kind,
      via: null,
      config: { address, port, user, database, allowCleartextPassword: true },
    } as const;
    await client.targets.save({ spec, secret: password });
    const kinds = await client.targets.kinds({});
    const ready = kinds.filter((each) => [kind, 'host'].includes(each.kind)).flatMap(({ captures = [] }) => captures);
    const captures = ready.map(
      ({ capture }): Capture => ({ ...capture, ...(capture.as !== 'difference' && { at: ['end'] as const }) }),
    );
    const text = `kneepoint: 1
name: Kept
workload: { tool: sysbench, options: { script: oltp_read_only, tables: 1, table-size: 500, threads: 2, rate: 20${options} } }
where: { target: db }
measure: { duration: 3 }
monitors: { generators: false, place: false, server: false }
captures:
${captures.map(written).join('\n')}
`;
    const { id } = await client.sessions.start({ text });
    await until(client, id, ended);
    const [run] = await client.sessions.runs({ id });
    if (!run) throw new Error('The session has no run.');
    expect(run.state, run.message).toBe('done');

    const kept = await client.captures.list({ sessionId: id });
    const bare = ({ name: of, moment, problem }: KeptCapture) => ({ of, moment, problem });
    expect(kept.filter(({ problem }) => problem !== undefined).map(bare)).toEqual([]);
    for (const { name: of, as } of captures) {
      const moments = kept.filter((each) => each.name === of).map(({ moment }) => moment);
      expect([of, moments]).toEqual([of, as === 'difference' ? ['start', 'end'] : ['end']]);
    }

    const differences = await client.captures.differences({ runId: run.id });
    const found = differences.find((each) => each.name === statements);
    const count = found?.operations?.count ?? 0;
    expect(found?.operations?.word).toBe('transaction');
    expect(count).toBe(run.summary.transactions_total);
    // Exactly ten point selects per transaction, and no other statements in between.
    const calls = found?.counters.indexOf('calls') ?? -1;
    const row = found?.rows.find(({ key }) => select.test(key[0] ?? ''));
    expect((row?.grew[calls] ?? 0) / count).toBe(10);
    const [compared] = (await client.captures.compare({ one: [run.id], other: [run.id] })).filter(
      (each) => each.name === statements,
    );
    const same = compared?.rows.find(({ key }) => select.test(key[0] ?? ''))?.values[calls];
    expect(same).toEqual({ one: { mean: 10 }, other: { mean: 10 }, change: 0 });
  },
);

atNight(it)('captures a stall while it lasts: who waits for what, and for how long', async () => {
  server = await startMariaDb();
  const { address, port, user, database, password } = server;
  const { client } = engine;
  const spec = { name: 'db', kind: 'mysql', via: null, config: { address, port, user, database } } as const;
  await client.targets.save({ spec, secret: password });
  const text = `kneepoint: 1
name: A stall
workload: { tool: sysbench, options: { script: oltp_update_index, tables: 1, table-size: 500, threads: 2, rate: 100 } }
where: { target: db }
measure: { duration: 300 } # 1 % of it is room for captures on a busy machine, too
monitors: { generators: false, place: false, server: false }
captures:
  - { name: process list, statement: SHOW FULL PROCESSLIST, at: [stall] }
  - { name: InnoDB status, statement: SHOW ENGINE INNODB STATUS, as: text, at: [stall] }
`;
  const { id } = await client.sessions.start({ text });
  for await (const event of client.sessions.watch({ id })) if (event.kind === 'run' && event.run.seconds >= 6) break;
  const holder = await createConnection({ host: address, port, user, password, database });
  await holder.query('LOCK TABLES sbtest1 WRITE');
  try {
    await expect.poll(() => client.captures.list({ sessionId: id })).toHaveLength(2);
  } finally {
    await holder.query('UNLOCK TABLES');
    await holder.end();
  }
  await client.sessions.stop({ id });
  await until(client, id, ended);
  const kept = await client.captures.list({ sessionId: id });
  expect(kept.map(({ name, moment, problem }) => [name, moment, problem])).toEqual([
    ['process list', 'stall', undefined],
    ['InnoDB status', 'stall', undefined],
  ]);
  const [list, status] = await Promise.all(kept.map((each) => client.captures.content({ id: each.id })));
  const waiting = list?.table?.rows.filter((row) => row.some((cell) => /metadata lock/i.test(String(cell))));
  expect(waiting).toHaveLength(2);
  expect(status?.text).toContain('TRANSACTIONS');
  // The results find the same stall, with the capture within it.
  const [run] = await client.sessions.runs({ id });
  const [series] = await client.results.series({ runIds: [run?.id ?? 0], metrics: ['tps'] });
  const zeros = [...(series?.t ?? [])].filter((_, index) => series?.v[index] === 0);
  expect(kept[0]?.t).toBeGreaterThan((zeros[0] ?? Number.POSITIVE_INFINITY) - 1);
  expect(kept[0]?.t).toBeLessThan((zeros.at(-1) ?? 0) + 1.5);
});
