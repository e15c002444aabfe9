import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { connect } from './client.ts';
import type { Client, Transport } from './define.ts';
import { serve } from './server.ts';
import { sampleContract, sampleImplementation } from './testing/sample.ts';
import { ipcTransport, memoryTransports, portTransport, webSocketTransport } from './transports.ts';
import { WINDOW } from './wire.ts';

type Sample = Client<typeof sampleContract>;
interface Connected {
  client: Sample;
  /** Ends the connection from the engine's side. */
  cut: () => void;
}

/** Some of these start a process: on a busy machine that takes seconds. */
const SOON = { timeout: 400_000 };

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

const pair = ([near, far]: [Transport, Transport]): Connected => {
  serve(sampleContract, sampleImplementation(), far);
  closers.push(() => far.close());
  return { client: connect(sampleContract, near), cut: () => far.close() };
};

const SETUPS: Record<string, () => Promise<Connected>> = {
  memory: async () => pair(memoryTransports()),
  'message port': async () => {
    const { port1, port2 } = new MessageChannel();
    return pair([portTransport(port1), portTransport(port2)]);
  },
  'web socket': async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const accepted = once(server, 'connection');
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`);
    const near = webSocketTransport(socket as never);
    const [far] = (await accepted) as [WebSocket];
    await once(socket, 'open');
    closers.push(() => server.close());
    return pair([near, webSocketTransport(far as never)]);
  },
  'child process': async () => {
    const child = fork(path.join(import.meta.dirname, 'testing/child.ts'), [], {
      serialization: 'advanced',
      execArgv: [],
    });
    closers.push(() => child.connected && child.disconnect());
    return { client: connect(sampleContract, ipcTransport(child)), cut: () => child.disconnect() };
  },
};

describe.each(Object.keys(SETUPS))('calls and streams over %s', (name) => {
  const open = () => (SETUPS[name] as () => Promise<Connected>)();

  it('carries values and typed arrays', async () => {
    const { client } = await open();
    const value = { text: 'ü\n', list: [1, null, true], $bytes: ['f64', 0, 1], nested: { $plain: [] } };
    expect((await client.echo({ value })).value).toEqual(value);
    const columns = await client.columns({ points: 1000 });
    expect(columns.v).toBeInstanceOf(Float64Array);
    expect(columns.v[999]).toBe(249.75);
    expect([...columns.raw]).toEqual([1, 2, 255]);
  });

  it('carries complete errors, and rejects invalid input', async () => {
    const { client } = await open();
    await expect(client.refuse({})).rejects.toMatchObject({ problem: { code: 'conflict', details: { name: 'a' } } });
    await expect(client.crash({})).rejects.toMatchObject({ problem: { code: 'internal', message: 'boom' } });
    await expect(client.columns({ points: 'x' as never })).rejects.toMatchObject({ problem: { code: 'bad-request' } });
  });

  it('limits a producer to one window ahead, and stops it when the reader leaves', async () => {
    const { client } = await open();
    const numbers = client.numbers.upTo({ count: 1_000_000 });
    expect((await numbers.next()).value).toEqual({ n: 0 });
    // A call after the stream on the same connection: by its response, the producer has long reached its limit.
    await vi.waitFor(async () => expect((await client.counters({})).produced).toBe(WINDOW), SOON);
    await numbers.return?.();
    await vi.waitFor(async () => expect((await client.counters({})).open).toBe(0), SOON);
  });

  it('delivers every item in order', async () => {
    const { client } = await open();
    let next = 0;
    for await (const { n } of client.numbers.upTo({ count: 5000 })) expect(n).toBe(next++);
    expect(next).toBe(5000);
  });

  it('reports the progress of a call on request, replies to others meanwhile, and aborts it on cancel', async () => {
    const { client } = await open();
    const reached: number[] = [];
    let isDone = false;
    const work = client
      .work(
        { steps: 5 },
        { onProgress: ({ what, done, of }) => reached.push(...(what === 'Working' && of === 5 ? [done] : [])) },
      )
      .then(() => {
        isDone = true;
      });
    await client.echo({ value: 1 });
    expect(isDone).toBe(false);
    await work;
    expect(reached).toEqual([1, 2, 3, 4, 5]);
    const abort = new AbortController();
    const left = client.work({ steps: 1_000_000 }, { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(async () => (await client.counters({})).open, SOON).toBe(0);
  });

  it('cancels by signal', async () => {
    const { client } = await open();
    const abort = new AbortController();
    const waiting = client.wait({}, { signal: abort.signal });
    await vi.waitFor(async () => expect((await client.counters({})).open).toBe(1), SOON);
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ problem: { code: 'cancelled' } });
    await vi.waitFor(async () => expect((await client.counters({})).open).toBe(0), SOON);
  });

  it('rejects open and later requests once the connection ends', async () => {
    const { client, cut } = await open();
    const waiting = client.wait({});
    const numbers = client.numbers.upTo({ count: 1_000_000 });
    await numbers.next();
    cut();
    await expect(waiting).rejects.toMatchObject({ problem: { code: 'disconnected' } });
    await expect(
      (async () => {
        for await (const item of numbers) expect(item.n).toBeGreaterThan(0);
      })(),
    ).rejects.toMatchObject({ problem: { code: 'disconnected' } });
    await expect(client.counters({})).rejects.toMatchObject({ problem: { code: 'disconnected' } });
  });
});

it('asks a page of another version to reload', async () => {
  const [near, far] = memoryTransports();
  const client = connect(sampleContract, near);
  far.send({ k: 'hello', protocol: -1 });
  await expect(client.wait({})).rejects.toMatchObject({ problem: { code: 'version-mismatch' } });
});
