import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { SESSION_PATH } from '../../shared/contract/browser.ts';
import { contentSecurityPolicy, pageFile, SAFE_HEADERS, withStyleNonce } from '../../shared/util/page-files.ts';
import { bearerOf, type Guard } from './guard.ts';

interface Answer {
  status: number;
  type?: string;
  body?: string | Buffer;
}

const say = (status: number, text: string): Answer => ({ status, body: text });

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Answers one HTTP request: exchanges the link for a session, or returns a file of the built page, which contains no secrets. */
export async function answer({ request, response }: Exchange, guard: Guard, folder: string): Promise<void> {
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
  if (!guard.isOurAddress(request)) return say(421, `Kneepoint answers only at ${guard.origin}.\n`);
  if (guard.isForeign(request)) return say(403, 'Kneepoint answers only its own page.\n');
  if (announcesBody(request)) return say(413, 'Kneepoint accepts no request with a body.\n');
  const { pathname } = new URL(request.url ?? '/', guard.origin);
  if (pathname === SESSION_PATH) return session(request, guard);
  if (request.method !== 'GET' && request.method !== 'HEAD') return say(405, 'Kneepoint serves files only.\n');
  return file(folder, pathname);
}

function session(request: IncomingMessage, guard: Guard): Answer {
  const secret = bearerOf(request);
  if (request.method === 'GET') return guard.isKnown(secret) ? { status: 204 } : say(401, 'Session not found.\n');
  if (request.method !== 'POST') return say(405, 'Use POST to request a session.\n');
  const made = guard.exchange(secret);
  return made ? { status: 200, body: made } : say(401, 'This link was already used, or belongs to an earlier start.\n');
}

async function file(folder: string, pathname: string): Promise<Answer> {
  const wanted = pageFile(pathname);
  try {
    if (!wanted) return say(404, 'File not found.\n');
    return { status: 200, type: wanted.type, body: await readFile(path.join(folder, wanted.path)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (wanted?.path !== 'index.html') return say(404, 'File not found.\n');
    return say(503, 'The page is not built yet: run "npm run build" and load this again.\n');
  }
}
