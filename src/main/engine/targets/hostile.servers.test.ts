import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import type { Problem } from '../../../shared/model/problem.ts';
import { targetByKind } from './index.ts';
import { Link, linkTo } from './link.ts';
import { directly, problemOf } from './testing/servers.ts';

const servers: { server: Server; sockets: Set<Socket> }[] = [];
afterEach(async () => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  }
});

/** A server with a test-specific behaviour for each connection. */
async function fake(behave: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => sockets.delete(socket));
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push({ server, sockets });
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

async function problemOfOpening(kind: string, port: number, signal?: AbortSignal): Promise<Problem> {
  const target = targetByKind(kind);
  const config = target.config.parse({ port, user: 'u', database: 'd' });
  if (!target.open) throw new Error('This kind has no server.');
  return problemOf(target.open(config, 'secret', directly, signal));
}

/** A MySQL packet with its header. */
function packet(sequence: number, body: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUIntLE(body.length, 0, 3);
  header[3] = sequence;
  return Buffer.concat([header, body]);
}

/** Greeting of a MySQL server that offers everything but TLS. */
function greeting(): Buffer {
  const capabilities = 0xffffffff & ~0x00000800;
  const low = Buffer.alloc(2);
  low.writeUInt16LE(capabilities & 0xffff);
  const high = Buffer.alloc(2);
  high.writeUInt16LE((capabilities >>> 16) & 0xffff);
  const parts = [
    Buffer.from([10]),
    Buffer.from('8.0.99-hostile\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0'),
    low,
    Buffer.from([45, 2, 0]),
    high,
    Buffer.from([21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0'),
    Buffer.from('mysql_native_password\0'),
  ];
  return packet(0, Buffer.concat(parts));
}

const OK = Buffer.from([0, 0, 0, 2, 0, 0, 0]);

describe.each(['mysql', 'postgres'])('%s against a hostile server', (kind) => {
  test('ends the connection on a flood before any greeting', async () => {
    const port = await fake((socket) => {
      const piece =
        kind === 'mysql'
          ? Buffer.from([0xff, 0xff, 0xff, 0, ...Buffer.alloc(65_536, 0x20)])
          : Buffer.from([0x4e, 0x7f, 0xff, 0xff, 0xff, ...Buffer.alloc(65_536, 0x20)]);
      const pour = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('drain', pour);
      pour();
    });
    expect(await problemOfOpening(kind, port)).toMatchObject({ code: 'target-unreachable' });
  });

  test('reports a server that closes the connection at once', async () => {
    const port = await fake((socket) => socket.end());
    expect(await problemOfOpening(kind, port)).toMatchObject({ code: 'target-unreachable' });
  });

  test('reports a web server instead of a database', async () => {
    const port = await fake((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'));
    expect(await problemOfOpening(kind, port)).toMatchObject({ code: 'target-unreachable' });
  });

  test('ends a connection without a response when cancelled', async () => {
    const stop = new AbortController();
    const port = await fake(() => stop.abort());
    expect(await problemOfOpening(kind, port, stop.signal)).toMatchObject({
      code: expect.stringMatching(/cancelled|target-unreachable/),
    });
  });
});

test('gives up a silent server after the time limit', async () => {
  const port = await fake(() => undefined);
  const problems = await Promise.all(['mysql', 'postgres'].map((kind) => problemOfOpening(kind, port)));
  for (const found of problems) {
    expect(found).toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('did not respond within 15 seconds'),
    });
  }
});

describe('a MySQL server', () => {
  test('that requests a local file gets none', async () => {
    const received: Buffer[] = [];
    const port = await fake((socket) => {
      socket.write(greeting());
      socket.on('data', (bytes: Buffer) => {
        received.push(bytes);
        const sequence = (bytes[3] ?? 0) + 1;
        if (received.length === 1) socket.write(packet(sequence, OK));
        else if (received.length === 2)
          socket.write(packet(sequence, Buffer.concat([Buffer.from([0xfb]), Buffer.from('/etc/passwd')])));
        else socket.write(packet(sequence, OK));
      });
    });
    const target = targetByKind('mysql');
    const session = await target.open?.(target.config.parse({ port, user: 'u', database: 'd' }), 'secret', directly);
    await session?.ping().catch((error: unknown) => error);
    await session?.close();
    const sent = Buffer.concat(received).toString('latin1');
    expect(received.length).toBeGreaterThanOrEqual(2);
    expect(sent).not.toContain('root:');
    // Bit 7 of the client's capabilities: LOCAL FILES.
    expect((received[0]?.readUInt32LE(4) ?? 0) & 0x80).toBe(0);
  });
});

describe('the link', () => {
  test('closes a stream that arrives after its caller gave up', async () => {
    const stop = new AbortController();
    const late = new Link(await directly.dial('127.0.0.1', await fake(() => undefined)), 'x');
    let hand: (stream: Duplex) => void = () => undefined;
    const dial = () => new Promise<Duplex>((resolve) => (hand = resolve));
    const waiting = linkTo({ ...directly, dial }, { address: 'x', port: 1, socket: '' }, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toThrow();
    hand(late);
    await once(late, 'close');
    expect(late.destroyed).toBe(true);
  });
});
