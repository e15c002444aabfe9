import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import {
  type DatabaseServer,
  startMariaDb,
  startMySql,
  startPostgres,
  startPostgresVersion,
} from '../../../../e2e/testbed/databases/index.ts';
import { targetByKind } from './index.ts';
import { samplingScript } from './on-host.ts';
import type { HostSampling } from './target.ts';
import { openServer } from './testing/servers.ts';

const WATCHED = { settings: { performance_schema: 'ON' } };
const SERVERS = [
  { name: 'MariaDB 10.11', kind: 'mysql', start: () => startMariaDb(WATCHED) },
  // By its socket: the only client here is MariaDB's, which logs in to accounts of MySQL 8 over TCP with TLS alone.
  { name: 'MySQL 8.0.33', kind: 'mysql', start: () => startMySql('8.0.33', WATCHED), bySocket: true },
  { name: 'PostgreSQL 15', kind: 'postgres', start: () => startPostgres(), bySocket: true },
  { name: 'PostgreSQL 18', kind: 'postgres', start: () => startPostgresVersion('18') },
] as const;

/** What is left to tidy up. */
const after: (() => unknown)[] = [];
afterEach(async () => {
  for (const tidy of after.splice(0).reverse()) await tidy();
});

/** The program as a job runs it: a script beside its files, in a process group of its own. */
function run({ script, files }: HostSampling): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-on-host-'));
  after.push(() => rmSync(folder, { recursive: true, force: true }));
  for (const { name, content, mode } of files) writeFileSync(join(folder, name), content, { mode });
  writeFileSync(join(folder, 'sample.sh'), script);
  const child = spawn('sh', [join(folder, 'sample.sh')], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  after.push(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
  return child;
}

/** Command lines and environments of all processes of a group. */
function shownOf(group: number): string {
  const gone = (read: () => string): string => {
    try {
      return read();
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter(
      (pid) =>
        Number(
          gone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
            .split(') ')[1]
            ?.split(' ')[2],
        ) === group,
    )
    .map(
      (pid) =>
        gone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) +
        gone(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
    )
    .join('\n');
}

test.each(SERVERS)('the own client of $name tells the same on its host, and goes on after a restart', async (each) => {
  const { kind, start } = each;
  const server: DatabaseServer = await start();
  after.push(() => server.stop());
  const socket = 'bySocket' in each ? { socket: server.socket } : {};
  const session = await openServer(targetByKind(kind), server, socket);
  const program = await session.samplesOnHost();
  if (!program) throw new Error('There is no program.');
  for (const { secret, mode } of program.files) if (secret) expect(mode).toBe(0o600);
  expect(program.script).not.toContain(server.password);
  const direct = Object.keys((await session.sample()).metrics);
  await session.close();

  const child = run(program);
  const read = targetByKind(kind).monitoring?.hostLines?.();
  if (!read || !child.stdout) throw new Error('Nothing reads it.');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<Readonly<Record<string, number>>> => read((await lines.next()).value ?? '') ?? {};
  const first = await next();
  expect(Object.keys(first)).toEqual(
    expect.arrayContaining(direct.filter((name) => !/^(sessions|wait_event)/.test(name))),
  );
  // Each sample is itself counted in the next one: so they come from one connection that stays open.
  const counted = kind === 'postgres' ? 'pg_stat_database.xact_commit' : 'Questions';
  await expect.poll(async () => ((await next())[counted] ?? 0) > (first[counted] ?? 0), { timeout: 15_000 }).toBe(true);
  expect(shownOf(child.pid ?? 0)).toContain(kind === 'postgres' ? 'psql' : 'my.cnf');
  expect(shownOf(child.pid ?? 0)).not.toContain(server.password);
  // A line that began before this reader did, or was cut, is no sample.
  expect(targetByKind(kind).monitoring?.hostLines?.()('some words')).toBeUndefined();

  await server.kill('SIGKILL');
  await server.restart();
  const again = await next();
  expect(Object.keys(again).length).toBeGreaterThanOrEqual(direct.length * 0.9);
  if (kind === 'mysql') expect(again.Uptime).toBeLessThan(10);
});

test('no program is given where its client could connect in another way than the target says', async () => {
  const server = await startMariaDb({ tls: true });
  after.push(() => server.stop());
  const verified = await openServer(targetByKind('mysql'), server, { tls: 'verify', caFile: server.tls?.caFile });
  expect(await verified.samplesOnHost()).toBeUndefined();
  await verified.close();
});

/** A client that tells one row when it is called. */
const TELLS = `sh -c 'echo kneepoint-begin; echo asked; echo kneepoint-end; cat >/dev/null'`;
const called = async (own: string): Promise<string> => {
  const files = [{ name: 'question', content: 'x', mode: 0o600, secret: false }];
  const child = run({ script: `exec 2>&1\n${samplingScript(['sh'], TELLS, own)}`, files });
  if (!child.stdout) throw new Error('Nothing reads it.');
  return (await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()).value ?? '';
};
const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test.skipIf(own === undefined)('a client is called only where its address is one of its host', async () => {
  // Of a network for documentation, and a name that stands for nothing.
  for (const other of ['198.51.100.1', 'server.invalid', '2001:db8::1'])
    expect(await called(other)).toContain(`${other} does not belong to this host alone`);
  for (const here of [own ?? '', 'localhost', '127.0.1.1', '[::1]']) expect(await called(here)).toBe('asked\x1e6');
});

test('a client is not called again once its address leads to another host', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kneepoint-names-'));
  after.push(() => rmSync(folder, { recursive: true, force: true }));
  // Asked before the program begins, before its first connection, and before its second one.
  const moves = `#!/bin/sh
echo >>${folder}/asked
[ $(wc -l <${folder}/asked) -gt 2 ] && echo 198.51.100.1 STREAM || echo 127.0.0.1 STREAM
`;
  writeFileSync(join(folder, 'getent'), moves, { mode: 0o755 });
  const ends = `sh -c 'echo kneepoint-begin; echo asked; echo kneepoint-end'`;
  const files = [{ name: 'question', content: 'x', mode: 0o600, secret: false }];
  const script = `exec 2>&1\nPATH=${folder}:$PATH\n${samplingScript(['sh'], ends, 'server.invalid')}`;
  const child = run({ script, files });
  if (!child.stdout) throw new Error('Nothing reads it.');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const words = [(await lines.next()).value, (await lines.next()).value];
  expect(words.toSorted()).toEqual(['asked\x1e6', expect.stringContaining('does not belong to this host alone')]);
  expect((await lines.next()).done).toBe(true);
});
