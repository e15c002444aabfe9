import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AppContract } from '../../../src/shared/contract/index.ts';
import type { Client } from '../../../src/shared/rpc/define.ts';
import { type DatabaseServer, startMariaDb } from '../../testbed/databases/index.ts';
import { canMakeNetworks, createHosts, type TestHost, type TestHosts } from '../../testbed/sshd/index.ts';
import { runningTool } from './libraries.ts';

/** A generator behind SSH and a MariaDB that it reaches: a typical set-up of a database benchmark. */
export interface DatabaseBed {
  generator: TestHost;
  database: DatabaseServer;
  close(): Promise<void>;
}

export async function startDatabaseBed(): Promise<DatabaseBed> {
  const network: TestHosts = await createHosts(1);
  const generator = network.hosts[0] as TestHost;
  // The database is on our side of the bridge, so its traffic crosses the generator's cable.
  const address = canMakeNetworks() ? generator.address.replace(/\.\d+$/, '.254') : '127.0.0.1';
  const database = await startMariaDb({ address });
  return {
    generator,
    database,
    async close() {
      await database.stop();
      await network.close();
    },
  };
}

/** Adds both to a library like a user: key shown at first contact, compared, trusted. */
export async function addBed(client: Client<AppContract>, bed: DatabaseBed): Promise<void> {
  const { generator, database } = bed;
  const { address, port, user, keyFile } = generator;
  const host = await client.hosts.save({
    spec: { kind: 'ssh', name: 'loadgen', address, port, user, auth: { method: 'key', keyFile } },
  });
  const first = await client.hosts.test({ id: host.id });
  if (first.result !== 'key-unknown') throw new Error(`First contact gave ${JSON.stringify(first)}`);
  if (first.key.fingerprint !== generator.fingerprint())
    throw new Error('The fingerprint shown is not that of the server.');
  await client.hosts.trustKey({ key: first.key });
  const { address: server, port: serverPort, user: account, database: schema } = database;
  // Debian's sysbench would send the password to any server: a network of our own is trusted.
  const config = { address: server, port: serverPort, user: account, database: schema, allowCleartextPassword: true };
  await client.targets.save({
    spec: { name: 'mariadb', kind: 'mysql', via: 'loadgen', config },
    secret: database.password,
  });
}

/** Files that identify a job that monitors a host or a server. */
const OF_MONITORS = ['files/read.awk', 'files/stamp.awk'];
const isMonitor = (folder: string): boolean => OF_MONITORS.some((file) => existsSync(path.join(folder, file)));

/** The folders of tools' jobs on a host: monitors have separate folders next to them. */
export function toolJobs(generator: Pick<TestHost, 'home'>): string[] {
  const folder = path.join(generator.home, '.local/state/kneepoint/jobs');
  // It does not exist before the first job.
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !isMonitor(path.join(folder, entry.name)))
    .map((entry) => path.join(folder, entry.name));
}

/** Standard output of each tool's job on the generator, by id. */
export const jobOutputs = (generator: Pick<TestHost, 'home'>): Map<string, Buffer> =>
  new Map(toolJobs(generator).map((folder) => [path.basename(folder), outputOf(path.join(folder, 'stdout'))]));

/** Whether a tool is running on a host. */
export const isAtWork = (host: Pick<TestHost, 'home'>): boolean =>
  toolJobs(host).some((folder) => runningTool(folder) !== undefined);

/** Process id of the tool running on a host. */
export function toolOn(host: Pick<TestHost, 'home'>): number {
  const [pid] = toolJobs(host).flatMap((folder) => runningTool(folder) ?? []);
  if (pid === undefined) throw new Error('Nothing runs there.');
  return pid;
}

/** Empty for a job that is just being created. */
const outputOf = (file: string): Buffer => (existsSync(file) ? readFileSync(file) : Buffer.alloc(0));
