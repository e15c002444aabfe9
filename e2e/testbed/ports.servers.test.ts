import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './ports.ts';

it('gives ports that differ, that the system gives to nobody, and that nobody listens on', async () => {
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
