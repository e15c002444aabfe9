import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A server without TLS in the place of a database, which tries to obtain the password. */
export interface Rogue {
  readonly address: string;
  readonly port: number;
  /** Everything that clients have sent to it. */
  received(): Buffer;
  /** The passwords that it could read, decrypted if necessary. */
  passwords(): readonly string[];
  stop(): Promise<void>;
}

/** How a kind of rogue handles one connection: calls `got` with each password that it could read. */
export type Behaviour = (socket: Socket, got: (password: string) => void) => void;

export async function startRogue(behave: Behaviour): Promise<Rogue> {
  const sockets = new Set<Socket>();
  const received: Buffer[] = [];
  const passwords: string[] = [];
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes: Buffer) => received.push(bytes));
    behave(socket, (password) => passwords.push(password));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = server.address();
  return {
    address: '127.0.0.1',
    port: at !== null && typeof at === 'object' ? at.port : 0,
    received: () => Buffer.concat(received),
    passwords: () => passwords,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Calls back with each complete message of a stream; `sizeOf` returns its length, or undefined while unknown. */
export function onMessages(
  socket: Socket,
  sizeOf: (bytes: Buffer) => number | undefined,
  take: (message: Buffer) => void,
): void {
  let held = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    for (let size = sizeOf(held); size !== undefined && held.length >= size; size = sizeOf(held)) {
      const message = held.subarray(0, size);
      held = held.subarray(size);
      take(message);
    }
  });
}
