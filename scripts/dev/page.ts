import { realpathSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { createServer, type ProxyOptions } from 'vite';
import { SESSION_PATH } from '../../src/shared/contract/browser.ts';

/**
 * Content policy of the page in development. Unlike the built page's policy (`src/shared/util/page-files.ts`) it allows inline scripts, because
 * one enables React's refresh, and Vite's own socket. Text is still never run as a script.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface PagePlan {
  root: string;
  port: number;
  /** Fails if the port is in use, instead of choosing another one. */
  strict: boolean;
  /** Origin of the server that holds the one-time link and connects to the engine. */
  engine: string;
}

export interface RunningPage {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * The page from its sources, with hot reload, on 127.0.0.1. Requests that open the engine (the link, its exchange, the connection) are forwarded to
 * the server that guards it: the same access control as without hot reload.
 */
export async function servePage({ root, port, strict, engine }: PagePlan): Promise<RunningPage> {
  const own: { authority?: string } = {};
  const engineProxy: ProxyOptions = { target: engine, configure: (proxy) => passOn(proxy, own, new URL(engine)) };
  const vite = await createServer({
    configFile: path.join(root, 'vite.config.ts'),
    root: path.join(root, 'src/renderer'),
    cacheDir: path.join(root, 'dist/vite'),
    clearScreen: false,
    server: {
      // Loaded before the first visit, which would otherwise wait for them.
      warmup: { clientFiles: ['./main.tsx', './app/App.tsx', './views/*/index.tsx'] },
      host: '127.0.0.1',
      port,
      strictPort: strict,
      // No other page may read these sources.
      cors: false,
      headers: {
        'Content-Security-Policy': POLICY,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
      },
      fs: { allow: ['src/renderer', 'src/shared', 'node_modules'].map((name) => realpathSync(path.join(root, name))) },
      proxy: {
        '/rpc': { ...engineProxy, ws: true },
        '/': { ...engineProxy, bypass: (request) => (isEngineRequest(request) ? undefined : request.url) },
      },
    },
  });
  await vite.listen();
  const address = vite.httpServer?.address();
  if (!address || typeof address === 'string') throw new Error('The page has no port.');
  own.authority = `127.0.0.1:${address.port}`;
  return { port: address.port, close: () => vite.close() };
}

/** The exchange of the link, and everything other than reading a file. */
const isEngineRequest = ({ method, url }: IncomingMessage): boolean =>
  (method !== 'GET' && method !== 'HEAD') || new URL(url ?? '/', 'http://page').pathname === SESSION_PATH;

type Proxy = Parameters<NonNullable<ProxyOptions['configure']>>[0];

/** Requests of this page become requests of the guarded server's own page; all others keep their origin, and are refused there. */
function passOn(proxy: Proxy, own: { authority?: string }, engine: URL): void {
  const rename = (sent: { setHeader(name: string, value: string): unknown }, { headers }: IncomingMessage): void => {
    if (own.authority === undefined) return;
    if (headers.host === own.authority) sent.setHeader('host', engine.host);
    if (headers.origin === `http://${own.authority}`) sent.setHeader('origin', engine.origin);
  };
  proxy.on('proxyReq', rename);
  proxy.on('proxyReqWs', rename);
}
