import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import {
  type DatabaseServer,
  fetchMongosh,
  lacksGo,
  startFerretDb,
  startMariaDb,
  startMySql,
  startPostgres,
  startPostgresVersion,
} from '../../../../e2e/testbed/databases/index.ts';
import { byDay } from '../../../shared/util/testing/depth.ts';
import { targetByKind } from './index.ts';
import { samplingScript } from './on-host.ts';
import { runProgram, samplesOf, shownOf } from './testing/client-program.ts';
import { directly, openServer } from './testing/servers.ts';

const WATCHED = { settings: { performance_schema: 'ON' } };
const SERVERS = [
  { name: 'MariaDB 10.11', kind: 'mysql', start: () => startMariaDb(WATCHED), isSlow: true },
  // Over its socket: the only client here is MariaDB's, which can log in to MySQL 8 accounts over TCP only with TLS.
  { name: 'MySQL 8.0.33', kind: 'mysql', start: () => startMySql('8.0.33', WATCHED), bySocket: true },
  { name: 'PostgreSQL 15', kind: 'postgres', start: () => startPostgres(), bySocket: true },
  { name: 'PostgreSQL 18', kind: 'postgres', start: () => startPostgresVersion('18'), isSlow: true },
] as const;
/** Over TCP and over a socket. */
const servers = byDay<(typeof SERVERS)[number]>(SERVERS, ({ name }) =>
  ['MariaDB 10.11', 'PostgreSQL 15'].includes(name),
);

test.each(servers)(
  'the own client of $name reports the same on its host and continues after a restart',
  async (each) => {
    const { kind, start } = each;
    const server: DatabaseServer = await start();
    onTestFinished(() => server.stop());
    const socket = 'bySocket' in each ? { socket: server.socket } : {};
    const session = await openServer(targetByKind(kind), server, socket);
    const program = await session.samplesOnHost();
    if (!program) throw new Error('There is no program.');
    for (const { secret, mode } of program.files) if (secret) expect(mode).toBe(0o600);
    expect(program.script).not.toContain(server.password);
    const direct = Object.keys((await session.sample()).metrics);
    await session.close();

    const { group, next } = samplesOf(targetByKind(kind).monitoring?.hostLines?.(), program);
    const first = await next();
    expect(Object.keys(first)).toEqual(
      expect.arrayContaining(direct.filter((name) => !/^(sessions|wait_event)/.test(name))),
    );
    // Each sample is counted in the next one, which shows that they share one open connection.
    const counted = kind === 'postgres' ? 'pg_stat_database.xact_commit' : 'Questions';
    await expect.poll(async () => ((await next())[counted] ?? 0) > (first[counted] ?? 0)).toBe(true);
    expect(shownOf(group)).toContain(kind === 'postgres' ? 'psql' : 'my.cnf');
    expect(shownOf(group)).not.toContain(server.password);
    // A truncated line, at its beginning or its end, is not a sample.
    expect(targetByKind(kind).monitoring?.hostLines?.()('some words')).toBeUndefined();

    await server.kill('SIGKILL');
    const since = Date.now();
    await server.restart();
    const again = await next();
    expect(Object.keys(again).length).toBeGreaterThanOrEqual(direct.length * 0.9);
    if (kind === 'mysql') expect(again.Uptime).toBeLessThanOrEqual((Date.now() - since) / 1000 + 1);
  },
);

test.skipIf(lacksGo())(
  'mongosh reports the same on its host, continues after a restart, and ends without a reader',
  async () => {
    const [server, programs] = [await startFerretDb(), await fetchMongosh()];
    onTestFinished(() => server.stop());
    const target = targetByKind('mongodb');
    const at = { url: `mongodb://${server.address}:${server.port}/`, user: server.user, database: server.database };
    const session = await target.open?.(target.config.parse(at), server.password, directly);
    const program = await session?.samplesOnHost?.();
    if (!session || !program) throw new Error('There is no program.');
    for (const { mode } of program.files) expect(mode).toBe(0o600);
    expect(program.script).not.toContain(server.password);
    await session.sample?.();
    const direct = Object.keys((await session.sample?.())?.metrics ?? {});
    expect(direct.length).toBeGreaterThan(10);
    await session.close();

    const { group, next, readNoMore } = samplesOf(target.monitoring?.hostLines?.(), program, programs);
    const asked = 'metrics.commands.serverStatus.total';
    const [first, second] = [await next(), await next()];
    expect(Object.keys(second)).toEqual(expect.arrayContaining(direct));
    expect((second[asked] ?? 0) - (first[asked] ?? 0)).toBe(1);
    const shown = shownOf(group);
    // Its own process title; the path of its folder is in the environment of all.
    expect(shown).toMatch(/^mongosh /m);
    expect(shown).not.toContain(server.password);

    await server.kill('SIGKILL');
    await server.restart();
    // It counts from its start, and samples in transit are from before the restart.
    await expect.poll(async () => (await next())[asked] ?? 0).toBeLessThan(second[asked] ?? 0);

    readNoMore();
    await expect.poll(() => shownOf(group)).toBe('');
  },
);

