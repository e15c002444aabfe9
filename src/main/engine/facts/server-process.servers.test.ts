import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { NIGHT } from '../../../shared/util/testing/depth.ts';
import { createLocalMachine } from '../hosts/local.ts';
import { type Kills, killedBetween, readKills, readProcess } from './server-process.ts';
import { roundTripMs } from './start-facts.ts';

const here = createLocalMachine();
const { signal } = new AbortController();

/** A Node process with another name that listens on its own port, started by a shell with a limit and a variable. */
async function startServer(name: string): Promise<number> {
  const listen = `process.title = '${name}'; const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))`;
  const child = spawn('sh', ['-c', `ulimit -n 777; "$0" -e "$1"; exit $?`, process.execPath, listen], {
    env: { PATH: '/usr/bin:/bin', MALLOC_ARENA_MAX: '2', PGPASSWORD: 'not to be read' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return Number(port.toString());
}

it('describes the start and limits of a process, chosen by its listening port if several have its name', async () => {
  const port = await startServer('kp-server');
  const programs = ['kp-server'];
  const alone = await readProcess(here, { programs, port: undefined }, signal);
  expect(alone).toMatchObject({
    ...{ 'started by': 'sh', 'limit of open files': '777', 'nice value': '0', 'environment MALLOC_ARENA_MAX': '2' },
    'CPUs allowed': expect.stringMatching(/^[\d,-]+$/),
  });
  expect(JSON.stringify(alone)).not.toContain('not to be read');
  const other = await startServer('kp-server');
  expect(await readProcess(here, { programs, port }, signal)).toEqual(alone);
  expect(await readProcess(here, { programs, port: other }, signal)).toEqual(alone);
  // Ambiguous: there are two.
  expect(await readProcess(here, { programs, port: 1 }, signal)).toBeUndefined();
  expect(await readProcess(here, { programs: ['kp-none'], port }, signal)).toBeUndefined();
});

const GROUPS = [
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', needs: 'memory.oom_control' },
  { root: '/sys/fs/cgroup', limit: 'memory.max', needs: 'memory.stat' },
];
const groups = GROUPS.find(({ root, needs }) => existsSync(join(root, needs)));

if (NIGHT)
  it.skipIf(process.getuid?.() !== 0 || !groups)(
    'counts processes killed by the kernel in the control group of a server',
    async () => {
      if (!groups) return;
      const group = join(groups.root, `kneepoint-test-${process.pid}`);
      mkdirSync(group);
      writeFileSync(join(group, groups.limit), String(96 * 1024 * 1024));
      const grow = `process.title = 'kp-greedy'; process.stdout.write('up'); const kept = [];
    process.stdin.once('data', () => { for (;;) kept.push(Buffer.alloc(1 << 20, kept.length + 1)); })`;
      const child = spawn('sh', ['-c', `echo $$ >${group}/cgroup.procs; exec "$0" -e "$1"`, process.execPath, grow], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      onTestFinished(async () => {
        if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
        rmdirSync(group);
      });
      await once(child.stdout, 'data');
      const ask = (known: Kills | undefined) => readKills(here, { programs: ['kp-greedy'], known }, { signal });
      const before = await ask(undefined);
      expect([...(before?.keys() ?? [])].some((file) => file.startsWith(group))).toBe(true);
      expect(killedBetween(before, await ask(before))).toBe(0);
      child.stdin.write('grow');
      await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
      // No process of that name runs any more, but the group is still read.
      const after = await ask(before);
      expect(killedBetween(new Map([...(before ?? [])].filter(([file]) => file.startsWith(group))), after)).toBe(1);
    },
  );

it('measures the round trip to a server from the kernel', async () => {
  const server = createServer((socket) => socket.resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It listens on a port.');
  const ms = await roundTripMs(here, { host: '127.0.0.1', port: address.port }, signal);
  expect(ms).toBeGreaterThan(0);
  expect(ms).toBeLessThan(1000);
});
