import type { ServerConfig } from '../server-facts.ts';
import { badManaged, fitsSocket, lineFormat, oneLine } from '../settings-format.ts';
import type { ManagedHost, ManagedSpec, ManagedType } from '../target.ts';

const PLAIN = /^[\w.:/,+@-]*$/;

/** Within quotes a backslash begins an escape; only the outer quotes are removed. */
function quote(value: string): string | undefined {
  if (PLAIN.test(value)) return value;
  const mark = value.includes('"') ? "'" : '"';
  return value.includes(mark) ? undefined : mark + value.replaceAll('\\', '\\\\') + mark;
}

function unquote(text: string): string {
  const [, , inside] = /^(["'])(.*)\1$/.exec(text) ?? [];
  return inside === undefined ? text : inside.replaceAll('\\\\', '\\');
}

/** An option file of MySQL and MariaDB, with the group that every server reads. */
export const optionFile = lineFormat(quote, unquote, '[mysqld]\n');

const CONFIGURATION = 'my.cnf';

/** MariaDB has a separate script to create a data directory: next to the server, or on the PATH. */
const MARIADB_INIT = `
base=\${program%/*}; base=\${base%/bin}; base=\${base%/sbin}
install=
for file in "$base/bin/mariadb-install-db" "$base/scripts/mariadb-install-db" "$base/bin/mysql_install_db" "$base/scripts/mysql_install_db"; do
  [ -n "$install" ] || [ ! -f "$file" ] || install=$file
done
install=\${install:-$(command -v mariadb-install-db || command -v mysql_install_db)}
[ -n "$install" ] || { echo "mariadb-install-db was not found beside $program." >&2; exit 1; }
set -- "--defaults-file=$folder/${CONFIGURATION}" "--datadir=$folder/data.new" --auth-root-authentication-method=normal --skip-test-db
[ "$base" = /usr ] || set -- "$@" "--basedir=$base"
[ "$(id -u)" != 0 ] || set -- "$@" --user=root
sh "$install" "$@" >&2 || exit 1`;

const MYSQL_INIT = `"$program" "--defaults-file=$folder/${CONFIGURATION}" --initialize-insecure "--datadir=$folder/data.new" || exit 1`;

const script = (mariadb: boolean): string => `
if [ ! -d data ]; then
  rm -rf data.new
  ${mariadb ? MARIADB_INIT : MYSQL_INIT}
  mv data.new data || exit 1
fi
set --
[ ! -f "$secret/accounts.sql" ] || set -- "--init-file=$secret/accounts.sql"
exec "$program" "--defaults-file=$folder/${CONFIGURATION}" "$@"`;

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

/**
 * The login method of accounts. MySQL's default since 8.0 sends the password itself if nothing encrypts it; a target without encryption refuses that.
 */
function provenBy({ config }: ManagedSpec<ServerConfig>, version: string): { words: string; settings: Settings } {
  const [, major = 0, minor = 0] = (/\bVer (\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  const isPlain = config.tls === 'disabled' && !config.allowCleartextPassword && !config.serverKey;
  if (!isPlain || major < 8 || isMariaDb(version)) return { words: 'IDENTIFIED BY', settings: {} };
  if (major > 8)
    throw badManaged(
      `Accounts of MySQL ${major} cannot log in without encryption: the password would be sent in cleartext.`,
      'Set TLS of the target to preferred or required; a managed server creates its own certificate.',
    );
  return {
    words: 'IDENTIFIED WITH mysql_native_password BY',
    // Since 8.4 the plugin is loaded only if requested.
    settings: minor >= 4 ? { mysql_native_password: 'ON' } : {},
  };
}

type Settings = Readonly<Record<string, string>>;
const isMariaDb = (version: string): boolean => /mariadb/i.test(version);

/** One statement per line, as servers require in their init file. */
function accounts({ config, password }: ManagedSpec<ServerConfig>, identified: string): string {
  const secret = quoted(oneLine('The password', password));
  const user = quoted(config.user);
  const owners = ['%', 'localhost'].map((host) => `${user}@'${host}'`);
  return [
    // Another mode may be set globally; it would change the meaning of quotes and backslashes here.
    "SET SESSION sql_mode = ''",
    `CREATE DATABASE IF NOT EXISTS \`${config.database.replaceAll('`', '``')}\``,
    ...owners.flatMap((owner) => [
      `CREATE USER IF NOT EXISTS ${owner} ${identified} ${secret}`,
      `ALTER USER ${owner} ${identified} ${secret}`,
      `GRANT ALL ON *.* TO ${owner} WITH GRANT OPTION`,
    ]),
    // In a new data directory, root has no password.
    `ALTER USER 'root'@'localhost' IDENTIFIED BY ${secret}`,
    '',
  ].join(';\n');
}

function configuration(
  { config, settings }: ManagedSpec<ServerConfig>,
  { folder, root }: ManagedHost,
  needed: Settings,
): string {
  const socket = config.socket || `${folder}/mysqld.sock`;
  if (!fitsSocket(socket)) {
    throw badManaged(
      `The path of the managed server’s socket is too long: ${socket}.`,
      'Choose a shorter folder for the server.',
    );
  }
  return optionFile.write({
    datadir: `${folder}/data`,
    socket,
    pid_file: `${folder}/mysqld.pid`,
    bind_address: config.address,
    port: String(config.port),
    skip_name_resolve: 'ON',
    ...(root && { user: 'root' }),
    ...needed,
    ...settings,
  });
}

/** mysqld of MySQL (5.7 and later) and Percona Server, mariadbd. They log to standard error. */
export const managedMySql: ManagedType<ServerConfig> = {
  programs: ['mysqld', 'mariadbd'],
  folders: ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/usr/local/mysql/bin', '/opt/mysql/bin'],
  needsPassword: true,
  signals: () => ({ end: 'TERM' }),
  plan(spec, host) {
    const mariadb = isMariaDb(host.version);
    const proven = provenBy(spec, host.version);
    return {
      product: mariadb ? 'mariadb' : 'mysql',
      files: [{ name: CONFIGURATION, content: configuration(spec, host, proven.settings) }],
      accounts: accounts(spec, proven.words),
      script: script(mariadb),
      accountsForRoot: [],
    };
  },
};
