import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { connect } from '../../shared/rpc/client.ts';
import { call } from '../../shared/rpc/define.ts';
import { serve } from '../../shared/rpc/server.ts';
import { webSocketTransport } from '../../shared/rpc/transports.ts';
import { type RunningServer, startServer } from './index.ts';

const contract = { echo: call(z.object({ text: z.string() }), z.string()) };
const engine = {
  serve: (transport: Parameters<typeof serve>[2]) => serve(contract, { echo: ({ text }) => text }, transport),
};

let folder: string;
let server: RunningServer;
let token: string;
let port: number;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-server-'));
  mkdirSync(path.join(folder, 'page/assets'), { recursive: true });
  writeFileSync(path.join(folder, 'page/index.html'), '<title>the page</title>');
  writeFileSync(path.join(folder, 'page/assets/main.js'), 'export {};');
  writeFileSync(path.join(folder, 'secret.json'), '{}');
  server = await startServer({ engine, rendererDir: path.join(folder, 'page'), port: 0 });
  port = server.port;
  token = new URL(server.url).searchParams.get('token') ?? '';
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

async function logIn(): Promise<string> {
  const { headers } = await ask(`/?token=${token}`);
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

/** Status of a refused upgrade, or 101 and the open socket. */
function upgrade(headers: Headers, at = '/rpc'): Promise<{ status: number; socket?: WebSocket }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${at}`, { headers });
    socket.on('open', () => resolve({ status: 101, socket }));
    socket.on('unexpected-response', (_, response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    socket.on('error', reject);
  });
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
const cookies = {
  right: (right: string) => right,
  none: () => undefined,
  wrong: (right: string) => `${right.slice(0, -2)}xx`,
  other: (right: string) => right.replace('kneepoint_', 'other_'),
};

const matrix = Object.keys(hosts).flatMap((host) =>
  Object.keys(origins).flatMap((origin) => Object.keys(cookies).map((cookie) => ({ host, origin, cookie }))),
) as { host: keyof typeof hosts; origin: keyof typeof origins; cookie: keyof typeof cookies }[];

function headersFor(row: (typeof matrix)[number], right: string): Headers {
  const origin = origins[row.origin]();
  const cookie = cookies[row.cookie](right);
  return { Host: hosts[row.host](), ...(origin ? { Origin: origin } : {}), ...(cookie ? { Cookie: cookie } : {}) };
}

describe('who is let in', () => {
  it('lets a page be read only at its own address, not from a foreign page, with the cookie', async () => {
    const right = await logIn();
    for (const row of matrix) {
      const expected =
        row.host !== 'ours' ? 421 : !['ours', 'none'].includes(row.origin) ? 403 : row.cookie !== 'right' ? 401 : 200;
      expect({ ...row, status: (await ask('/', headersFor(row, right))).status }).toEqual({ ...row, status: expected });
    }
  });

  it('lets a WebSocket be opened only at its own address, by its own page, with the cookie', async () => {
    const right = await logIn();
    for (const row of matrix) {
      const expected = row.host !== 'ours' ? 421 : row.origin !== 'ours' ? 403 : row.cookie !== 'right' ? 401 : 101;
      const { status, socket } = await upgrade(headersFor(row, right));
      socket?.terminate();
      expect({ ...row, status }).toEqual({ ...row, status: expected });
    }
  });

  it('takes the token once, and only at its own address and not for a foreign page', async () => {
    expect((await ask(`/?token=${token}`, { Host: `evil.example:${port}` })).status).toBe(421);
    expect((await ask(`/?token=${token}`, { Origin: 'https://evil.example' })).status).toBe(403);
    expect((await ask(`/?token=${token}`, {}, 'HEAD')).status).toBe(401);
    expect((await ask(`/?token=${token.slice(1)}`)).status).toBe(401);
    const first = await ask(`/?token=${token}`);
    expect(first.status).toBe(200);
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(/^kneepoint_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/),
    ]);
    const again = await ask(`/?token=${token}`);
    expect(again.status).toBe(401);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.body).toContain('used already');
    // The browser that holds the cookie may follow its old link again.
    const cookie = first.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    expect((await ask(`/?token=${token}`, { Cookie: cookie })).status).toBe(200);
  });

  it('makes every token anew, with 256 bits', async () => {
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    const second = await startServer({ engine, rendererDir: folder, port: 0 });
    expect(new URL(second.url).searchParams.get('token')).not.toBe(token);
    await second.close();
  });
});

describe('what is served', () => {
  it('answers the page for its own views, files by name, and nothing else', async () => {
    const headers = { Cookie: await logIn() };
    expect(await ask('/', headers)).toMatchObject({ status: 200, body: '<title>the page</title>' });
    expect(await ask('/sessions/3', headers)).toMatchObject({ status: 200, body: '<title>the page</title>' });
    const script = await ask('/assets/main.js', headers);
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    for (const at of ['/../secret.json', '/%2e%2e/secret.json', '/assets/..%2f..%2fsecret.json', '/assets/none.js'])
      expect({ at, status: (await ask(at, headers)).status }).toEqual({ at, status: 404 });
    expect((await ask('/', headers, 'POST')).status).toBe(405);
    expect(await upgrade({ ...headers, Origin: ours() }, '/other')).toEqual({ status: 404 });
  });

  it('sends the safe headers with every answer', async () => {
    const cookie = await logIn();
    for (const answer of [
      await ask('/'),
      await ask('/', { Cookie: cookie }),
      await ask('/assets/none.js', { Cookie: cookie }),
    ]) {
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${port};`);
      expect(policy).not.toContain('unsafe-eval');
    }
  });

  it('carries the contract over the WebSocket, and ends it with the server', async () => {
    const { socket } = await upgrade({ Cookie: await logIn(), Origin: ours() });
    if (!socket) throw new Error('no socket');
    const client = connect(contract, webSocketTransport(socket));
    expect(await client.echo({ text: 'µs' })).toBe('µs');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await server.close();
    await closed;
    await expect(client.echo({ text: 'x' })).rejects.toMatchObject({ code: 'disconnected' });
  });

  it('says in a sentence that a port is taken', async () => {
    await expect(startServer({ engine, rendererDir: folder, port })).rejects.toMatchObject({
      problem: { code: 'conflict', message: `Port ${port} of this computer is in use by another program.` },
    });
  });
});
