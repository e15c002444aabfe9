import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { LINK_FILE, SESSION_PATH, SOCKET_PATH, SOCKET_PROTOCOL } from '../../shared/contract/browser.ts';
import { contract } from '../../shared/contract/index.ts';
import { KneepointError } from '../../shared/model/problem.ts';
import type { Transport } from '../../shared/rpc/define.ts';
import { largestFrame } from '../../shared/rpc/limits.ts';
import { webSocketTransport } from '../../shared/rpc/transports.ts';
import { contentSecurityPolicy, pageFile, SAFE_HEADERS, withStyleNonce } from '../../shared/util/page-files.ts';
import { bearerOf, Guard, offeredSecret } from './guard.ts';

export interface ServerPlan {
  engine: { serve(transport: Transport): void };
  /** Folder of the built page. */
  rendererDir: string;
  /** Folder of the library, which stores an unused link for its owner. */
  dataDir: string;
  /** 0 selects a free port. */
  port: number;
  /** Called when a link was exchanged for a session. */
  onUsed?: () => void;
}

export interface RunningServer {
  /** The one-time link. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves page and engine on 127.0.0.1 to browsers that open the link. Rejects if the port is taken. */
export async function startServer(plan: ServerPlan): Promise<RunningServer> {
  const server = createServer();
  const port = await listen(server, plan.port);
  const guard = new Guard(port, (link) => {
    writeLink(plan.dataDir, link);
    plan.onUsed?.();
  });
  writeLink(plan.dataDir, guard.link);

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    answer({ request, response }, guard, plan.rendererDir).catch((error: unknown) => response.destroy(error as Error));
  };
  server.on('request', onRequest);
  // Otherwise Node itself would tell clients to send their body.
  server.on('checkContinue', onRequest);
  const sockets = acceptSockets(server, guard, plan.engine);

  return {
    url: guard.link,
    port,
    close: () =>
      new Promise((resolve) => {
        removeLink(plan.dataDir);
        for (const peer of sockets.clients) peer.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function acceptSockets(server: Server, guard: Guard, engine: ServerPlan['engine']): WebSocketServer {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: largestFrame(contract),
    handleProtocols: () => SOCKET_PROTOCOL,
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A browser that disconnects during the handshake is not an error.
    socket.on('error', () => socket.destroy());
    const refusal = refuses(request, guard);
    if (refusal) {
      const words = `HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
      socket.end(words, () => socket.destroy());
      return;
    }
    sockets.handleUpgrade(request, socket, head, (peer) => {
      // An invalid WebSocket frame, or one larger than any call: close this connection.
      peer.on('error', () => peer.terminate());
      engine.serve(webSocketTransport(peer));
    });
  });
  return sockets;
}

function refuses(request: IncomingMessage, guard: Guard): string | undefined {
  if (!guard.isOurAddress(request)) return '421 Misdirected Request';
  if (!guard.isOurPage(request)) return '403 Forbidden';
  if (!guard.isKnown(offeredSecret(request))) return '401 Unauthorized';
  return request.url === SOCKET_PATH ? undefined : '404 Not Found';
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? portTaken(port) : error);
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

const portTaken = (port: number): KneepointError =>
  new KneepointError({
    code: 'conflict',
    message: `Port ${port} of this computer is in use by another program.`,
    safe: 'Nothing was started.',
    next: 'Choose another port, or omit it to use a free one.',
  });

/** Stores an unused link for another tab or browser, readable only by the owner of the library. */
function writeLink(dataDir: string, link: string): void {
  const file = path.join(dataDir, LINK_FILE);
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${link}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(`${file}.new`, file);
}

const removeLink = (dataDir: string): void => rmSync(path.join(dataDir, LINK_FILE), { force: true });

/** The unused link of the server that runs on this library. A file left by a killed server is ignored. */
export async function readLink(dataDir: string): Promise<string> {
  const link = linkIn(dataDir);
  if (link === undefined || !(await answers(link))) {
    throw new KneepointError({
      code: 'not-found',
      message: `No page is served from the library ${dataDir}.`,
      safe: 'Nothing was changed.',
      next: 'Start it with: kneepoint serve',
    });
  }
  return link;
}

function linkIn(dataDir: string): string | undefined {
  try {
    return readFileSync(path.join(dataDir, LINK_FILE), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Milliseconds. A server with a busy engine responds late; one that is gone refuses immediately. */
const ANSWER_MS = 30_000;

/** Sends the request without the part after `#`, so that another program on this port learns nothing. */
async function answers(link: string): Promise<boolean> {
  try {
    await fetch(new URL('/', link), { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    return true;
  } catch {
    return false;
  }
}

interface Answer {
  status: number;
  type?: string;
  body?: string | Buffer;
}

const textAnswer = (status: number, text: string): Answer => ({ status, body: text });

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers one HTTP request: exchanges the link for a session, or returns a file of the built page, which contains no secrets. */
async function answer({ request, response }: Exchange, guard: Guard, folder: string): Promise<void> {
  const styleNonce = randomBytes(16).toString('base64');
  const { status, type = 'text/plain', body: made = '' } = await answerTo(request, guard, folder);
  const body = type === 'text/html' ? withStyleNonce(String(made), styleNonce) : made;
  // No request needs a body. An announced one is not read, and the connection is closed after the response.
  if (announcesBody(request)) response.shouldKeepAlive = false;
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'Content-Security-Policy': contentSecurityPolicy({ engine: guard.origin.replace('http', 'ws'), styleNonce }),
    'X-Frame-Options': 'DENY',
    'Content-Type': `${type}; charset=utf-8`,
    ...(status === 204 ? {} : { 'Content-Length': Buffer.byteLength(body) }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

async function answerTo(request: IncomingMessage, guard: Guard, folder: string): Promise<Answer> {
  if (!guard.isOurAddress(request)) return textAnswer(421, `Kneepoint accepts requests only at ${guard.origin}.\n`);
  if (guard.isForeign(request)) return textAnswer(403, 'Kneepoint accepts requests only from its own page.\n');
  if (announcesBody(request)) return textAnswer(413, 'Kneepoint accepts no request with a body.\n');
  const { pathname } = new URL(request.url ?? '/', guard.origin);
  if (pathname === SESSION_PATH) return session(request, guard);
  if (request.method !== 'GET' && request.method !== 'HEAD') return textAnswer(405, 'Kneepoint serves files only.\n');
  return file(folder, pathname);
}

function session(request: IncomingMessage, guard: Guard): Answer {
  const secret = bearerOf(request);
  if (request.method === 'GET')
    return guard.isKnown(secret) ? { status: 204 } : textAnswer(401, 'Session not found.\n');
  if (request.method !== 'POST') return textAnswer(405, 'Use POST to request a session.\n');
  const made = guard.exchange(secret);
  return made
    ? { status: 200, body: made }
    : textAnswer(401, 'This link was already used, or belongs to an earlier start.\n');
}

async function file(folder: string, pathname: string): Promise<Answer> {
  const wanted = pageFile(pathname);
  try {
    if (!wanted) return textAnswer(404, 'File not found.\n');
    return { status: 200, type: wanted.type, body: await readFile(path.join(folder, wanted.path)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (wanted?.path !== 'index.html') return textAnswer(404, 'File not found.\n');
    return textAnswer(503, 'The page is not built yet: run "npm run build" and load this again.\n');
  }
}
