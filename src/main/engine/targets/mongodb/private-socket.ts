import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';

/** A Unix socket (a named pipe on Windows) of this process alone. */
export interface PrivateSocket {
  readonly path: string;
  close(): Promise<void>;
}

/**
 * Hands whatever connects to the socket on to a stream of `dial`. For drivers that open their connections themselves: no port is
 * opened, and only this user can reach the folder that the socket lies in.
 */
export async function openPrivateSocket(dial: () => Promise<Duplex>): Promise<PrivateSocket> {
  const sockets = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    dial().then(
      (far) => tie(socket, far),
      () => socket.destroy(),
    );
  });
  const folder = process.platform === 'win32' ? undefined : mkdtempSync(join(tmpdir(), 'kneepoint-mongodb-'));
  const path = folder === undefined ? `\\\\.\\pipe\\kneepoint-${randomUUID()}.sock` : join(folder, 's.sock');
  server.listen(path);
  await once(server, 'listening');
  return {
    path,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Either end takes the other with it. */
function tie(near: Socket, far: Duplex): void {
  far.once('error', () => near.destroy());
  far.once('close', () => near.destroy());
  near.once('close', () => far.destroy());
  near.pipe(far).pipe(near);
}
