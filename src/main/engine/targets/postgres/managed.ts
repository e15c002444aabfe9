import type { ServerConfig } from '../server-facts.ts';
import { fitsSocket, lineFormat, oneLine } from '../settings-format.ts';
import type { ManagedHost, ManagedPlan, ManagedSpec, ManagedType } from '../target.ts';
import { isPgBouncer, POOLER, POOLER_SIGNALS, pgBouncerPlan, poolerSettings } from './managed-pooler.ts';

const PLAIN = /^(-?\d+(\.\d+)?|[A-Za-z_]\w*)$/;

const quote = (value: string): string =>
  PLAIN.test(value) ? value : `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

function unquote(text: string): string {
  const [, inside] = /^'(.*)'$/.exec(text) ?? [];
  return inside === undefined ? text : inside.replaceAll("''", "'").replaceAll('\\\\', '\\');
}

/** A file included by postgresql.conf. */
export const configurationFile = lineFormat(quote, unquote);

/** Access for the target's account only, with its password, from any address. */
const ACCESS = 'local all all scram-sha-256\nhost all all all scram-sha-256\n';

const quoted = (text: string): string => `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
const named = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** For the server's single-user mode, in which each line is a statement. */
function accounts({ config, password }: ManagedSpec<ServerConfig>): string {
  const user = oneLine('The user', config.user);
  const role = `IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = ${quoted(user)}) THEN CREATE ROLE ${named(user)}; END IF;`;
  return [
    `DO $kneepoint$ BEGIN ${role} END $kneepoint$`,
    `ALTER ROLE ${named(user)} SUPERUSER LOGIN PASSWORD ${quoted(oneLine('The password', password))}`,
    ...(config.database === 'postgres' ? [] : [`CREATE DATABASE ${named(config.database)} OWNER ${named(user)}`]),
    '',
  ].join('\n');
}

const SCRIPT = `
if [ ! -d data ]; then
  rm -rf data.new
  init=\${program%/*}/initdb
  [ -x "$init" ] || init=$(command -v initdb) || { echo "initdb was not found beside $program." >&2; exit 1; }
  $as "$init" -D "$folder/data.new" -U kneepoint --auth=trust --encoding=UTF8 --locale=C --no-sync >&2 || exit 1
  $as mv data.new data || exit 1
fi
if [ -f "$secret/accounts.sql" ]; then
  $as "$program" --single -D "$folder/data" -c "config_file=$folder/postgresql.conf" -c log_statement=none \\
    -c log_min_duration_statement=-1 postgres <"$secret/accounts.sql" >/dev/null || exit 1
fi
exec $as "$program" -D "$folder/data" -c "config_file=$folder/postgresql.conf"`;

function configuration({ config, settings }: ManagedSpec<ServerConfig>, { folder }: ManagedHost): string {
  const wanted = config.socket === '' ? folder : config.socket.slice(0, config.socket.lastIndexOf('/')) || '/';
  const lines = configurationFile.write({
    data_directory: `${folder}/data`,
    hba_file: `${folder}/pg_hba.conf`,
    listen_addresses: config.address,
    port: String(config.port),
    unix_socket_directories: fitsSocket(`${wanted}/.s.PGSQL.${config.port}.lock`) ? wanted : '',
    password_encryption: 'scram-sha-256',
    logging_collector: 'off',
    log_destination: 'stderr',
    ...settings,
  });
  return `include '${`${folder}/data/postgresql.conf`.replaceAll('\\', '\\\\').replaceAll("'", "''")}'\n${lines}`;
}

const serverPlan = (spec: ManagedSpec<ServerConfig>, host: ManagedHost): ManagedPlan => ({
  product: 'postgresql',
  files: [
    { name: 'postgresql.conf', content: configuration(spec, host) },
    { name: 'pg_hba.conf', content: ACCESS },
  ],
  accounts: accounts(spec),
  script: SCRIPT,
  accountsForRoot: ['postgres'],
});

/** postgres (10 and later), and PgBouncer in front of another server. */
export const managedPostgres: ManagedType<ServerConfig> = {
  programs: ['postgres', POOLER],
  folders: ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/usr/local/pgsql/bin', '/usr/sbin', '/usr/local/sbin'],
  pooler: { program: POOLER, settings: poolerSettings },
  needsPassword: true,
  // TERM would wait for all clients to disconnect.
  signals: (product) => (product === POOLER ? POOLER_SIGNALS : { end: 'INT', reload: 'HUP' }),
  plan: (spec, host) => (isPgBouncer(host) ? pgBouncerPlan(spec) : serverPlan(spec, host)),
};
