import { onMessages, type Rogue, startRogue } from './rogue.ts';

const ENCRYPTION_REQUESTS: readonly number[] = [80_877_103, 80_877_104];

/** AuthenticationRequest: how the client has to log in. */
function asks(kind: number, more = Buffer.alloc(0)): Buffer {
  const message = Buffer.alloc(9);
  message.write('R');
  message.writeInt32BE(8 + more.length, 1);
  message.writeInt32BE(kind, 5);
  return Buffer.concat([message, more]);
}
const CLEAR_TEXT = asks(3);
const MD5 = asks(5, Buffer.from('salt'));
const READY = Buffer.concat([asks(0), Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]);

/** PostgreSQL's protocol: it asks for the password in clear text, immediately or after a hash that it ignores. */
export const startRoguePostgres = (afterHash = false): Promise<Rogue> =>
  startRogue((socket, got) => {
    let started = false;
    let asked = 0;
    onMessages(
      socket,
      (bytes) => {
        // The first messages have no letter before their length.
        const at = started ? 1 : 0;
        return bytes.length < at + 4 ? undefined : at + bytes.readInt32BE(at);
      },
      (message) => {
        if (!started) {
          if (ENCRYPTION_REQUESTS.includes(message.readInt32BE(4))) return socket.write('N');
          started = true;
          return socket.write(afterHash ? MD5 : CLEAR_TEXT);
        }
        if (message.toString('latin1', 0, 1) !== 'p') return socket.destroy();
        const text = message.toString('utf8', 5).replace(/\0$/, '');
        if (!/^md5[0-9a-f]{32}$/.test(text)) got(text);
        asked += 1;
        return socket.write(afterHash && asked === 1 ? CLEAR_TEXT : READY);
      },
    );
  });
