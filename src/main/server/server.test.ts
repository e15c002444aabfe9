import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { connect } from '../../shared/rpc/client.ts';
import { call } from '../../shared/rpc/define.ts';
import { serve } from '../../shared/rpc/server.ts';
import { webSocketTransport } from '../../shared/rpc/transports.ts';
import { type RunningServer, readLink, type ServerPlan, startServer } from './index.ts';

const contract = { echo: call(z.object({ text: z.string() }), z.string()) };
const engine = {
  serve: (transport: Parameters<typeof serve>[2]) => serve(contract, { echo: ({ text }) => text }, transport),
};

let folder: string;
let plan: ServerPlan;
let server: RunningServer;
let port: number;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-server-'));
  mkdirSync(path.join(folder, 'page/assets'), { recursive: true });
  writeFileSync(path.join(folder, 'page/index.html'), '<title>the page</title><meta nonce="%STYLE_NONCE%">');
  writeFileSync(path.join(folder, 'page/assets/main.js'), 'export {};');
  writeFileSync(path.join(folder, 'secret.json'), '{}');
  plan = { engine, rendererDir: path.join(folder, 'page'), dataDir: folder, port: 0 };
  server = await startServer(plan);
  port = server.port;
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

interface Answer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}
type Headers = Record<string, string>;

