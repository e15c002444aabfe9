import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { onMessages, type Rogue, startRogue } from './rogue.ts';

const SCRAMBLE = Buffer.from('abcdefghijklmnopqrst');
/** TLS, which it claims not to support. */
const CLIENT_SSL = 0x0800;

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const PEM = publicKey.export({ type: 'spki', format: 'pem' });

/** A MySQL packet with its header. */
function packet(sequence: number, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const header = Buffer.alloc(4);
  header.writeUIntLE(body.length, 0, 3);
  header[3] = sequence;
  return Buffer.concat([header, body]);
}

function greeting(plugin: string): Buffer {
  const capabilities = Buffer.alloc(4);
  capabilities.writeUInt32LE((0xffffffff & ~CLIENT_SSL) >>> 0);
  const [low, high] = [capabilities.subarray(0, 2), capabilities.subarray(2)];
  const before = Buffer.from([1, 0, 0, 0]);
  return packet(
    0,
    '\x0a8.0.99-rogue\0',
    before,
    SCRAMBLE.subarray(0, 8),
    '\0',
    low,
    Buffer.from([45, 2, 0]),
    high,
    Buffer.from([21]),
    Buffer.alloc(10),
    SCRAMBLE.subarray(8),
    `\0${plugin}\0`,
  );
}

function decrypted(sent: Buffer): string | undefined {
  try {
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const mixed = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha1' }, sent);
    const bytes = mixed.map((byte, at) => byte ^ (SCRAMBLE[at % SCRAMBLE.length] ?? 0));
    return Buffer.from(bytes).toString('latin1');
  } catch {
    return undefined;
  }
}

export const ROGUE_MYSQL = ['caching_sha2_password', 'sha256_password', 'mysql_clear_password'] as const;

/**
 * MySQL's protocol: for any client and account, it asks for the whole password with this plugin, encrypted with its own key if the plugin does
 * that. `first`: the plugin of its greeting.
 */
export const startRogueMySql = (plugin: (typeof ROGUE_MYSQL)[number], first: string = plugin): Promise<Rogue> =>
  startRogue((socket, got) => {
    let step = 0;
    socket.write(greeting(first));
    onMessages(
      socket,
      (bytes) => (bytes.length < 4 ? undefined : 4 + bytes.readUIntLE(0, 3)),
      (message) => {
        const sequence = (message[3] ?? 0) + 1;
        const body = message.subarray(4);
        step += 1;
        // The first message is the login: account and a hash.
        if (step === 1) return socket.write(packet(sequence, `\xfe${plugin}\0`, SCRAMBLE, '\0'));
        const secret = decrypted(body);
        if (secret !== undefined || body.length > 1) {
          const text = secret ?? body.toString('latin1');
          if (text.endsWith('\0')) got(text.slice(0, -1));
        }
        if (body.length === 1) return socket.write(packet(sequence, '\x01', PEM));
        if (plugin === 'caching_sha2_password' && step === 2) return socket.write(packet(sequence, '\x01\x04'));
        // It lets everyone in.
        return socket.write(packet(sequence, Buffer.from([0, 0, 0, 2, 0, 0, 0])));
      },
    );
  });
