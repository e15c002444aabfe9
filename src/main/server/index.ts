import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { KneepointError } from '../../shared/model/problem.ts';
import type { Transport } from '../../shared/rpc/define.ts';
import { webSocketTransport } from '../../shared/rpc/transports.ts';
import { answer } from './answer.ts';
import { Guard } from './guard.ts';

export interface ServerPlan {
  engine: { serve(transport: Transport): void };
  /** Folder of the built page. */
  rendererDir: string;
  /** 0 takes a free one. */
  port: number;
}

export interface RunningServer {
  /** The one-time link. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const LARGEST_MESSAGE = 64 * 1024 * 1024;

/** Serves page and engine on 127.0.0.1 to the one browser that opens the link. Rejects when the port is taken. */
export async function startServer({ engine, rendererDir, port }: ServerPlan): Promise<RunningServer> {
  const server = createServer();
  const actual = await listen(server, port);
  const guard = new Guard(actual);
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: LARGEST_MESSAGE });

  server.on('request', (request, response) => {
    answer(request, response, guard, rendererDir).catch((error: unknown) => response.destroy(error as Error));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const refusal = refuses(request, guard);
    // A browser that goes away in the middle of a handshake is not our error.
    socket.on('error', () => socket.destroy());
    if (refusal) socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    else sockets.handleUpgrade(request, socket, head, (peer) => engine.serve(webSocketTransport(peer)));
  });

  return {
    url: guard.link,
    port: actual,
    close: () =>
      new Promise((resolve) => {
        for (const peer of sockets.clients) peer.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuses(request: IncomingMessage, guard: Guard): string | undefined {
  if (!guard.isOurAddress(request)) return '421 Misdirected Request';
  if (!guard.isOurPage(request)) return '403 Forbidden';
  if (!guard.isKnown(request)) return '401 Unauthorized';
  return request.url === '/rpc' ? undefined : '404 Not Found';
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
    next: 'Choose another port, or leave it out to take a free one.',
  });
