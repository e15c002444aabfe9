import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { channels } from './channels.ts';
import { connect } from './client.ts';
import { call } from './define.ts';
import { LARGEST_REQUEST, MOST_OPEN } from './limits.ts';
import { serve } from './server.ts';
import { sampleContract, sampleImplementation } from './testing/sample.ts';
import { memoryTransports, portTransport, webSocketTransport } from './transports.ts';

/** Messages outside the protocol that a transport can carry. */
const UNEXPECTED: Readonly<Record<string, unknown>> = {
  null: null,
  'a number': 7,
  'a text': 'ask',
  'an empty object': {},
  'an inherited kind': { k: 'constructor' },
  'a question without a name': { k: 'ask', id: 1, input: {}, credit: 0 },
  'a question with a name of a megabyte': { k: 'ask', id: 1, path: 'a'.repeat(1 << 20), input: {}, credit: 0 },
  'a question without a number': { k: 'ask', path: 'echo', input: {}, credit: 0 },
  'credit that is no number': { k: 'credit', id: 1, credit: Number.NaN },
  'credit below nothing': { k: 'credit', id: 1, credit: -1 },
};

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

/** Each array twice in the next: a few objects, and more values than there are atoms. */
const doubled = (levels: number): unknown => {
  let value: unknown = [1];
  for (let level = 0; level < levels; level++) value = [value, value];
  return value;
};

function ring(): unknown {
  const value: unknown[] = [];
  value.push(value);
  return value;
}

describe('a message port', () => {
  /** A port into an engine with a test on its other side, and the messages received from it. */
  function bare() {
    const { port1, port2 } = new MessageChannel();
    serve(sampleContract, sampleImplementation(), portTransport(port2));
    const received: { k: string; problem?: { code: string } }[] = [];
    port1.on('message', (message) => received.push(message));
    return { port: port1, received, closed: once(port1, 'close') };
  }

  it.each(Object.entries(UNEXPECTED))('closes with an error after %s', async (_, unexpected) => {
    const { port, received, closed } = bare();
    port.postMessage(unexpected);
    await closed;
    expect(received.map(({ k }) => k)).toEqual(['hello', 'bye']);
    expect(received[1]?.problem?.code).toBe('bad-request');
  });

  it('closes after a duplicate request id, and aborts the request', async () => {
    const { port1, port2 } = new MessageChannel();
    const implementation = sampleImplementation();
    serve(sampleContract, implementation, portTransport(port2));
    const closed = once(port1, 'close');
    port1.on('message', () => undefined);
    for (let time = 0; time < 2; time++) port1.postMessage({ k: 'ask', id: 1, path: 'wait', input: {}, credit: 0 });
    await closed;
    const context = { signal: new AbortController().signal, progress: () => undefined };
    await expect.poll(async () => (await implementation.counters({}, context)).open).toBe(0);
  });

  it.each([
    ['too large', { text: 'x'.repeat(LARGEST_REQUEST + 1) }],
    ['too many bytes', new Uint8Array(LARGEST_REQUEST + 1)],
    ['nested too deep', nested(3000)],
    ['a structure that contains itself', ring()],
    ['a structure that doubles fifty times', doubled(50)],
  ])('rejects only the call with an input %s', async (_, value) => {
    const { port1, port2 } = new MessageChannel();
    serve(sampleContract, sampleImplementation(), portTransport(port2));
    const client = connect(sampleContract, portTransport(port1));
    await expect(client.echo({ value })).rejects.toMatchObject({
      problem: { code: 'bad-request', message: expect.stringContaining('echo: the request exceeds the limit') },
    });
    expect(await client.echo({ value: 1 })).toEqual({ value: 1 });
    port1.close();
  });

  it('rejects requests beyond the limit of open ones', async () => {
    const { port1, port2 } = new MessageChannel();
    serve(sampleContract, sampleImplementation(), portTransport(port2));
    const client = connect(sampleContract, portTransport(port1));
    const waiting = Array.from({ length: MOST_OPEN }, () => client.wait({}).catch((error) => error.code));
    await expect(client.echo({ value: 1 })).rejects.toMatchObject({ problem: { code: 'bad-request' } });
    port1.close();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['disconnected']));
  });
});

it('applies the maximum request size that a call declares', async () => {
  const input = z.object({ text: z.string() });
  const contract = {
    small: call(input, z.number(), { largest: 100 }),
    large: call(input, z.number(), { largest: 1e6 }),
  };
  const [near, far] = memoryTransports();
  serve(contract, { small: ({ text }) => text.length, large: ({ text }) => text.length }, far);
  const client = connect(contract, near);
  expect(await client.small({ text: 'x'.repeat(50) })).toBe(50);
  await expect(client.small({ text: 'x'.repeat(100) })).rejects.toMatchObject({ problem: { code: 'bad-request' } });
  expect(await client.large({ text: 'x'.repeat(900_000) })).toBe(900_000);
});

it.each(Object.entries(UNEXPECTED))(
  'rejects the requests of a client if the engine replies with %s',
  async (_, unexpected) => {
    const [near, far] = memoryTransports();
    const client = connect(sampleContract, near);
    const waiting = client.wait({});
    far.send(unexpected);
    await expect(waiting).rejects.toMatchObject({ problem: { code: 'bad-request' } });
  },
);

it('closes a multiplexed pipe after an unknown message', async () => {
  const [left, right] = memoryTransports();
  channels(right);
  const closed = new Promise<void>((resolve) => left.onClose(resolve));
  left.send(null);
  await closed;
});

describe('a web socket', () => {
  let http: Server;
  let address: string;

  beforeEach(async () => {
    http = createServer();
    const sockets = new WebSocketServer({ server: http });
    sockets.on('connection', (socket) => serve(sampleContract, sampleImplementation(), webSocketTransport(socket)));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    address = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    http.closeAllConnections();
    http.close();
  });

  async function open(): Promise<WebSocket> {
    const socket = new WebSocket(address);
    await once(socket, 'open');
    return socket;
  }

  it('closes at the first unreadable message, and does not reply to later ones', async () => {
    const socket = await open();
    const received: string[] = [];
    socket.on('message', (data) => received.push(String(data)));
    socket.send('{');
    socket.send(JSON.stringify({ k: 'ask', id: 1, path: 'echo', input: { value: 'late' }, credit: 0 }));
    const [code] = await once(socket, 'close');
    expect(code).toBe(1007);
    expect(received.join()).not.toContain('late');
  });

  it('survives any frames: the next connection works', async () => {
    const message = fc.oneof(
      fc.json(),
      fc.uint8Array({ maxLength: 64 }),
      fc.string(),
      fc
        .record({
          k: fc.constantFrom('ask', 'credit', 'cancel', 'items', 'hello', 'bye', '__proto__'),
          id: fc.oneof(fc.nat(3), fc.anything()),
          path: fc.oneof(fc.constantFrom('echo', 'numbers.upTo', 'numbers', '__proto__', ''), fc.anything()),
          input: fc.anything(),
          credit: fc.oneof(fc.nat(70), fc.anything()),
        })
        .map((record) => JSON.stringify(record, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 5 }), async (frames) => {
        const socket = await open();
        for (const frame of frames) socket.send(frame);
        const near = await open();
        const client = connect(sampleContract, webSocketTransport(near));
        expect(await client.echo({ value: 'here' })).toEqual({ value: 'here' });
        socket.terminate();
        near.terminate();
      }),
      { numRuns: 150 },
    );
  });
});
