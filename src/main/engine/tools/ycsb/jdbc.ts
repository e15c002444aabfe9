import { KneepointError } from '../../../../shared/model/problem.ts';
import type { ConnectionFacts } from '../../../../shared/model/target.ts';
import type { YcsbOptions } from './options.ts';
import { propertyLine } from './properties.ts';

type Driver = Exclude<YcsbOptions['jdbc-driver'], 'auto'>;

const CLASSES: Readonly<Record<Driver, string>> = {
  mysql: 'com.mysql.cj.jdbc.Driver',
  mariadb: 'org.mariadb.jdbc.Driver',
  postgresql: 'org.postgresql.Driver',
};

const refused = (message: string, next: string): KneepointError =>
  new KneepointError({ code: 'experiment-invalid', message, safe: 'Nothing was started.', next });

function driverOf(options: YcsbOptions, connection: ConnectionFacts): Driver {
  if (connection.kind !== 'mysql' && connection.kind !== 'postgres')
    throw refused(
      `The jdbc binding needs a MySQL or PostgreSQL target, not one of kind ${connection.kind}.`,
      'Choose a database target, or the binding basic.',
    );
  const driver = options['jdbc-driver'];
  if (driver === 'auto') return connection.kind === 'mysql' ? 'mysql' : 'postgresql';
  if ((driver === 'postgresql') === (connection.kind === 'postgres')) return driver;
  throw refused(
    `The JDBC driver ${driver} does not speak the protocol of this target.`,
    'Set the option jdbc-driver to auto, or choose another target.',
  );
}

/** TLS of the target in each driver's words. Parameters that only new releases know are avoided. */
function tlsParameters(driver: Driver, { tls, caFile }: ConnectionFacts): string[] {
  if (tls === undefined) return [];
  if (driver === 'postgresql') {
    const mode = { disabled: 'disable', preferred: 'prefer', required: 'require', verify: 'verify-full' }[tls];
    return [`sslmode=${mode}`, ...(caFile ? [`sslrootcert=${encodeURIComponent(caFile)}`] : [])];
  }
  // Without TLS, accounts of MySQL 8 and later need the server's key to send the password with.
  const plain = tls === 'disabled' || tls === 'preferred' ? ['allowPublicKeyRetrieval=true'] : [];
  if (driver === 'mariadb') {
    if (plain.length > 0) return plain;
    if (tls === 'required') return ['useSsl=true', 'trustServerCertificate=true'];
    return ['useSsl=true', ...(caFile ? [`serverSslCert=${encodeURIComponent(caFile)}`] : [])];
  }
  const mode = { disabled: 'DISABLED', preferred: 'PREFERRED', required: 'REQUIRED', verify: 'VERIFY_IDENTITY' }[tls];
  return [`sslMode=${mode}`, ...plain];
}

/** The properties that hold address, user and password. Throws `experiment-invalid` when no driver could connect with them. */
export function connectionProperties(options: YcsbOptions, connection: ConnectionFacts): string {
  const driver = driverOf(options, connection);
  if (connection.host === undefined)
    throw refused(
      'JDBC connects over TCP only, and the target names a socket.',
      'Name host and port in the target, as seen from the generator.',
    );
  const host = connection.host.includes(':') ? `[${connection.host}]` : connection.host;
  const port = connection.port === undefined ? '' : `:${connection.port}`;
  const parameters = [...tlsParameters(driver, connection), ...options['jdbc-parameters'].split('&').filter(Boolean)];
  const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  const url = `jdbc:${driver}://${host}${port}/${encodeURIComponent(connection.database ?? '')}${query}`;
  return `${[
    propertyLine('db.driver', CLASSES[driver]),
    // YCSB cuts the value into several databases at semicolons.
    propertyLine('db.url', url.replaceAll(';', '%3B')),
    propertyLine('db.user', connection.user ?? ''),
    propertyLine('db.passwd', connection.password ?? ''),
  ].join('\n')}\n`;
}

export const dropTable = (options: YcsbOptions): string => `DROP TABLE IF EXISTS ${options.table}`;

/** MySQL's TEXT ends at 65,535 bytes. */
export function createTable(options: YcsbOptions, connection: ConnectionFacts): string {
  const type = connection.kind === 'mysql' && options.fieldlength > 65_535 ? 'MEDIUMTEXT' : 'TEXT';
  const fields = Array.from({ length: options.fieldcount }, (_, index) => `FIELD${index} ${type}`);
  return `CREATE TABLE ${options.table} (YCSB_KEY VARCHAR(255) PRIMARY KEY, ${fields.join(', ')})`;
}
