import { writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { newFolder } from './folders.ts';
import { dieWithParent } from './processes.ts';
import { type DatabaseOptions, type DatabaseServer, freePort, startServer } from './server.ts';

/** A proxy that forwards connections to servers in turn. */
export interface HaProxy {
  readonly address: string;
  readonly port: number;
  readonly pid: () => number;
  stop(): Promise<void>;
}

/** HAProxy of the Debian package `haproxy`, as a plain TCP proxy. */
export async function startHaProxy(
  servers: readonly Pick<DatabaseServer, 'address' | 'port'>[],
  { address = '127.0.0.1', prefix = [], port: wanted }: Pick<DatabaseOptions, 'address' | 'prefix' | 'port'> = {},
): Promise<HaProxy> {
  // The address may belong to another network.
  const port = wanted ?? (await freePort('127.0.0.1'));
  const folder = newFolder('haproxy');
  const [settings, logFile] = ['haproxy.cfg', 'server.log'].map((name) => join(folder.path, name)) as [string, string];
  writeFileSync(
    settings,
    [
      'global',
      '  maxconn 4000',
      'defaults',
      '  maxconn 60 # of each frontend',
      '  mode tcp',
      '  timeout connect 5s',
      '  timeout client 1h',
      '  timeout server 1h',
      'listen database',
      `  bind ${address}:${port}`,
      '  balance roundrobin',
      ...servers.map((server, index) => `  server s${index} ${server.address}:${server.port}`),
      '',
    ].join('\n'),
  );
  const { pid, stop } = await startServer({
    argv: [...prefix, ...dieWithParent(), '/usr/sbin/haproxy', '-db', '-f', settings],
    env: {},
    folder,
    logFile,
    ping: () =>
      new Promise<void>((resolve, reject) => {
        const socket = createConnection({ host: address, port }, () => {
          socket.destroy();
          resolve();
        });
        socket.on('error', reject);
      }),
    stopSignal: 'SIGTERM',
  });
  return { address, port, pid, stop };
}
