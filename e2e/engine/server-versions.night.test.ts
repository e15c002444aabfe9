import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDED_SESSION } from '../../src/shared/model/session.ts';
import { type DatabaseServer, startMariaDb11, startMySql, startPostgresVersion } from '../testbed/databases/index.ts';
import { lacks } from '../testbed/programs.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { expectSameResult } from './testing/queries-bed.ts';
import { toolFindings } from './testing/session.ts';

const MYSQL = { kind: 'mysql', charset: ' DEFAULT CHARSET utf8mb4' } as const;
const POSTGRES = { kind: 'postgres', charset: '' } as const;
const OLD_TLS = /^none: .* no TLS 1\.2 or later$/;
const NEW_TLS = /^TLSv1\.3\b/;

/** Each with TLS on, like today's servers: the tools see one kind of login and encryption after the other. */
const SERVERS = [
  { ...MYSQL, name: 'MySQL 5.6', start: () => startMySql('5.6.24', { tls: true }), tls: OLD_TLS },
  { ...MYSQL, name: 'MySQL 5.7', start: () => startMySql('5.7.22', { tls: true }), tls: OLD_TLS },
  { ...MYSQL, name: 'MySQL 8.0', start: () => startMySql('8.0.33', { tls: true }), tls: NEW_TLS },
  { ...MYSQL, name: 'MariaDB 11.4', start: () => startMariaDb11({ tls: true }), tls: NEW_TLS },
  { ...POSTGRES, name: 'PostgreSQL 11', start: () => startPostgresVersion('11', { tls: true }), tls: NEW_TLS },
  {
    ...POSTGRES,
    name: 'PostgreSQL 18',
    start: () => startPostgresVersion('18', { tls: true }),
    tls: NEW_TLS,
  },
];

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
});
afterAll(() => engine?.close());

/** Runs a session to its end, and returns it with its runs. */
async function finished(text: string) {
  const { client } = engine;
  const { id } = await client.sessions.start({ text });
  for await (const event of client.sessions.watch({ id }))
    if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state)) break;
  const [{ session, target }, runs] = await Promise.all([client.sessions.get({ id }), client.sessions.runs({ id })]);
  return { session, target, runs };
}

describe.skipIf(lacks('sysbench') !== '').each(SERVERS)('$name', ({ kind, name, charset, start, tls }) => {
  let server: DatabaseServer;
  beforeAll(async () => {
    server = await start();
    const { address, port, user, database, password } = server;
    const spec = { name, kind, via: null, config: { address, port, user, database } } as const;
    await engine.client.targets.save({ spec, secret: password });
  });
  afterAll(() => server?.stop());

  it('is prepared, loaded and measured by sysbench', async () => {
    const { session, target, runs } = await finished(`kneepoint: 1
name: Transactions
workload: { tool: sysbench, options: { script: oltp_read_write, tables: 2, table-size: 300, rate: 20 } }
where: { target: ${name} }
factors: []
measure: { warmup: 0, duration: 2, repeats: 1 }
`);
    expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 1, trialsFailed: 0 });
    expect(target?.description).toMatchObject({ tls: expect.stringMatching(tls), durability: { level: 'safe' } });
    expect(runs).toMatchObject([{ state: 'done', summary: { transactions_total: expect.any(Number) } }]);
    const { transactions_total: transactions = 0, queries_read_total: reads } = runs[0]?.summary ?? {};
    expect(transactions).toBeGreaterThan(0);
    // Each has ten reads by key and four of ranges.
    expect(reads).toBeGreaterThanOrEqual(14 * transactions);
  });

  if (kind === 'postgres')
    it('is loaded and measured by pgbench', async () => {
      const { session, runs } = await finished(`kneepoint: 1
name: Accounts
workload: { tool: pgbench, options: { scale: 1, client: 2, rate: 20 } }
where: { target: ${name} }
factors: []
measure: { warmup: 0, duration: 2, repeats: 1 }
`);
      expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 1, trialsFailed: 0 });
      expect(runs).toMatchObject([{ state: 'done', summary: { transactions_total: expect.any(Number) } }]);
      expect(runs[0]?.summary.transactions_total).toBeGreaterThan(0);
    });

  it('returns equal results for equivalent queries', async () => {
    const { session, runs } = await finished(`kneepoint: 1
name: Two ways to count
workload:
  tool: queries
  options:
    executions: 3
    server-plan: analyze
    queries: |
      -- @prepare
      CREATE TABLE words (id INT PRIMARY KEY, word VARCHAR(20))${charset};
      INSERT INTO words VALUES (1, 'naïve'), (2, '日本語'), (3, '🙂')
      -- @clean-up
      DROP TABLE words
      -- @variant plain
      SELECT id, word FROM words
      -- @variant derived
      SELECT w.id, w.word FROM (SELECT id, word FROM words) AS w ORDER BY w.id DESC
where: { target: ${name} }
factors: [{ name: variant, option: variant, levels: [plain, derived] }]
measure: { duration: 30, repeats: 1 }
`);
    expect(session, session.message).toMatchObject({ state: 'done', trialsEnded: 2, trialsFailed: 0 });
    expectSameResult(runs);
    for (const { summary, findings } of runs) {
      expect(summary).toMatchObject({ executions_total: 3, result_rows: 3 });
      expect(toolFindings(findings).map(({ code }) => code)).toEqual(['query-plan']);
    }
  });
});
