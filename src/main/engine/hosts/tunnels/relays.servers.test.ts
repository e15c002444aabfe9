import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLocalMachine } from '../local.ts';
import { createRelays } from './tunnels.ts';

const relays = createRelays();
const machine = createLocalMachine();
let port = 0;
const clients = new Set<Socket>();
/** Sends hello, then echoes its input in capitals after the other side has ended. */
const server = createServer({ allowHalfOpen: true }, async (socket) => {
  clients.add(socket);
  socket.on('error', () => undefined);
  socket.write('hello ');
  const said = await text(socket).catch(() => '');
  socket.end(said.toUpperCase());
});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(async () => {
  await relays.close();
  server.close();
});

const dial = () => machine.dial('127.0.0.1', port, 'test');
const talk = async (path: string, words: string): Promise<string> => {
  const socket = connect(path);
  socket.end(words);
  return text(socket);
};

it('connects to the remote address, with many connections at once, to their end', async () => {
  const path = await relays.path('shop', dial);
  const long = 'a long story '.repeat(20_000);
  expect(await Promise.all([talk(path, 'one'), talk(path, 'two'), talk(path, long)])).toEqual([
    'hello ONE',
    'hello TWO',
    `hello ${long.toUpperCase()}`,
  ]);
  expect(await relays.path('shop', dial)).toBe(path);
  expect(await relays.path('other', dial)).not.toBe(path);
});

it('is private to its user', async () => {
  const path = await relays.path('shop', dial);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
});

it('closes at once if the remote address is unreachable, and works again when it is reachable', async () => {
  const path = await relays.path('away', () => Promise.reject(new Error('The host is away.')));
  expect(await talk(path, 'anybody').catch(() => '')).toBe('');
  await relays.path('away', dial);
  expect(await talk(path, 'now')).toBe('hello NOW');
});

it('ends with the app, with all of its connections', async () => {
  const own = createRelays();
  const path = await own.path('shop', dial);
  const socket = connect(path);
  socket.on('error', () => undefined);
  await once(socket, 'data');
  const closed = once(socket, 'close');
  await own.close();
  await closed;
  expect(existsSync(dirname(path))).toBe(false);
});
