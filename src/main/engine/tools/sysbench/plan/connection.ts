import { KneepointError } from '../../../../../shared/model/problem.ts';
import type { ConnectionFacts, ServerAddress, TargetKind } from '../../../../../shared/model/target.ts';
import { loginVariables, socketFolder } from '../../secret.ts';
import type { SysbenchOptions } from '../options/index.ts';

const given = (name: string, value: string | number | undefined): string[] =>
  value === undefined || value === '' ? [] : [`--${name}=${value}`];

/** The MySQL client library takes `localhost` for "use the socket", whatever the port. */
const tcpHost = (host: string | undefined): string => (host === undefined || host === 'localhost' ? '127.0.0.1' : host);

export const wantsMysqlTls = (options: SysbenchOptions, connection: ConnectionFacts): boolean =>
  options['mysql-ssl'] === 'on' ||
  (options['mysql-ssl'] === 'auto' && (connection.tls === 'required' || connection.tls === 'verify'));

/** libmysqlclient refuses both, but the version of sysbench does not show which library it was built with. */
export const mysqlReadable = (options: SysbenchOptions, connection: ConnectionFacts): string | undefined =>
  wantsMysqlTls(options, connection)
    ? undefined
    : 'libmariadb, with which Debian and Ubuntu build sysbench, sends the password in cleartext, or encrypted with the server’s key, if the server requests that.';

/** Additional addresses of a MySQL server. sysbench uses all in turn, by connection. */
export const furtherAddresses = (options: SysbenchOptions, kind: TargetKind): string[] =>
  kind === 'mysql' ? options['mysql-further-hosts'].split(',').filter((host) => host !== '') : [];

/**
 * sysbench 1.0 accepts lists of hosts and ports and uses every pair: all hosts of a port before the next port. Only its MySQL driver supports lists.
 */
export const sharesAddresses = (addresses: readonly ServerAddress[], kind: TargetKind): boolean =>
  kind === 'mysql' && (hasOne(addresses, 'host') || hasOne(addresses, 'port'));

const hasOne = (addresses: readonly ServerAddress[], part: keyof ServerAddress): boolean =>
  new Set(addresses.map((address) => address[part])).size === 1;

/** Hosts and ports whose pairs are the addresses of the connection. */
function hostsAndPorts(options: SysbenchOptions, { kind, host, port, addresses = [] }: ConnectionFacts): string[] {
  const all = addresses.length > 0 ? addresses : [{ host: host ?? '', port }];
  const further = furtherAddresses(options, kind);
  const hosts = [...new Set([...all.map((address) => address.host), ...further])].map((each) =>
    tcpHost(each || undefined),
  );
  const ports = [...new Set(all.flatMap((address) => address.port ?? []))];
  return [`--mysql-host=${hosts.join(',')}`, ...given('mysql-port', ports.join(','))];
}

function mysqlArguments(options: SysbenchOptions, connection: ConnectionFacts): string[] {
  const tls = wantsMysqlTls(options, connection);
  if (tls && !options['mysql-ssl-directory'])
    throw new KneepointError({
      code: 'experiment-invalid',
      message:
        'TLS to MySQL is required, but sysbench supports it only with cacert.pem, client-cert.pem and client-key.pem in one folder.',
      safe: 'Nothing was started.',
      next: 'Set the option “mysql-ssl-directory” to such a folder on the generator, or set “mysql-ssl” to off.',
    });
  return [
    '--db-driver=mysql',
    ...(connection.socket
      ? ['--mysql-host=localhost', `--mysql-socket=${connection.socket}`]
      : hostsAndPorts(options, connection)),
    ...given('mysql-user', connection.user),
    ...given('mysql-db', connection.database),
    ...(tls ? ['--mysql-ssl=on'] : []),
  ];
}

function postgresArguments(connection: ConnectionFacts): string[] {
  const host = connection.socket ? socketFolder(connection.socket) : connection.host;
  return [
    '--db-driver=pgsql',
    ...given('pgsql-host', host),
    ...given('pgsql-port', connection.port),
    ...given('pgsql-user', connection.user),
    ...given('pgsql-db', connection.database),
  ];
}

export function connectionArguments(options: SysbenchOptions, connection: ConnectionFacts): string[] {
  if (connection.kind === 'mysql') return mysqlArguments(options, connection);
  if (connection.kind === 'postgres') return postgresArguments(connection);
  throw new KneepointError({
    code: 'experiment-invalid',
    message: `The sysbench script ${options.script} needs a MySQL or PostgreSQL target, not one of kind ${connection.kind}.`,
    safe: 'Nothing was started.',
    next: 'Choose a database target, or one of the scripts fileio, cpu and memory.',
  });
}

/** Environment variables for libpq; sysbench 1.0 has no TLS options for PostgreSQL. */
export const connectionEnvironment = (connection: ConnectionFacts): Record<string, string> =>
  connection.kind === 'postgres' ? loginVariables(connection) : {};
