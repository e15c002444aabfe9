import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { freePort } from './ports.ts';

it('returns distinct ports outside the ephemeral range that are not in use', async () => {
  const first = await freePort();
  const server = createServer().listen(first + 1, '127.0.0.1');
  await once(server, 'listening');
  try {
    const others = [await freePort(), await freePort(), await freePort()];
    expect(new Set([first, first + 1, ...others]).size).toBe(5);
    const [low] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number);
    for (const port of [first, ...others]) expect(port).toBeLessThan(low ?? Number.NaN);
  } finally {
    server.close();
  }
});

it('never returns the same port to two processes', async () => {
  const program = `
    import { freePort } from ${JSON.stringify(path.join(import.meta.dirname, 'ports.ts'))};
    // As if the system had given it the number of this process.
    Object.defineProperty(process, 'pid', { value: ${process.pid} });
    for (let count = 0; count < 63; count += 1) console.log(await freePort());`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const theirs = text(child.stdout);
  const ours = await Promise.all(Array.from({ length: 63 }, () => freePort()));
  expect(new Set([...ours, ...(await theirs).trim().split('\n').map(Number)]).size).toBe(126);
});
