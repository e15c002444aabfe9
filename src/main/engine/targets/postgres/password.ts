import type { Client } from 'pg';
import { PasswordKept } from '../password.ts';

/** What pg sends to a server that asks for MD5. */
const HASHED = /^md5[0-9a-f]{32}$/;

/**
 * The driver answers a server that asks for clear text, whatever the connection. This stands before the one message that would hold the
 * password: it lets nothing pass but a hash, whatever the server asked for before. (SCRAM has messages of its own, without the password.)
 */
export function keepClearText(client: Client, secret: string): void {
  const connection: unknown = Reflect.get(client, 'connection');
  const send: unknown = connection instanceof Object ? Reflect.get(connection, 'password') : undefined;
  if (!(connection instanceof Object) || typeof send !== 'function')
    throw new Error('This version of the PostgreSQL driver cannot be kept from sending a password.');
  Reflect.set(connection, 'password', (text: unknown) => {
    if (typeof text === 'string' && HASHED.test(text) && text !== secret) send.call(connection, text);
    else
      Reflect.apply(Reflect.get(connection, 'emit'), connection, [
        'error',
        new PasswordKept('in clear text', ['have the server ask for scram-sha-256 instead (pg_hba.conf)']),
      ]);
  });
}
