import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ACCOUNT } from './account.ts';
import { makeCertificates } from './certificates.ts';
import { newFolder } from './folders.ts';
import { dieWithParent } from './processes.ts';
import { type DatabaseOptions, type DatabaseServer, freePort, startServer } from './server.ts';

const run = promisify(execFile);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface ClickHouseServer
  extends Omit<DatabaseServer, 'product' | 'socket' | 'logFile' | 'pid' | 'tls' | 'serverKey'> {
  /** The TLS port of the native protocol; undefined without TLS. */
  readonly securePort: number | undefined;
  /** Another account, whose password is full of XML and shell metacharacters. */
  readonly odd: { readonly user: string; readonly password: string };
  /** Rows of a query, as its own client prints them. */
  ask(question: string): Promise<string[]>;
}

/**
 * A complete clickhouse-server, 18.16 as in Debian 12, on the port of its native protocol. It is older than ClickHouse's MySQL protocol, so the app
 * cannot connect to it: it is for the queries of the client.
 */
export async function startClickHouseServer(
  options: Pick<DatabaseOptions, 'address' | 'port' | 'tls' | 'prefix'> = {},
): Promise<ClickHouseServer> {
  const { address = '127.0.0.1', tls = false, prefix = [] } = options;
  const { user, password, database } = ACCOUNT;
  const [spare, http, secure] = [await freePort(), await freePort(), await freePort()];
  const port = options.port ?? spare;
  const folder = newFolder('clickhouse');
  const write = (name: string, content: string): string => {
    const file = join(folder.path, name);
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  };
  const certificates = tls ? makeCertificates(folder.path, [address]) : undefined;
  const encryption = certificates
    ? `<tcp_port_secure>${secure}</tcp_port_secure><openSSL><server><certificateFile>${certificates.certificateFile}</certificateFile>
<privateKeyFile>${certificates.keyFile}</privateKeyFile><verificationMode>none</verificationMode></server></openSSL>`
    : '';
  const odd = { user: 'odd', password: `a<b>&amp;"c' \${d}$(e)\\f` };
  const accounts = [{ user, password }, odd].map(
    (account) => `<${account.user}><password_sha256_hex>${sha256(account.password)}</password_sha256_hex>
<networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></${account.user}>`,
  );
  const users = write(
    'users.xml',
    `<yandex><profiles><default/></profiles><quotas><default/></quotas><users>${accounts.join('\n')}</users></yandex>\n`,
  );
  const config = write(
    'config.xml',
    `<yandex><logger><level>warning</level><console>1</console></logger><http_port>${http}</http_port><tcp_port>${port}</tcp_port>
<listen_host>${address}</listen_host><path>${folder.path}/data/</path><tmp_path>${folder.path}/tmp/</tmp_path>
<users_config>${users}</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>16777216</mark_cache_size>${encryption}</yandex>\n`,
  );
  const login = write(
    'client.xml',
    `<config><host>${address}</host><port>${port}</port><user>${user}</user><password>${password}</password></config>\n`,
  );
  const ask = async (question: string): Promise<string[]> => {
    const { stdout } = await run('clickhouse-client', [`--config-file=${login}`, `--query=${question}`]);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const controls = await startServer({
    argv: [...prefix, ...dieWithParent(), 'clickhouse-server', `--config-file=${config}`],
    env: {},
    folder,
    logFile: join(folder.path, 'server.log'),
    ping: async () => {
      await ask('SELECT 1');
    },
    stopSignal: 'SIGTERM',
  });
  await ask(`CREATE DATABASE ${database}`);
  return { address, port, securePort: tls ? secure : undefined, user, password, database, odd, ask, ...controls };
}
