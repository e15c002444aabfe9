import { z } from 'zod';
import type { OptionWords } from '../../../shared/model/tool.ts';
import { isRsaKey } from './failure.ts';
import { addressesIn } from './server-facts.ts';

/** Texts of a field in a target's form. */
export const words = (title: string, description: string, group: string) =>
  ({ title, description, group }) satisfies OptionWords;

/** Text valid in a configuration file or on a command line of any tool: no control characters. */
export const printable = (limit: number) =>
  z
    .string()
    .max(limit)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    .regex(/^[^\x00-\x1f\x7f]*$/, 'No control characters.');

/** Like `printable`, but may have several lines. */
const printableLines = (limit: number) =>
  z
    .string()
    .max(limit)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    .regex(/^[^\x00-\x09\x0b\x0c\x0e-\x1f\x7f]*$/, 'No control characters.');

const absolutePath = printable(4096).refine((path) => path === '' || path.startsWith('/'), {
  error: 'An absolute path.',
});

export const databaseField = (description: string) =>
  printable(64)
    .min(1)
    .meta(words('Database', description, 'Account'));

export const caFileField = absolutePath.default('').meta({
  ...words(
    'CA file',
    'PEM file with the certificate of the CA, at the same path on this computer and on the load generator. Empty: the CAs of the system.',
    'Encryption',
  ),
  when: { option: 'tls', in: ['verify'] },
});

/** Fields common to all servers. The address is the one that load generators use. */
export const serverFields = (port: number) => ({
  address: z
    .string()
    .trim()
    .min(1)
    .max(255)
    .regex(/^[A-Za-z0-9_][A-Za-z0-9:._%-]*$|^::[A-Fa-f0-9:.%]*$/, 'Enter a host name or an IP address.')
    .default('127.0.0.1')
    .meta(words('Address', 'Host name or IP address as seen from the load generator.', 'Server')),
  port: z
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(port)
    .meta(words('Port', 'TCP port of the server.', 'Server')),
  addresses: printable(4096)
    .refine((text) => addressesIn(text, port) !== undefined, {
      error: 'Host names or IP addresses separated by commas, each with :PORT if the port differs.',
    })
    .default('')
    .meta(
      words(
        'Additional addresses',
        'Additional addresses of this server, or of nodes or proxies with the same data, separated by commas: 10.0.0.12, db3:3307. The tool distributes its connections over all of them; Kneepoint itself uses the first. Nodes that are also saved as targets of their own are described and monitored too.',
        'Server',
      ),
    ),
  socket: absolutePath
    .default('')
    .meta(words('Socket', 'Unix socket of the server on the connecting host. Leave empty to use TCP.', 'Server')),
  user: printable(128)
    .min(1)
    .meta(words('User', 'Account of the database server.', 'Account')),
  database: databaseField('Name of the database to work in. It must exist.'),
  tls: z
    .enum(['disabled', 'preferred', 'required', 'verify'])
    .default('preferred')
    .meta(
      words(
        'TLS',
        'disabled: never encrypted. preferred: encrypted if the server offers it, certificate not checked; the connection test shows whether it is encrypted. required: always encrypted, certificate not checked. verify: always encrypted, and the certificate must be signed by a known CA for this address.',
        'Encryption',
      ),
    ),
  caFile: caFileField,
  allowCleartextPassword: z
    .boolean()
    .default(false)
    .meta({
      ...words(
        'Allow cleartext password',
        'Off: without TLS, the password is sent only in hashed or encrypted form, and other logins are refused. On: the password can be read by the server or on the network.',
        'Encryption',
      ),
      warns: 'Cleartext password allowed',
    }),
});

/** For servers that encrypt passwords with their own RSA key. */
export const serverKeyField = printableLines(8192)
  .trim()
  .refine((text) => text === '' || isRsaKey(text), { error: 'An RSA public key as PEM: -----BEGIN PUBLIC KEY-----…' })
  .default('')
  .meta({
    ...words(
      'Server key',
      "Public key of the server (PEM), from public_key.pem in its data directory or SHOW STATUS LIKE 'Caching_sha2_password_rsa_public_key'. Without TLS, it encrypts the password of a caching_sha2_password or sha256_password account; if empty, such a password is not sent without TLS, except on the server host.",
      'Encryption',
    ),
    multiline: true as const,
    when: { option: 'tls', in: ['disabled', 'preferred'] },
  });

export const pathField = (title: string, description: string, more: Pick<OptionWords, 'folder'> = {}) =>
  absolutePath.meta({ ...words(title, description, 'Place'), ...more });