/** Quotes, delimiters, comments and client commands, over several lines. */
const STATEMENTS = [
  `SELECT 1 AS one, -- it's one
 'a ''quoted''; word
\\! touch "/" \\q :name' AS word, /* "; */ 2.5 AS "größe"`,
  'SELECT nothing FROM nowhere',
  "SELECT 'without an end",
  `SELECT 'two
lines', 1 UNION ALL SELECT 'tab\there & <more>', 2`,
  'SELECT 1 AS one WHERE 1 = 0;',
];

test.each(servers)(
  'the own client of $name runs custom statements like the connection, and failing ones do not affect the others',
  async (each) => {
    const { kind, start } = each;
    const server: DatabaseServer = await start();
    onTestFinished(() => server.stop());
    const socket = 'bySocket' in each ? { socket: server.socket } : {};
    const session = await openServer(targetByKind(kind), server, socket);
    const slow = kind === 'postgres' ? 'SELECT pg_sleep(600)' : 'SELECT SLEEP(600)';
    const asked = [...STATEMENTS, ...('isSlow' in each ? [slow] : [])];
    const direct: (Record<string, number> | undefined)[] = [];
    for (const statement of STATEMENTS) direct.push(await session.sampleStatement(statement).catch(() => undefined));
    expect(direct).toEqual([
      { one: 1, größe: 2.5 },
      undefined,
      undefined,
      { 'two\nlines': 1, 'tab\there & <more>': 2 },
      {},
    ]);
    const program = await session.statementsOnHost(asked);
    if (!program) throw new Error('There is no program.');
    await session.close();
    expect(program.script).not.toContain(server.password);
    expect(program.script).not.toContain('größe');

    const { group, next } = samplesOf(targetByKind(kind).monitoring?.statementLines, program);
    const round = async () => {
      const found: (Readonly<Record<string, number>> | undefined)[] = [];
      for (const place of asked.keys()) {
        const { statement, figures } = await next();
        expect(statement).toBe(place);
        found.push(figures);
      }
      return found;
    };
    const wanted = 'isSlow' in each ? [...direct, undefined] : direct;
    expect(await round()).toEqual(wanted);
    expect(await round()).toEqual(wanted);
    expect(shownOf(group)).not.toContain(server.password);
    expect(shownOf(group)).not.toContain('quoted');

    await server.kill('SIGKILL');
    await server.restart();
    let { statement, figures } = await next();
    while (statement !== 0 || figures === undefined) ({ statement, figures } = await next());
    expect(figures).toEqual(direct[0]);
  },
);

test('no client is used if it could connect differently from the target', async () => {
  const server = await startMariaDb({ tls: true });
  onTestFinished(() => server.stop());
  const verified = await openServer(targetByKind('mysql'), server, { tls: 'verify', caFile: server.tls?.caFile });
  expect(await verified.samplesOnHost()).toBeUndefined();
  await verified.close();
});

/** A client that prints one row when called. */
const FAKE_CLIENT = `sh -c 'echo kneepoint-begin; echo asked; echo kneepoint-end; cat >/dev/null'`;
const called = async (own: string): Promise<string> => {
  const files = [{ name: 'question', content: 'x', mode: 0o600, secret: false }];
  const child = runProgram({ script: `exec 2>&1\n${samplingScript({ programs: ['sh'], own }, FAKE_CLIENT)}`, files });
  if (!child.stdout) throw new Error('Nothing reads it.');
  return (await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()).value ?? '';
};
const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test.skipIf(own === undefined)('a client is called only if its address belongs to its host', async () => {
  // Addresses reserved for documentation, and a name that does not resolve.
  for (const other of ['198.51.100.1', 'server.invalid', '2001:db8::1'])
    expect(await called(other)).toContain(`${other} is not local to this host`);
  for (const here of [own ?? '', 'localhost', '127.0.1.1', '[::1]']) expect(await called(here)).toBe('asked\x1e6');
});

test('a client is not called again once its address leads to another host', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Called before the program begins, before its first connection, and before its second one.
  const moves = `#!/bin/sh
echo >>${folder}/asked
[ $(wc -l <${folder}/asked) -gt 2 ] && echo 198.51.100.1 STREAM || echo 127.0.0.1 STREAM
`;
  writeFileSync(join(folder, 'getent'), moves, { mode: 0o755 });
  const ends = `sh -c 'echo kneepoint-begin; echo asked; echo kneepoint-end'`;
  const files = [{ name: 'question', content: 'x', mode: 0o600, secret: false }];
  const script = `exec 2>&1\nPATH=${folder}:$PATH\n${samplingScript({ programs: ['sh'], own: 'server.invalid' }, ends)}`;
  const child = runProgram({ script, files });
  if (!child.stdout) throw new Error('Nothing reads it.');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const words = [(await lines.next()).value, (await lines.next()).value];
  expect(words.toSorted()).toEqual(['asked\x1e6', expect.stringContaining('is not local to this host')]);
  expect((await lines.next()).done).toBe(true);
});
