import { BSON, type Document } from 'mongodb';
import { onMessages, type Rogue, startRogue } from './rogue.ts';

const HEADER = 16;
const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];
/** Announces only the login with the plain password. */
const HELLO: Document = {
  ok: 1,
  ismaster: true,
  isWritablePrimary: true,
  helloOk: true,
  minWireVersion: 0,
  maxWireVersion: 21,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  saslSupportedMechs: ['PLAIN'],
  conversationId: 1,
  done: false,
  payload: Buffer.alloc(0),
};

function reply(to: Buffer, document: Document): Buffer {
  const [request, kind] = [to.readInt32LE(4), to.readInt32LE(12)];
  const before = kind === OP_QUERY ? Buffer.alloc(20) : Buffer.alloc(5);
  if (kind === OP_QUERY) before.writeInt32LE(1, 16);
  const body = Buffer.concat([before, BSON.serialize(document)]);
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + body.length, 0);
  header.writeInt32LE(1, 4);
  header.writeInt32LE(request, 8);
  header.writeInt32LE(kind === OP_QUERY ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, body]);
}

/** MongoDB's protocol, with PLAIN as the only mechanism. Received data can be searched for the password. */
export const startRogueMongo = (): Promise<Rogue> =>
  startRogue((socket) =>
    onMessages(
      socket,
      (bytes) => (bytes.length < 4 ? undefined : bytes.readInt32LE(0)),
      (message) => socket.write(reply(message, HELLO)),
    ),
  );
