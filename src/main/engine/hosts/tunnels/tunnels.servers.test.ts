import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSshd, type TestSshd } from '../../../../../e2e/testbed/sshd/index.ts';
import { LOCAL_HOST_NAME, type Tunnel, type TunnelSpec } from '../../../../shared/model/host.ts';
import { createLocalMachine } from '../local.ts';
import { createTestLibrary, problemFrom, specOf, type TestLibrary } from '../testing/library.ts';
import { createRelays, createTunnels, type Tunnels } from './tunnels.ts';

let server: TestSshd;
let echo: Server;
let library: TestLibrary;
let tunnels: Tunnels;

beforeEach(async () => {
  server = await startSshd();
  echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  library = createTestLibrary();
  library.save(specOf('web', server));
  library.trustServer(server);
  tunnels = createTunnels(library.machines);
});
afterEach(async () => {
  await tunnels.close();
  await library.machines.close();
  await server.close();
  await new Promise((resolve) => echo.close(resolve));
});

const portOf = (listener: Server): number => {
  const address = listener.address();
  return typeof address === 'object' && address ? address.port : expect.fail('not listening');
};
const spec = (change: Partial<TunnelSpec> = {}): TunnelSpec => ({
  name: 'orders db',
  host: 'web',
  localPort: 0,
  address: '127.0.0.1',
  port: portOf(echo),
  autoStart: false,
  ...change,
});

async function ask(port: number | undefined, text: string): Promise<string> {
  const socket = connect(port ?? 0, '127.0.0.1');
  socket.end(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

/** Resolves with the tunnel's row once it satisfies `is`. */
function rowWhen(is: (row: Tunnel) => boolean): Promise<Tunnel> {
  return new Promise((resolve) => {
    const look = (rows: Tunnel[]) => {
      const row = rows.find(is);
      if (!row) return;
      forget();
      resolve(row);
    };
    const forget = tunnels.onChanged(look);
    look(tunnels.list());
  });
}

it('carries a megabyte both ways for several programs at once, and counts it', async () => {
  const { localPort } = await tunnels.start(1, spec());
  const text = 'x'.repeat(1_000_000);
  const answers = await Promise.all([ask(localPort, text), ask(localPort, text), ask(localPort, 'short')]);
  expect(answers.map((answer) => answer.length)).toEqual([1_000_000, 1_000_000, 5]);
  const row = await rowWhen((each) => each.connections === 0);
  expect(row).toMatchObject({ bytesIn: 2_000_005, bytesOut: 2_000_005, state: 'open', host: 'web', name: 'orders db' });
});

it('opens the requested port, and reports a port in use', async () => {
  const taken = portOf(echo);
  const problem = await problemFrom(tunnels.start(1, spec({ localPort: taken })));
  expect(problem.code).toBe('conflict');
  expect(problem.message).toContain(`${taken}`);
  expect(problem.next).toContain('another port');
  expect(tunnels.list()).toEqual([]);
  const { localPort } = await tunnels.start(1, spec());
  await tunnels.stop(1);
  const again = await tunnels.start(1, spec({ localPort: localPort ?? 0 }));
  expect(again.localPort).toBe(localPort);
});

it('connects to this computer without SSH', async () => {
  const { localPort } = await tunnels.start(1, spec({ host: LOCAL_HOST_NAME }));
  expect(await ask(localPort, 'here')).toBe('here');
});

it('refuses an unknown host', async () => {
  expect((await problemFrom(tunnels.start(1, spec({ host: 'ghost' })))).code).toBe('not-found');
  expect(tunnels.list()).toEqual([]);
});

it('waits for an unreachable host with the reason, and opens when it is reachable', async () => {
  await server.stopListening();
  const waiting = await tunnels.start(1, spec());
  expect(waiting).toMatchObject({ state: 'waiting', message: expect.stringContaining('refused') });
  expect(waiting.localPort).toBeUndefined();
  await server.startListening();
  const open = await rowWhen((row) => row.state === 'open');
  expect(await ask(open.localPort, 'at last')).toBe('at last');
});

it('waits for the user when the login is refused, and can be stopped meanwhile', async () => {
  library.save(specOf('web', server, { user: 'nobody-here' }));
  expect(await tunnels.start(1, spec())).toMatchObject({ state: 'waiting', message: expect.stringContaining('login') });
  // Without any action nothing changes, so a second start must not wait for a change.
  expect(await tunnels.start(2, spec())).toMatchObject({ state: 'waiting' });
  await tunnels.stop(1);
  expect(tunnels.list()).toEqual([expect.objectContaining({ id: 2 })]);
  library.save(specOf('web', server));
  library.machines.retry('web');
  expect(await rowWhen((row) => row.state === 'open')).toMatchObject({ id: 2 });
});

it('stays open with the reason if its remote address does not respond', async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const port = portOf(free);
  await new Promise((resolve) => free.close(resolve));
  const { localPort } = await tunnels.start(1, spec({ port }));
  expect(await ask(localPort, 'anybody?').catch(() => '')).toBe('');
  expect(await rowWhen((row) => row.message !== undefined)).toMatchObject({
    state: 'open',
    message: expect.stringContaining(`${port}`),
  });
});

it('reopens on the same port after its session was killed', async () => {
  const { localPort } = await tunnels.start(1, spec());
  const hanging = connect(localPort ?? 0, '127.0.0.1');
  const ended = new Promise((resolve) => hanging.once('close', resolve));
  hanging.on('error', () => hanging.destroy());
  await rowWhen((row) => row.connections === 1);
  const lost = rowWhen((row) => row.state === 'waiting');
  server.signalSessions('SIGKILL');
  await Promise.all([ended, lost]);
  const row = await rowWhen((each) => each.state === 'open' && each.connections === 0);
  expect(row.localPort).toBe(localPort);
  expect(await ask(localPort, 'again')).toBe('again');
});

describe('a relay', () => {
  const relays = createRelays();
  const machine = createLocalMachine();
  let port = 0;
  const clients = new Set<Socket>();
  /** Sends hello, then echoes its input in capitals after the other side has ended. */
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    clients.add(socket);
    socket.on('error', () => undefined);
    socket.write('hello ');
    const received = await text(socket).catch(() => '');
    socket.end(received.toUpperCase());
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
});
