import type { ConnectionOptions } from 'mysql2';
import { publicKeyBody } from '../../../../shared/util/server-key.ts';
import { PasswordKept } from '../password.ts';
import type { ServerConfig } from '../server-facts.ts';

export type Driver = typeof import('mysql2');

/** Whether anybody but the server can read what is sent to it, or be in its place. */
export interface Way {
  encrypted: boolean;
  /** A socket, or an SSH connection to the server's own host. */
  endsOnServerHost: boolean;
}

const OWN_HOST = 'let the app go through SSH on the server’s own host, to 127.0.0.1 or to its socket';
const PIN = 'name the server’s public key in the target (Server key)';

/**
 * How an account logs in. A server that has not seen the account lately wants its whole password (`caching_sha2_password`;
 * `sha256_password` always does): as it is over TLS and on a socket, else encrypted with an RSA key. Which key that is the server says itself,
 * so anyone in its place can have it encrypted for his own.
 */
export function loginOptions(
  { authPlugins }: Driver,
  config: ServerConfig,
  { encrypted, endsOnServerHost }: Way,
): ConnectionOptions {
  if (config.allowCleartextPassword) return { enableCleartextPlugin: true };
  if (encrypted) return {};
  const pinned = publicKeyBody(config.serverKey ?? '');
  if (endsOnServerHost && pinned === undefined) return {};
  const vet = (plugin: string) => (sent: Buffer) => {
    if (pinned === undefined)
      throw new PasswordKept(`encrypted with a key of its own choice (${plugin})`, [PIN, OWN_HOST]);
    if (publicKeyBody(sent.toString('latin1')) === pinned) return;
    throw new PasswordKept(`encrypted with another key than the one pinned in the target (${plugin})`, [
      'compare the key with the server’s, and pin the new one if the server was given one',
    ]);
  };
  return {
    authPlugins: {
      caching_sha2_password: authPlugins.caching_sha2_password({ onServerPublicKey: vet('caching_sha2_password') }),
      sha256_password: authPlugins.sha256_password({ onServerPublicKey: vet('sha256_password') }),
    },
  };
}

/** A server that wants the password in clear text is refused by the driver, over TLS as well. */
export const clearTextKept = (error: unknown, encrypted: boolean): unknown =>
  error instanceof Error && 'code' in error && error.code === 'MYSQL_CLEAR_PASSWORD_NOT_ENABLED'
    ? new PasswordKept('in clear text (mysql_clear_password)', ['give the user another kind of password'], encrypted)
    : error;
