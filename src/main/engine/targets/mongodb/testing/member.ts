import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** Wire protocol operations whose replies contain a document, and its offset in the message. */
const ANSWERS: Readonly<Record<number, number>> = { 1: 36, 2013: 21 };

/** Replaces the document in a message. */
function withDocument(message: Buffer, start: number, document: Document): Buffer {
  const changed = Buffer.concat([message.subarray(0, start), BSON.serialize(document)]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
}

/** Splits a stream into whole messages and forwards each as changed by `change`. */
function eachMessage(from: Socket, to: Socket, change: (message: Buffer) => Buffer): void {
  let held = Buffer.alloc(0);
  from.on('data', (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= 4 && held.length >= held.readInt32LE(0)) {
      const length = held.readInt32LE(0);
      to.write(change(held.subarray(0, length)));
      held = held.subarray(length);
    }
  });
}

/** A member of a replica set, or a router: a real server whose reply to `hello` is changed on the way. The server answers everything else. */
export async function startMember(
  server: { address: string; port: number },
  hello: Document,
): Promise<{ place: string; asked(): number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  let asked = 0;
  const proxy = createServer((near) => {
    asked += 1;
    const far = connect({ host: server.address, port: server.port });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
    near.pipe(far);
    eachMessage(far, near, (message) => {
      const start = ANSWERS[message.readInt32LE(12)];
      if (start === undefined) return message;
      const document = BSON.deserialize(message.subarray(start));
      const isHello = 'maxWireVersion' in document;
      return isHello ? withDocument(message, start, { ...document, ...hello }) : message;
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    place: `127.0.0.1:${port}`,
    asked: () => asked,
    stop: async () => {
      const closed = once(proxy, 'close');
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
