import {
  type DatabaseServer,
  freePort,
  startFerretDb,
  startMariaDb,
  startPgBouncer,
  startPostgres,
} from '../../testbed/databases/index.ts';
import { ycsbWith } from '../../testbed/ycsb/index.ts';
import { type HostsBed, startHostsBed } from './hosts-bed.ts';

/** A generator `load`, and a host `db` with servers of which each is short of something else. */
export interface BoundsBed extends HostsBed {
  readonly postgres: DatabaseServer;
  /** Lets few connect. */
  readonly narrow: DatabaseServer;
  /** The folder of YCSB; empty without it. */
  readonly ycsb: string;
}

export async function startBoundsBed({ withYcsb }: { withYcsb: boolean }): Promise<BoundsBed> {
  const bed = await startHostsBed(['load', 'db']);
  const opened: { stop(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const each of opened.reverse()) await each.stop();
    await bed.close();
  };
  try {
    return { ...bed, ...(await startServers(bed, opened, withYcsb)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Settings = Readonly<Record<string, string | number>>;

async function startServers(
  bed: HostsBed,
  opened: { stop(): Promise<void> }[],
  withYcsb: boolean,
): Promise<Pick<BoundsBed, 'postgres' | 'narrow' | 'ycsb'>> {
  const { address, namespace = '' } = bed.host('db');
  const prefix = ['ip', 'netns', 'exec', namespace];
  const server = { host: 'db', control: { kind: 'none' } } as const;
  const opening = async <Server extends { stop(): Promise<void> }>(starting: Promise<Server>): Promise<Server> => {
    const started = await starting;
    opened.push(started);
    return started;
  };
  const add = async (
    name: string,
    kind: string,
    { address, port, user, database, password }: Omit<DatabaseServer, 'product'>,
  ): Promise<void> => {
    const config = { address, port, user, database, allowCleartextPassword: true };
    await bed.addTarget({ name, kind, via: 'load', config, server }, password);
  };
  const place = async () => ({ address, prefix, onDisk: true, port: await freePort('127.0.0.1') });
  const mariaDb = async (name: string, settings: Settings = {}): Promise<DatabaseServer> => {
    const started = await opening(startMariaDb({ ...(await place()), settings }));
    await add(name, 'mysql', started);
    return started;
  };
  const postgreSql = async (settings: Settings): Promise<DatabaseServer> =>
    opening(startPostgres({ ...(await place()), settings }));
  const pooled = async (name: string, behind: DatabaseServer, size: number): Promise<void> => {
    const { admin, port } = await opening(startPgBouncer(behind, { address: bed.address, size }));
    await add(name, 'postgres', { ...behind, ...admin, address: bed.address, port });
  };

  await mariaDb('mariadb');
  await mariaDb('small-pool', { innodb_buffer_pool_size: '32M', innodb_flush_method: 'O_DIRECT' });
  await mariaDb('few-threads', {
    thread_handling: 'pool-of-threads',
    thread_pool_size: 1,
    thread_pool_max_threads: 4,
  });
  const narrow = await mariaDb('few-connections', { max_connections: 10 });
  const postgres = await postgreSql({ fsync: 'off' });
  await add('postgres', 'postgres', postgres);
  await pooled('pooled', postgres, 2);
  // Who writes the log sleeps before that, with the lock on it: a disk whose syncs take so long.
  await add('slow-log', 'postgres', await postgreSql({ fsync: 'on', commit_delay: 50_000, commit_siblings: 1 }));
  await pooled('overpooled', await postgreSql({ max_connections: 20 }), 40);
  if (!withYcsb) return { postgres, narrow, ycsb: '' };
  const ycsb = await ycsbWith('mongodb');
  const port = await freePort('127.0.0.1');
  const { password, user, database } = await opening(startFerretDb({ address, prefix, port }));
  const config = { url: `mongodb://${address}:${port}/`, user, database };
  await bed.addTarget({ name: 'ferretdb', kind: 'mongodb', via: 'load', config, server }, password);
  return { postgres, narrow, ycsb };
}
