import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Client } from 'pg';
import {
  type DatabaseOptions,
  type DatabaseServer,
  freePort,
  startFerretDb,
  startMariaDb,
  startMySql8,
  startPgBouncer,
  startPostgres,
} from '../../testbed/databases/index.ts';
import { ycsbWith } from '../../testbed/ycsb/index.ts';
import { type HostsBed, startHostsBed } from './hosts-bed.ts';

/** A generator `load`, and a host `db` with servers that each lack a different resource. */
export interface BoundsBed extends HostsBed {
  /** Throws if it was not in `wanted`. */
  server(target: string): DatabaseServer;
  /** The folder of YCSB; empty without it. */
  readonly ycsb: string;
}

interface Target {
  kind: 'mysql' | 'postgres';
  start(options: DatabaseOptions): Promise<DatabaseServer>;
  /** PgBouncer in front of it, with a pool of this size. */
  pool?: number;
}
type Settings = NonNullable<DatabaseOptions['settings']>;
const mariaDb = (settings: Settings = {}): Target => ({
  kind: 'mysql',
  start: (options) => startMariaDb({ ...options, settings }),
});
const postgreSql = (settings: Settings): Target => ({
  kind: 'postgres',
  start: (options) => startPostgres({ ...options, settings }),
});

/** Rounds of the password's digest, which only clients compute: five times the default, so that a login costs them more than the server. */
const LOGIN_ROUNDS = 20_000;

async function makeLoginsCostly({ address: host, port, user, password, database }: DatabaseServer): Promise<void> {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, LOGIN_ROUNDS, 32, 'sha256');
  const keyed = (words: string): Buffer => createHmac('sha256', salted).update(words).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const verifier = `SCRAM-SHA-256$${LOGIN_ROUNDS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
  const client = new Client({ host, port, user, password, database });
  await client.connect();
  await client.query(`ALTER ROLE ${user} PASSWORD '${verifier}'`).finally(() => client.end());
}

/** Except FerretDB, which has to be built. */
const TARGETS: Readonly<Record<string, Target>> = {
  mariadb: mariaDb(),
  'small-pool': mariaDb({ innodb_buffer_pool_size: '32M', innodb_flush_method: 'O_DIRECT' }),
  'few-threads': mariaDb({ thread_handling: 'pool-of-threads', thread_pool_size: 1, thread_pool_max_threads: 4 }),
  // MariaDB no longer has this setting.
  'few-inside': {
    kind: 'mysql',
    start: (options) => startMySql8({ ...options, settings: { innodb_thread_concurrency: 2 } }),
  },
  'few-connections': mariaDb({ max_connections: 10 }),
  postgres: {
    kind: 'postgres',
    start: async (options) => {
      const server = await startPostgres({ ...options, settings: { fsync: 'off' } });
      await makeLoginsCostly(server);
      return server;
    },
  },
  pooled: { ...postgreSql({ fsync: 'off' }), pool: 2 },
  overpooled: { ...postgreSql({ max_connections: 20 }), pool: 40 },
  // The log writer first sleeps, holding the log's lock: like a disk with syncs of that length.
  'slow-log': postgreSql({ fsync: 'on', commit_delay: 50_000, commit_siblings: 1 }),
};

/** `wanted`: names of targets, possibly `ferretdb`. */
export async function startBoundsBed(wanted: Iterable<string>): Promise<BoundsBed> {
  const bed = await startHostsBed(['load', 'db']);
  const opened: { stop(): Promise<void> }[] = [];
  const servers = new Map<string, DatabaseServer>();
  const close = async (): Promise<void> => {
    for (const each of opened.reverse()) await each.stop();
    await bed.close();
  };
  const { address, namespace = '' } = bed.host('db');
  const lives = { host: 'db', control: { kind: 'none' } } as const;
  const place = async () => {
    const port = await freePort('127.0.0.1');
    return { address, prefix: ['ip', 'netns', 'exec', namespace], port };
  };
  const addFerretDb = async (): Promise<void> => {
    const started = await startFerretDb(await place());
    opened.push(started);
    const { port, password, user, database } = started;
    const config = { url: `mongodb://${address}:${port}/`, user, database };
    await bed.addTarget({ name: 'ferretdb', kind: 'mongodb', via: 'load', config, server: lives }, password);
  };
  const add = async (name: string, { kind, start, pool }: Target): Promise<void> => {
    const started = await start({ ...(await place()), onDisk: true });
    opened.push(started);
    servers.set(name, started);
    const pooler = pool === undefined ? undefined : await startPgBouncer(started, { address: bed.address, size: pool });
    if (pooler) opened.push(pooler);
    // The pooler's admin, who can read how long clients wait.
    const { user, password } = pooler?.admin ?? started;
    const at = pooler ? { address: bed.address, port: pooler.port } : { address, port: started.port };
    const config = { ...at, user, database: started.database, allowCleartextPassword: true };
    await bed.addTarget({ name, kind, via: 'load', config, server: lives }, password);
  };
  try {
    const names = new Set(wanted);
    const ycsb = names.delete('ferretdb') ? await ycsbWith('mongodb') : '';
    if (ycsb !== '') await addFerretDb();
    for (const name of names) await add(name, TARGETS[name] ?? unknown(name));
    return { ...bed, server: (name) => servers.get(name) ?? unknown(name), ycsb, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function unknown(name: string): never {
  throw new Error(`There is no server ${name}.`);
}
