const PEM = /^\s*-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----\s*\0?$/;

/**
 * Identity of a public key: the base64 of a PEM text, without line ends. The client of MySQL prints these as `\\n`. Undefined for any other
 * text, or more than one key.
 */
export function publicKeyBody(text: string): string | undefined {
  return PEM.exec(text.replaceAll('\\n', '\n'))?.[1]?.replaceAll(/\s+/g, '');
}

/** The same key in the form that all programs read. */
export const publicKeyPem = (body: string): string =>
  `-----BEGIN PUBLIC KEY-----\n${body.replaceAll(/(.{64})(?=.)/g, '$1\n')}\n-----END PUBLIC KEY-----\n`;

/** The server requested the password in a form from which it can be recovered. Thrown instead of sending it. */
export class PasswordKept extends Error {
  readonly code = 'PASSWORD_KEPT';
  /** The server's request, as the rest of "It asked for the password of bench …". */
  readonly asked: string;
  /** Alternatives to TLS and permission, as parts of a sentence. */
  readonly ways: readonly string[];
  readonly encrypted: boolean;

  constructor(asked: string, ways: readonly string[], encrypted = false) {
    super(`The server asked for the password ${asked}${encrypted ? '' : ', without TLS'}. It was not sent.`);
    this.name = 'PasswordKept';
    this.asked = asked;
    this.ways = ways;
    this.encrypted = encrypted;
  }
}

/** pg's reply to a server that requests MD5. */
const HASHED = /^md5[0-9a-f]{32}$/;

/**
 * pg sends a cleartext password on request, whatever the connection. This intercepts the only message that would contain the password and lets
 * nothing but a hash pass, whatever the server requested before. (SCRAM has separate messages, without the password.)
 */
export function keepClearText(client: object, secret: string): void {
  const connection: unknown = Reflect.get(client, 'connection');
  const send: unknown = connection instanceof Object ? Reflect.get(connection, 'password') : undefined;
  if (!(connection instanceof Object) || typeof send !== 'function')
    throw new Error('This version of the PostgreSQL driver cannot be kept from sending a password.');
  Reflect.set(connection, 'password', (text: unknown) => {
    if (typeof text === 'string' && HASHED.test(text) && text !== secret) send.call(connection, text);
    else
      Reflect.apply(Reflect.get(connection, 'emit'), connection, [
        'error',
        new PasswordKept('in cleartext', ['have the server ask for scram-sha-256 instead (pg_hba.conf)']),
      ]);
  });
}

/** Flags of mysql2. Local files are never sent. ClickHouse closes the connection of a client that sends attributes other than user and database. */
export const MYSQL_FLAGS = ['-LOCAL_FILES', '-CONNECT_ATTRS', '-SESSION_TRACK', '-CLIENT_QUERY_ATTRIBUTES'];

const OWN_HOST = 'connect via SSH to the server host, then to 127.0.0.1 or to its socket';
const PIN = 'set the server’s public key in the target (Server key)';

/** Whether a third party can read the data sent to the server or impersonate it, and the key pinned in the target. */
interface Way {
  encrypted: boolean;
  /** A socket, or an SSH connection to the server host. */
  endsOnServerHost: boolean;
  serverKey: string | undefined;
}

/**
 * A server that has not seen the account recently requires its full password (`caching_sha2_password`; `sha256_password` always does): as it is over
 * TLS and on a socket, otherwise encrypted with an RSA key. The server itself supplies that key, so an impostor can have the password encrypted with
 * its own. Returns a check of this key by plugin, which throws `PasswordKept`. Undefined if none is needed.
 */
export function serverKeyCheck({
  encrypted,
  endsOnServerHost,
  serverKey,
}: Way): ((plugin: string) => (sent: { toString(encoding: 'latin1'): string }) => void) | undefined {
  const pinned = publicKeyBody(serverKey ?? '');
  if (encrypted || (endsOnServerHost && pinned === undefined)) return undefined;
  return (plugin) => (sent) => {
    if (pinned === undefined)
      throw new PasswordKept(`encrypted with a key that is not pinned in the target (${plugin})`, [PIN, OWN_HOST]);
    if (publicKeyBody(sent.toString('latin1')) === pinned) return;
    throw new PasswordKept(`encrypted with a key other than the one pinned in the target (${plugin})`, [
      'compare this key with the one on the server, and pin it if the key of the server was replaced',
    ]);
  };
}
