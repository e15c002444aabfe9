import type { ConnectionFacts } from '../../../../../shared/model/target.ts';
import { publicKeyBody, publicKeyPem } from '../../../../../shared/util/password-guard.ts';
import { invalidOptions } from '../../option-problem.ts';
import type { Command } from '../../tool.ts';
import type { YcsbOptions } from '../options/index.ts';
import { propertyLine } from '../options/properties.ts';

type Driver = Exclude<YcsbOptions['jdbc-driver'], 'auto'>;

const CLASSES: Readonly<Record<Driver, string>> = {
  mysql: 'com.mysql.cj.jdbc.Driver',
  mariadb: 'org.mariadb.jdbc.Driver',
  postgresql: 'org.postgresql.Driver',
};

function driverOf(options: YcsbOptions, connection: ConnectionFacts): Driver {
  if (connection.kind !== 'mysql' && connection.kind !== 'postgres')
    throw invalidOptions(
      `The jdbc binding needs a MySQL or PostgreSQL target, not one of kind ${connection.kind}.`,
      'Choose a database target, or the binding basic.',
    );
  const driver = options['jdbc-driver'];
  if (driver === 'auto') return connection.kind === 'mysql' ? 'mysql' : 'postgresql';
  if ((driver === 'postgresql') === (connection.kind === 'postgres')) return driver;
  throw invalidOptions(
    `The JDBC driver ${driver} does not speak the protocol of this target.`,
    'Set the option “jdbc-driver” to auto, or choose another target.',
  );
}

const mayLackTls = ({ tls }: ConnectionFacts): boolean => tls === 'disabled' || tls === 'preferred';

/** Next to the properties, in the working directory of the program. */
const SERVER_KEY = 'server-key.pem';

/** The server's pinned key, for drivers that read it from a file. */
export function serverKeyFiles(connection: ConnectionFacts): Command['files'] {
  const body = connection.kind === 'mysql' && mayLackTls(connection) && publicKeyBody(connection.serverKey ?? '');
  return body ? [{ name: SERVER_KEY, content: publicKeyPem(body), mode: 0o600, secret: false }] : [];
}

/**
 * Parameters that prevent the password from being sent in readable form if TLS is not guaranteed. Accounts of MySQL 8 and later require it encrypted
 * with the server's key: the pinned one, or any key if the server cannot be impersonated.
 */
function loginParameters(driver: Driver, connection: ConnectionFacts): string[] {
  const { allowCleartextPassword, endsOnServerHost } = connection;
  if (!mayLackTls(connection)) return [];
  // Since pgJDBC 42.7.11; older versions ignore it.
  if (driver === 'postgresql') return allowCleartextPassword ? [] : ['requireAuth=!password'];
  if (allowCleartextPassword) return ['allowPublicKeyRetrieval=true'];
  if (serverKeyFiles(connection).length > 0)
    return [`${driver === 'mysql' ? 'serverRSAPublicKeyFile' : 'serverRsaPublicKeyFile'}=${SERVER_KEY}`];
  return endsOnServerHost ? ['allowPublicKeyRetrieval=true'] : [];
}

/** TLS of the target in each driver's terms. Releases ignore parameters that they do not know. */
function tlsParameters(driver: Driver, { tls, caFile }: ConnectionFacts): string[] {
  if (tls === undefined) return [];
  if (driver === 'postgresql') {
    const mode = { disabled: 'disable', preferred: 'prefer', required: 'require', verify: 'verify-full' }[tls];
    return [`sslmode=${mode}`, ...(caFile ? [`sslrootcert=${encodeURIComponent(caFile)}`] : [])];
  }
  if (driver === 'mariadb') {
    if (tls === 'disabled' || tls === 'preferred') return [];
    if (tls === 'required') return ['useSsl=true', 'trustServerCertificate=true'];
    return ['useSsl=true', ...(caFile ? [`serverSslCert=${encodeURIComponent(caFile)}`] : [])];
  }
  const mode = { disabled: 'DISABLED', preferred: 'PREFERRED', required: 'REQUIRED', verify: 'VERIFY_IDENTITY' }[tls];
  return [`sslMode=${mode}`];
}

/** The properties with address, user and password. Throws `experiment-invalid` if no driver could connect with them. */
export function connectionProperties(options: YcsbOptions, connection: ConnectionFacts): string {
  const driver = driverOf(options, connection);
  if (connection.host === undefined)
    throw invalidOptions(
      'JDBC supports only TCP, but the target uses a socket.',
      'Name host and port in the target, as seen from the generator.',
    );
  const host = connection.host.includes(':') ? `[${connection.host}]` : connection.host;
  const port = connection.port === undefined ? '' : `:${connection.port}`;
  const parameters = [
    ...tlsParameters(driver, connection),
    ...loginParameters(driver, connection),
    ...options['jdbc-parameters'].split('&').filter(Boolean),
  ];
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  const url = `jdbc:${driver}://${host}${port}/${encodeURIComponent(connection.database ?? '')}${query}`;
  return `${[
    propertyLine('db.driver', CLASSES[driver]),
    // YCSB splits the value at semicolons into several databases.
    propertyLine('db.url', url.replaceAll(';', '%3B')),
    propertyLine('db.user', connection.user ?? ''),
    propertyLine('db.passwd', connection.password ?? ''),
  ].join('\n')}\n`;
}

export const dropTable = (options: YcsbOptions): string => `DROP TABLE IF EXISTS ${options.table}`;

/** MySQL's TEXT is limited to 65,535 bytes. */
export function createTable(options: YcsbOptions, connection: ConnectionFacts): string {
  const type = connection.kind === 'mysql' && options.fieldlength > 65_535 ? 'MEDIUMTEXT' : 'TEXT';
  const fields = Array.from({ length: options.fieldcount }, (_, index) => `FIELD${index} ${type}`);
  return `CREATE TABLE ${options.table} (YCSB_KEY VARCHAR(255) PRIMARY KEY, ${fields.join(', ')})`;
}
