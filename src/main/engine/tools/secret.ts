import type { ConnectionFacts } from '../../../shared/model/target.ts';
import type { Command } from './tool.ts';

/** How a command gets its password: files that only their owner can read, and arguments before the program. */
export interface PasswordDelivery {
  files: Command['files'];
  before: readonly string[];
}

export const NO_PASSWORD: PasswordDelivery = { files: [], before: [] };

/** A file in the job folder that only its owner can read, and that is not kept. */
export const secretFile = (name: string, content: string): Command['files'][number] => ({
  name,
  content,
  mode: 0o600,
  secret: true,
});

/** Reads the password from a file into a variable for this program only. The trailing x preserves newlines that `$()` would drop. */
const fromFile = (variable: string): string =>
  `${variable}=$(cat -- "$1" && echo x) && ${variable}=\${${variable}%?x} && export ${variable} && shift && exec "$@"`;

/** `ps` shows argv to every user of the host, so the password is passed in the file `password` to this environment variable. */
export const inVariable = (variable: string, password: string): PasswordDelivery => ({
  files: [secretFile('password', `${password}\n`)],
  before: ['sh', '-c', fromFile(variable), 'sh', '@password@'],
});

const SAFE = /^[A-Za-z0-9_@%+=:,./-]+$/;
const quoted = (text: string): string => (SAFE.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A command as a line for a POSIX shell. Files of the command appear by name. Secrets are only in files, so none is shown. */
export function shownCommand(command: Command): string {
  if (command.shown !== undefined) return command.shown;
  const named = (text: string): string =>
    [...command.files, ...(command.programs ?? [])].reduce(
      (result, file) => result.replaceAll(`@${file.name}@`, file.name),
      text,
    );
  const environment = Object.entries(command.env).map(([name, value]) => `${name}=${quoted(named(value))}`);
  const { cpus, limits = {} } = command.under ?? {};
  const limited = Object.entries(limits).map(([letter, limit]) => `ulimit -${letter} ${limit}; `);
  const pinned = cpus === undefined ? [] : ['taskset', '-c', cpus];
  const words = [...environment, ...pinned, ...command.argv.map((argument) => quoted(named(argument)))];
  return limited.join('') + words.join(' ');
}

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
  return `${which} sends it in cleartext if the server requests that.`;
}

/** Passes the password to libpq in a password file, or in the environment if a line of that file cannot contain it. */
export function libpqPassword(password: string | undefined): PasswordDelivery {
  if (!password) return NO_PASSWORD;
  if (/[\n\r\0]/.test(password)) return inVariable('PGPASSWORD', password);
  const escaped = password.replace(/[\\:]/g, '\\$&');
  return { files: [secretFile('pgpass', `*:*:*:*:${escaped}\n`)], before: ['env', 'PGPASSFILE=@pgpass@'] };
}
