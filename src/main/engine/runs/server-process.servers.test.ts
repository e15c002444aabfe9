import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createLocalMachine } from '../hosts/local.ts';
import { roundTripMs } from './round-trip.ts';
import { readProcess } from './server-process.ts';

const here = createLocalMachine();
const { signal } = new AbortController();

/** A Node under another name that listens on a port of its own, started by a shell with a limit and a variable. */
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

it('tells how a process was started and what it runs under, and of several of one name the one that listens on the port', async () => {
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
  // Which of the two is meant is not known.
  expect(await readProcess(here, { programs, port: 1 }, signal)).toBeUndefined();
  expect(await readProcess(here, { programs: ['kp-none'], port }, signal)).toBeUndefined();
});

it('times the way to a server as the kernel does', async () => {
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
