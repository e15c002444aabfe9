import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { startClickHouseServer } from '../../../../../e2e/testbed/databases/index.ts';
import { byDay } from '../../../../shared/util/testing/depth.ts';
import { runProgram, samplesOf, shownOf } from '../testing/client-program.ts';
import { clickhouseTarget } from './index.ts';
import { clickhouseOnHost, clickhouseStatementsOnHost } from './monitoring/on-host.ts';

/** A server without MySQL's protocol, queried by its own client for facts that the app's connection reports for later versions. */
type OwnServer = Awaited<ReturnType<typeof startClickHouseServer>>;
const asking = ({ ask, port, securePort }: OwnServer, other: Readonly<Record<string, string>> = {}) => ({
  table: async (sql: string) => {
    const [columns = '', ...rows] = await ask(`${sql.replace(/;$/, '')} FORMAT TabSeparatedWithNames`).catch(refused);
    return { columns: columns.split('\t'), rows: rows.map((row) => row.split('\t')) };
  },
  query: async (sql: string): Promise<unknown[][]> => {
    const known: Readonly<Record<string, unknown>> = {
      "SELECT getServerPort('mysql_port')": 9004,
      'SELECT tcpPort()': port,
      "SELECT getServerPort('tcp_port_secure')": securePort,
      ...other,
    };
    if (sql in known) return [[known[sql]]];
    if (/serverUUID|tcpPort/.test(sql))
      throw Object.assign(new Error('Unknown function'), { errno: 46, sqlState: 'HY000' });
    return (await ask(sql)).map((row) => row.split('\t'));
  },
});

/** Throws an error of ClickHouse in the form of MySQL's protocol. */
function refused(error: unknown): never {
  const [, code] = /Code: (\d+)/.exec(String(error)) ?? [];
  throw Object.assign(new Error(String(error)), { errno: Number(code), sqlState: 'HY000' });
}

test('clickhouse-client runs custom statements, and failing ones do not affect the others', async () => {
  const server = await startClickHouseServer();
  onTestFinished(() => server.stop());
  const { address, user, database, password } = server;
  const config = { ...clickhouseTarget.config.parse({ address, user, database, tls: 'disabled' }), socket: '' };
  const statements = [
    "SELECT 1 AS one, -- it's one\n'a ''quoted''; word' AS word, /* \"; */ 2.5 AS `größe`",
    'SELECT nothing FROM nowhere',
    "SELECT 'without an end",
    "SELECT 'first\\n', 1 UNION ALL SELECT 'second', 2;",
    'SELECT 1 AS one WHERE 1 = 0',
  ];
  const program = await clickhouseStatementsOnHost(asking(server), config, password, statements);
  if (!program) throw new Error('There is no program.');
  const { group, next } = samplesOf(clickhouseTarget.monitoring?.statementLines, program);
  for (let round = 0; round < 2; round += 1) {
    const answers = [];
    for (const _ of statements) answers.push((await next()).figures);
    answers[3] = Object.fromEntries(Object.entries(answers[3] ?? {}).toSorted());
    expect(answers).toEqual([{ one: 1, größe: 2.5 }, undefined, undefined, { 'first\n': 1, second: 2 }, {}]);
  }
  expect(shownOf(group)).not.toContain(password);
  expect(shownOf(group)).not.toContain('quoted');
  await server.kill('SIGKILL');
  await server.restart();
  let { statement, figures } = await next();
  while (statement !== 0 || figures === undefined) ({ statement, figures } = await next());
  expect(figures).toEqual({ one: 1, größe: 2.5 });
});

// In daily runs, the statements above cover the case without TLS.
test.each(byDay(['disabled', 'required'], (tls) => tls === 'required'))(
  'clickhouse-client with TLS %s reports the same on its host, continues after a restart, and ends without a reader',
  async (tls) => {
    const server = await startClickHouseServer({ tls: tls === 'required' });
    onTestFinished(() => server.stop());
    const { address, database } = server;
    const { user, password } = tls === 'required' ? server.odd : server;
    const config = { ...clickhouseTarget.config.parse({ address, user, database, tls }), socket: '' };
    const program = await clickhouseOnHost(asking(server), config, password);
    if (!program) throw new Error('There is no program.');
    for (const { secret, mode } of program.files) if (secret) expect(mode).toBe(0o600);
    expect(program.script).not.toContain(password);

    const { group, next, readNoMore } = samplesOf(clickhouseTarget.monitoring?.hostLines?.(), program);
    const [first, second] = [await next(), await next()];
    const events = await server.ask("SELECT concat('events.', event) FROM system.events");
    expect(events.length).toBeGreaterThan(10);
    expect(Object.keys(await next())).toEqual(expect.arrayContaining(events));
    expect(second).toMatchObject({ 'metrics.TCPConnection': 1, 'metrics.Query': 1 });
    // The question, and the wait after it.
    expect((second['events.Query'] ?? 0) - (first['events.Query'] ?? 0)).toBe(2);
    expect(shownOf(group)).toContain('client.xml');
    expect(shownOf(group)).not.toContain(password);

    await server.kill('SIGKILL');
    await server.restart();
    // It counts from its start, and samples in transit are from before the restart.
    const asked = async (): Promise<number> => (await next())['events.Query'] ?? 0;
    await expect.poll(asked).toBeLessThan(second['events.Query'] ?? 0);

    readNoMore();
    await expect.poll(() => shownOf(group)).toBe('');
  },
);

test('a client that reaches another server than the app reports no figures and an error', async () => {
  const server = await startClickHouseServer();
  onTestFinished(() => server.stop());
  const { address, user, database, password } = server;
  const config = { ...clickhouseTarget.config.parse({ address, user, database, tls: 'disabled' }), socket: '' };
  const program = await clickhouseOnHost(asking(server, { 'SELECT hostName()': 'db2' }), config, password);
  if (!program) throw new Error('There is no program.');
  const read = clickhouseTarget.monitoring?.hostLines?.();
  const child = runProgram(program);
  const lines = createInterface({ input: child.stdout as Readable });
  for await (const line of lines) {
    expect(read?.(line)).toBeUndefined();
    if (line !== '') {
      expect(line).toMatch(/^another server responds/);
      break;
    }
  }
});
