import type { ConnectionFacts } from '../../../shared/model/target.ts';
import { inVariable, NO_PASSWORD, type PasswordDelivery, secretFile } from './secret.ts';

const MODES = { disabled: 'disable', preferred: 'prefer', required: 'require', verify: 'verify-full' } as const;

/** `…/.s.PGSQL.5432` → its folder: libpq wants the folder as host. */
export const socketFolder = (path: string): string => path.replace(/\/\.s\.PGSQL\.\d+$/, '');

/**
 * What libpq reads about TLS and logging in from the environment. Where a connection may end without TLS, a server that asks for the
 * password in clear text is refused (`require_auth`): libpq knows that since version 16, older ones answer.
 */
export const loginVariables = ({ tls, caFile, allowCleartextPassword }: ConnectionFacts): Record<string, string> => ({
  ...((tls === 'disabled' || tls === 'preferred') && !allowCleartextPassword ? { PGREQUIREAUTH: '!password' } : {}),
  ...(tls ? { PGSSLMODE: MODES[tls] } : {}),
  ...(tls && caFile ? { PGSSLROOTCERT: caFile } : {}),
});

/** Why libpq of this major version gives a password away to whoever asks for it in clear text; undefined where it refuses, or TLS is certain. */
export function libpqReadable({ tls }: ConnectionFacts, major: number | undefined): string | undefined {
  if (tls === 'required' || tls === 'verify' || (major ?? 0) >= 16) return undefined;
  const which = major === undefined ? 'libpq before version 16' : `Its libpq ${major}`;
  return `${which} answers a server that asks for it in clear text.`;
}

/** The password as libpq reads it: from a password file, or from the environment where the line of a file cannot hold it. */
export function libpqPassword(password: string | undefined): PasswordDelivery {
  if (!password) return NO_PASSWORD;
  if (/[\n\r\0]/.test(password)) return inVariable('PGPASSWORD', password);
  const escaped = password.replace(/[\\:]/g, '\\$&');
  return { files: [secretFile('pgpass', `*:*:*:*:${escaped}\n`)], before: ['env', 'PGPASSFILE=@pgpass@'] };
}
