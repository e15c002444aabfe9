import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { inVariable, NO_PASSWORD, type PasswordDelivery, secretFile } from './secret.ts';

const MODES = { disabled: 'disable', preferred: 'prefer', required: 'require', verify: 'verify-full' } as const;

/** `…/.s.PGSQL.5432` → its folder, which libpq expects as host. */
export const socketFolder = (path: string): string => path.replace(/\/\.s\.PGSQL\.\d+$/, '');

/**
 * Environment variables of libpq for TLS and login. If a connection may be unencrypted, a server that requests the password in clear text is refused
 * (`require_auth`): supported since libpq 16, older versions send it.
 */
export const loginVariables = ({ tls, caFile, allowCleartextPassword }: ConnectionFacts): Record<string, string> => ({
  ...((tls === 'disabled' || tls === 'preferred') && !allowCleartextPassword ? { PGREQUIREAUTH: '!password' } : {}),
  ...(tls ? { PGSSLMODE: MODES[tls] } : {}),
  ...(tls && caFile ? { PGSSLROOTCERT: caFile } : {}),
});

/** Why this major version of libpq sends a password in clear text on request. Undefined if it refuses, or if TLS is guaranteed. */
export function libpqReadable({ tls }: ConnectionFacts, major: number | undefined): string | undefined {
  if (tls === 'required' || tls === 'verify' || (major ?? 0) >= 16) return undefined;
  const which = major === undefined ? 'libpq before version 16' : `Its libpq ${major}`;
  return `${which} sends it in clear text if the server requests that.`;
}

/** Passes the password to libpq in a password file, or in the environment if a line of that file cannot contain it. */
export function libpqPassword(password: string | undefined): PasswordDelivery {
  if (!password) return NO_PASSWORD;
  if (/[\n\r\0]/.test(password)) return inVariable('PGPASSWORD', password);
  const escaped = password.replace(/[\\:]/g, '\\$&');
  return { files: [secretFile('pgpass', `*:*:*:*:${escaped}\n`)], before: ['env', 'PGPASSFILE=@pgpass@'] };
}