/** A request exactly as given: fetch would correct Host, Origin and the path. */
function ask(at: string, headers: Headers = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: at, method, headers, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const secretOf = (link: string): string => /#link=([\w-]+)$/.exec(link)?.[1] ?? '';
const bearer = (secret: string): Headers => ({ Authorization: `Bearer ${secret}` });

/** Exchanges the link, as the page does, and returns the secret of the session. */
async function logIn(): Promise<string> {
  const { status, body } = await ask('/session', { ...bearer(secretOf(server.url)), Origin: ours() }, 'POST');
  expect(status).toBe(200);
  return body;
}

/** Status of a refused upgrade, or 101 and the open socket. */
function upgrade(headers: Headers, protocols: string[], at = '/rpc'): Promise<{ status: number; socket?: WebSocket }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${at}`, protocols, { headers });
    socket.on('open', () => resolve({ status: 101, socket }));
    socket.on('unexpected-response', (_, response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    socket.on('error', reject);
  });
}

/** A connection of the server's own page. */
async function enter(secret: string): Promise<WebSocket> {
  const { socket } = await upgrade({ Origin: ours() }, ['kneepoint', secret]);
  if (!socket) throw new Error('The server did not let its own page in.');
  return socket;
}

const ours = (): string => `http://127.0.0.1:${port}`;
/** Header values to try, by a name for the test. */
const hosts = {
  ours: () => `127.0.0.1:${port}`,
  name: () => `localhost:${port}`,
  rebound: () => `evil.example:${port}`,
  portless: () => '127.0.0.1',
};
const origins = {
  ours,
  none: () => undefined,
  foreign: () => 'https://evil.example',
  neighbour: () => `http://127.0.0.1:${port + 1}`,
  null: () => 'null',
};
/** Offered WebSocket protocols, and optional headers. */
const offers: Readonly<Record<string, (right: string) => { protocols: string[]; more?: Headers }>> = {
  right: (right) => ({ protocols: ['kneepoint', right] }),
  none: () => ({ protocols: [] }),
  'name only': () => ({ protocols: ['kneepoint'] }),
  wrong: (right) => ({ protocols: ['kneepoint', `${right.slice(0, -2)}xx`] }),
  'secret only': (right) => ({ protocols: [right] }),
  'as a cookie': (right) => ({ protocols: ['kneepoint'], more: { Cookie: `kneepoint_${port}=${right}` } }),
  'of the link': () => ({ protocols: ['kneepoint', secretOf(server.url)] }),
};

const headersOf = (host: keyof typeof hosts, origin: keyof typeof origins): Headers => {
  const named = origins[origin]();
  return { Host: hosts[host](), ...(named ? { Origin: named } : {}) };
};
const everyHost = Object.keys(hosts) as (keyof typeof hosts)[];
const everyOrigin = Object.keys(origins) as (keyof typeof origins)[];

describe('access control', () => {
  it('serves files only at its own address, not to a foreign page', async () => {
    for (const host of everyHost)
      for (const origin of everyOrigin) {
        const expected = host !== 'ours' ? 421 : !['ours', 'none'].includes(origin) ? 403 : 200;
        const { status } = await ask('/', headersOf(host, origin));
        expect({ host, origin, status }).toEqual({ host, origin, status: expected });
      }
  });

  it('opens a WebSocket only at its own address, to its own page, with a session secret', async () => {
    const right = await logIn();
    for (const host of everyHost)
      for (const origin of everyOrigin)
        for (const [offer, make] of Object.entries(offers)) {
          const expected = host !== 'ours' ? 421 : origin !== 'ours' ? 403 : offer !== 'right' ? 401 : 101;
          const { protocols, more } = make(right);
          const { status, socket } = await upgrade({ ...headersOf(host, origin), ...more }, protocols);
          socket?.terminate();
          expect({ host, origin, offer, status }).toEqual({ host, origin, offer, status: expected });
        }
  });

  it('accepts the secret of the link once, at its own address, and not from a foreign page', async () => {
    const secret = secretOf(server.url);
    const post = (headers: Headers) => ask('/session', headers, 'POST');
    expect((await post({ ...bearer(secret), Host: `evil.example:${port}` })).status).toBe(421);
    expect((await post({ ...bearer(secret), Origin: 'https://evil.example' })).status).toBe(403);
    expect((await post({ ...bearer(secret), Origin: `http://127.0.0.1:${port + 1}` })).status).toBe(403);
    expect((await post(bearer(secret.slice(1)))).status).toBe(401);
    expect((await post({})).status).toBe(401);
    expect((await ask(`/session?link=${secret}`, {}, 'POST')).status).toBe(401);
    const first = await post(bearer(secret));
    expect(first).toMatchObject({ status: 200, body: expect.stringMatching(/^[\w-]{43}$/) });
    expect(await post(bearer(secret))).toMatchObject({ status: 401, body: expect.stringContaining('already used') });
    expect((await ask('/session', bearer(first.body))).status).toBe(204);
    expect((await ask('/session', bearer(secret))).status).toBe(401);
    expect((await ask('/session')).status).toBe(401);
  });

  it('sets nothing that a browser would send to another port', async () => {
    const secret = await logIn();
    for (const answer of [await ask('/'), await ask('/session', bearer(secret)), await ask('/session', {}, 'POST')])
      expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('generates a new secret of 256 bits each time', async () => {
    expect(Buffer.from(secretOf(server.url), 'base64url')).toHaveLength(32);
    const session = await logIn();
    expect(Buffer.from(session, 'base64url')).toHaveLength(32);
    expect(session).not.toBe(secretOf(server.url));
    const second = await startServer({ ...plan, dataDir: path.join(folder, 'page') });
    expect(secretOf(second.url)).not.toBe(secretOf(server.url));
    await second.close();
  });
});

describe('the stored link for another tab', () => {
  const file = (): string => path.join(folder, 'link');

  it('is readable by its owner only, changes after use, and is removed with the server', async () => {
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(await readLink(folder)).toBe(server.url);
    const first = await logIn();
    const next = await readLink(folder);
    expect(next).not.toBe(server.url);
    const { body: second } = await ask('/session', bearer(secretOf(next)), 'POST');
    for (const secret of [first, second]) (await enter(secret)).terminate();
    await server.close();
    await expect(readLink(folder)).rejects.toMatchObject({ problem: { code: 'not-found' } });
  });

  it('of a killed server is ignored', async () => {
    await server.close();
    writeFileSync(file(), server.url);
    await expect(readLink(folder)).rejects.toMatchObject({ problem: { code: 'not-found' } });
  });
});

describe('a request body', () => {
  /** Sends a head, then a body as long as the server accepts it. Returns the response and the amount sent. */
  function pour(head: string, most: number): Promise<{ answer: string; sent: number }> {
    return new Promise((resolve) => {
      const socket = createConnection(port, '127.0.0.1');
      let answer = '';
      let sent = 0;
      const more = (): void => {
        while (sent < most && !socket.destroyed) {
          sent += 65_536;
          if (!socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`)) return;
        }
        if (sent >= most) socket.destroy();
      };
      socket.on('data', (data) => {
        answer += data.toString();
      });
      socket.on('drain', more);
      // The server closes the connection with unread bytes, which resets it.
      socket.on('error', () => undefined);
      socket.on('close', () => resolve({ answer, sent }));
      socket.write(head);
      more();
    });
  }

  it.each(['POST /session', 'POST /', 'PUT /none', 'GET /'])('of %s is not read', async (what) => {
    const most = 256 * 1024 * 1024;
    const head = `${what} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const { answer, sent } = await pour(head, most);
    expect(answer === '' || answer.startsWith('HTTP/1.1 413')).toBe(true);
    // The capacity of the buffers at both ends.
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it('is refused before it is sent', async () => {
    const socket = createConnection(port, '127.0.0.1');
    const closed = once(socket, 'close');
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    socket.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`);
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*Connection: close/);
    expect(answer).not.toContain('100 Continue');
  });

  it('after a refused upgrade is not read, and the connection ends', async () => {
    const head = `GET /rpc HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${ours()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: ${'a'.repeat(22)}==\r\nSec-WebSocket-Version: 13\r\n\r\n`;
    const { answer, sent } = await pour(head, 256 * 1024 * 1024);
    expect(answer === '' || answer.startsWith('HTTP/1.1 401')).toBe(true);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('a hostile frame', () => {
  const bytesAt = (head: string, length = head.length): Uint8Array => {
    const frame = Buffer.alloc(64);
    frame.writeUInt32LE(length);
    frame.write(head, 4);
    return frame;
  };
  const frames: Readonly<Record<string, () => string | Uint8Array>> = {
    null: () => 'null',
    '{': () => '{',
    empty: () => '',
    'empty, binary': () => new Uint8Array(0),
    'of one byte': () => Uint8Array.of(1),
    'with a bad length': () => bytesAt('{}', 4_000_000_000),
    'with huge $bytes': () => bytesAt('{"$bytes":["f64",0,999999999]}'),
    'with $plain:[1]': () => '{"$plain":[1]}',
    'nested 200,000 deep': () => '['.repeat(200_000) + ']'.repeat(200_000),
    'of more than 64 MiB': () => 'x'.repeat(65 * 1024 * 1024),
  };

  it.each(Object.entries(frames))('%s ends its connection only', async (_, frame) => {
    const secret = await logIn();
    const other = connect(contract, webSocketTransport(await enter(secret)));
    const socket = await enter(secret);
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.send(frame());
    await closed;
    expect(await other.echo({ text: 'here' })).toBe('here');
    expect(await connect(contract, webSocketTransport(await enter(secret))).echo({ text: 'and here' })).toBe(
      'and here',
    );
  });

  it('that violates the WebSocket protocol ends its connection only', async () => {
    const secret = await logIn();
    const socket = await enter(secret);
    const raw = Reflect.get(socket, '_socket') as Socket;
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    raw.write(Buffer.from('ffffffffffffffff', 'hex'));
    await closed;
    expect(await connect(contract, webSocketTransport(await enter(secret))).echo({ text: 'here' })).toBe('here');
  });
});

describe('responses', () => {
  it('contain the page for its own views, files by name, and nothing else', async () => {
    for (const at of ['/', '/sessions/3'])
      expect(await ask(at)).toMatchObject({ status: 200, body: expect.stringContaining('<title>the page</title>') });
    const script = await ask('/assets/main.js');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    for (const at of ['/../secret.json', '/%2e%2e/secret.json', '/assets/..%2f..%2fsecret.json', '/assets/none.js'])
      expect({ at, status: (await ask(at)).status }).toEqual({ at, status: 404 });
    expect((await ask('/', {}, 'POST')).status).toBe(405);
    expect((await ask('/session', {}, 'PUT')).status).toBe(405);
    expect(await upgrade({ Origin: ours() }, ['kneepoint', await logIn()], '/other')).toEqual({ status: 404 });
  });

  it('have security headers', async () => {
    for (const answer of [await ask('/'), await ask('/session'), await ask('/assets/none.js')]) {
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${port};`);
      expect(policy).not.toContain('unsafe-');
    }
  });

  it('have a different style nonce for each page', async () => {
    const nonces = await Promise.all(
      ['/', '/'].map(async (at) => {
        const { headers, body } = await ask(at);
        const nonce = /<meta nonce="([\w+/]{22}==)">/.exec(body)?.[1];
        expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}';`);
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  it('carry the contract over the WebSocket, which ends with the server', async () => {
    const socket = await enter(await logIn());
    const client = connect(contract, webSocketTransport(socket));
    expect(await client.echo({ text: 'µs' })).toBe('µs');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await server.close();
    await closed;
    await expect(client.echo({ text: 'x' })).rejects.toMatchObject({ code: 'disconnected' });
  });

  it('report in a sentence that a port is in use', async () => {
    await expect(startServer({ ...plan, port })).rejects.toMatchObject({
      problem: { code: 'conflict', message: `Port ${port} of this computer is in use by another program.` },
    });
  });
});
