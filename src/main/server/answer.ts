import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pageFile } from '../../shared/util/page-files.ts';
import { contentSecurityPolicy, SAFE_HEADERS } from '../../shared/util/page-policy.ts';
import type { Guard } from './guard.ts';

/** Answers one HTTP request: the exchange of the link, or a file of the built page. */
export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
  folder: string,
): Promise<void> {
  const say = (status: number, text: string): void => send(request, response, guard, status, 'text/plain', text);
  if (!guard.isOurAddress(request)) return say(421, `Kneepoint answers only at ${guard.origin}.\n`);
  if (guard.isForeign(request)) return say(403, 'Kneepoint answers only its own page.\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') return say(405, 'Kneepoint serves files only.\n');

  const url = new URL(request.url ?? '/', guard.origin);
  const token = url.searchParams.get('token');
  if (token !== null && request.method === 'GET') {
    const cookie = guard.exchange(token);
    if (cookie) return welcome(request, response, guard, cookie);
    if (!guard.isKnown(request))
      return say(401, 'This link was used already, or is of an earlier start. Start Kneepoint again for a new one.\n');
  }
  if (!guard.isKnown(request))
    return say(401, 'Open the link that Kneepoint printed when it started; it works once.\n');
  await sendFile(request, response, guard, folder, url.pathname);
}

/** A page that goes on by itself: after a redirect, a browser that came from elsewhere would not send the strict cookie. */
function welcome(request: IncomingMessage, response: ServerResponse, guard: Guard, cookie: string): void {
  response.setHeader('Set-Cookie', cookie);
  const html =
    '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/"><title>Kneepoint</title>';
  send(request, response, guard, 200, 'text/html', html);
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
  folder: string,
  pathname: string,
): Promise<void> {
  const file = pageFile(pathname);
  try {
    if (!file) throw Object.assign(new Error('not a file of the page'), { code: 'ENOENT' });
    send(request, response, guard, 200, file.type, await readFile(path.join(folder, file.path)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const unbuilt = file?.path === 'index.html';
    const text = unbuilt
      ? 'The page is not built yet: run "npm run build" and load this again.\n'
      : 'There is no such file.\n';
    send(request, response, guard, unbuilt ? 503 : 404, 'text/plain', text);
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
  status: number,
  type: string,
  body: string | Buffer,
): void {
  response.writeHead(status, {
    ...SAFE_HEADERS,
    'Content-Security-Policy': contentSecurityPolicy(guard.origin.replace('http', 'ws')),
    'X-Frame-Options': 'DENY',
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
