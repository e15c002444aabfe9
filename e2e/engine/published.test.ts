import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { factMetric } from '../../src/shared/metrics/index.ts';
import type { Experiment } from '../../src/shared/model/experiment.ts';
import { MECHANICS_SENTENCE } from '../../src/shared/model/finding.ts';
import { placesNamed } from '../../src/shared/model/places.ts';
import type { TargetSpec } from '../../src/shared/model/target.ts';
import { byDay } from '../../src/shared/util/testing/depth.ts';
import {
  type CommandedServer,
  commanded,
  type DatabaseServer,
  freePort,
  startClickHouse,
  startFerretDb,
  startHaProxy,
  startMariaDb,
  startMySql,
  startPostgres,
} from '../testbed/databases/index.ts';
import { canMakeNetworks, createHosts } from '../testbed/sshd/index.ts';
import { ycsbWith } from '../testbed/ycsb/index.ts';
import { startEngine, type TestEngine } from './testing/engine.ts';
import { addHost } from './testing/hosts-bed.ts';
import { ended } from './testing/session.ts';

/**
 * By server. spread: MariaDB with two addresses, for four generators behind SSH; behindNetwork: MariaDB on a host with its own eth0; pooled: PostgreSQL with a PgBouncer in front; none: the host
 * itself, or an observation of it.
 */
const ON = {
  mariadb: [
    ...['E09a', 'E09b', 'E09c', 'E09d', 'E11', 'E13', 'E21a', 'E21b', 'E28', 'E29a', 'E29b'],
    ...['E30a', 'E30b', 'E30c', 'D01', 'D02', 'D03', 'D04', 'D05', 'D06b', 'D06c', 'D07', 'D08', 'D09'],
    ...['E04', 'E08', 'E22b', 'D06a'],
  ],
  mysql: ['E10a', 'E10b', 'E10c', 'E23'],
  mongodb: ['E01a', 'E01b', 'E01c', 'E01d'],
  clickhouse: ['E02a', 'E02b'],
  postgres: ['E07a', 'E07b', 'E07c'],
  spread: ['E06', 'E20'],
  behindNetwork: ['E03a', 'E03b'],
  pooled: ['E31a', 'E31b'],
  none: ['E12', 'E14', 'E15', 'E16', 'E18', 'E19', 'E22a', 'E25', 'E27'],
} as const;

/** The others, by the requirement that test machines lack. */
const LACKS = {
  'certificates of clients': ['E03c'],
  'keys for encrypted tables': ['E05a', 'E05b'],
  'volumes to change': ['E24a', 'E24b'],
  RocksDB: ['E26a', 'E26b'],
  'a drive that may be erased': ['E17'],
} as const;

/** Final figures that every run has. */
const FIGURES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  E29b: { [factMetric('update', 'changed')]: 65_536, result_rows: 65_536 },
};

type Kind = keyof typeof ON;
const HERE = 'this computer';
/** Kinds whose documents switch settings of a host. */
const SWITCHED: readonly Kind[] = ['postgres', 'behindNetwork'];
/** Names of hosts in the documents. */
const GENERATORS = ['load-1', 'load-2', 'load-3', 'load-4'];
/** The only one by day: key lookups, done in seconds. */
const BY_DAY = 'E13';

let engine: TestEngine;
let folder: string;
interface SavedTarget {
  spec: Omit<TargetSpec, 'name'>;
  secret: string;
  /** Names of this target and of its proxy, if there is one: both are saved once. */
  proxied?: { name: string; proxy: TargetSpec };
}
/** How to save a target, by kind. */
const servers = new Map<Kind, Promise<SavedTarget>>();
const endings: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  engine = await startEngine();
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-published-'));
});
afterAll(async () => {
  if (engine) await stopServers();
  await engine?.close();
  for (const end of endings.toReversed()) await end();
  if (folder) rmSync(folder, { recursive: true, force: true });
}, 120_000);

/** Stops servers that Kneepoint started by their commands. */
async function stopServers(): Promise<void> {
  for (const { id, spec } of await engine.client.targets.list({}))
    if (isControlled(spec)) await engine.client.targets.stopServer({ id });
}

const isControlled = ({ server }: TargetSpec): boolean => server !== undefined && server.control.kind !== 'none';

/** A server whose settings can be changed: Kneepoint starts and stops it by commands. */
async function restartable(server: DatabaseServer): Promise<SavedTarget> {
  const isPostgres = server.product === 'postgres';
  const commands: CommandedServer = commanded(server);
  await server.kill('SIGTERM');
  endings.push(
    () => server.stop(),
    () => commands.remove(),
  );
  const { start, stop, settingsFile, pidFile } = commands;
  const { address, port, user, database, password } = server;
  const control = { kind: 'commands' as const, start, stop, kill: `kill -KILL $(cat ${pidFile})` };
  const config = { address, port, user, database, allowCleartextPassword: true };
  const place = { host: HERE, control, limitSeconds: 60, ...(!isPostgres && { settingsFile }) };
  return { spec: { kind: isPostgres ? 'postgres' : 'mysql', via: null, config, server: place }, secret: password };
}

type Server = Pick<DatabaseServer, 'address' | 'port' | 'user' | 'database' | 'password' | 'stop'>;

async function plain(kind: TargetSpec['kind'], server: Server): Promise<SavedTarget> {
  endings.push(() => server.stop());
  const { address, port, user, database, password } = server;
  const at = kind === 'mongodb' ? { url: `mongodb://${address}:${port}/` } : { address, port };
  const config = { ...at, user, database, ...(kind !== 'mongodb' && { allowCleartextPassword: true }) };
  return { spec: { kind, via: null, config }, secret: password };
}

/** Saves four hosts behind SSH, and returns the address at which they reach a server on this one. */
async function generatorsBehindSsh(): Promise<string> {
  const network = await createHosts(GENERATORS.length);
  endings.push(() => network.close());
  for (const [index, name] of GENERATORS.entries())
    await addHost(engine.client, name, network.hosts[index] as (typeof network.hosts)[number]);
  const [first] = network.hosts;
  return canMakeNetworks() ? `${first?.address.replace(/\.\d+$/, '.254')}` : '127.0.0.1';
}

async function spread(): Promise<SavedTarget> {
  const address = await generatorsBehindSsh();
  const server = await startMariaDb({ address });
  const proxy = await startHaProxy([server], { address });
  endings.push(() => proxy.stop());
  const { spec, secret } = await restartable(server);
  return { spec: { ...spec, config: { ...spec.config, addresses: `${address}:${proxy.port}` } }, secret };
}

/** As in the head of the template. */
const POOLER = { pool_mode: 'transaction', max_client_conn: 600 };

async function behindNetwork(): Promise<SavedTarget> {
  const network = await createHosts(1);
  endings.push(() => network.close());
  const [host] = network.hosts;
  if (!host) throw new Error('There is no host.');
  await addHost(engine.client, 'db', host);
  const { address, namespace } = host;
  const prefix = namespace === undefined ? [] : ['ip', 'netns', 'exec', namespace];
  const server = await startMariaDb({ address, port: await freePort('127.0.0.1'), prefix });
  const { spec, secret } = await plain('mysql', server);
  return { spec: { ...spec, server: { host: 'db', control: { kind: 'none' } } }, secret };
}

async function pooled(): Promise<SavedTarget> {
  const server = await startPostgres({ settings: { fsync: 'off' } });
  // PgBouncer does not run as root, and its account cannot reach the home of this one.
  const home = mkdtempSync(path.join(tmpdir(), 'kneepoint-pooled-'));
  chmodSync(home, 0o755);
  endings.push(() => rmSync(home, { recursive: true, force: true }));
  const { user, database } = server;
  const port = await freePort('127.0.0.1');
  const control = {
    kind: 'managed' as const,
    program: 'pgbouncer',
    folder: path.join(home, 'pooler'),
    settings: POOLER,
  };
  const proxy: TargetSpec = {
    ...{ name: 'pgbouncer', kind: 'postgres', via: null, behind: 'postgres', server: { host: HERE, control } },
    config: { address: '127.0.0.1', port, user, database, allowCleartextPassword: true },
  };
  return { ...(await restartable(server)), proxied: { name: 'postgres', proxy } };
}

const START: Readonly<Record<Exclude<Kind, 'none'>, () => Promise<SavedTarget>>> = {
  mariadb: async () => restartable(await startMariaDb()),
  mysql: async () => {
    return restartable(await startMySql('5.7.22'));
  },
  mongodb: async () => plain('mongodb', await startFerretDb()),
  clickhouse: async () => plain('clickhouse', await startClickHouse()),
  postgres: async () => restartable(await startPostgres({ settings: { fsync: 'off' } })),
  spread,
  behindNetwork,
  pooled,
};

async function saveTarget(spec: TargetSpec, secret: string): Promise<void> {
  const { id } = await engine.client.targets.save({ spec, secret });
  if (isControlled(spec)) await engine.client.targets.startServer({ id });
}

/** Saves the server under every target name in the document. */
async function withServer(kind: Exclude<Kind, 'none'>, experiment: Experiment): Promise<Experiment> {
  const known = servers.get(kind) ?? START[kind]();
  servers.set(kind, known);
  const { spec, secret, proxied } = await known;
  const named = placesNamed(experiment).flatMap(({ place, name }) => (place === 'target' ? [name] : []));
  if (proxied) {
    const { name, proxy } = proxied;
    const isSaved = (await engine.client.targets.list({})).some((target) => target.spec.name === name);
    if (!isSaved) for (const each of [{ ...spec, name }, proxy]) await saveTarget(each, secret);
    return experiment;
  }
  const own = `the ${kind} server`;
  for (const name of named.length > 0 ? named : [own]) {
    const saved = (await engine.client.targets.list({})).find((target) => target.spec.name === name);
    if (saved) await engine.client.targets.remove({ id: saved.id });
    await saveTarget({ ...spec, name }, secret);
  }
  return named.length > 0 ? experiment : { ...experiment, where: { ...experiment.where, target: own } };
}

function folderIn(place: number): string {
  const own = path.join(folder, String(place));
  mkdirSync(own, { recursive: true });
  return own;
}

/** Replaces the document's folders with folders of this machine. */
async function withFolders(experiment: Experiment): Promise<Experiment> {
  const { tool, options } = experiment.workload;
  const isVaried = experiment.factors.some(({ name }) => name === 'directory');
  if (!('directory' in options) && !isVaried) return experiment;
  const directory = tool === 'ycsb' ? await ycsbWith('mongodb') : folder;
  const factors = experiment.factors.map((factor) =>
    factor.name === 'directory' ? { ...factor, levels: factor.levels.map((_, place) => folderIn(place)) } : factor,
  );
  const own = isVaried ? options : { ...options, directory };
  return { ...experiment, factors, workload: { ...experiment.workload, options: own } };
}

async function runSmall(kind: Kind, id: string): Promise<void> {
  const { client } = engine;
  const { text } = await client.experiments.template({ id });
  const { experiment } = await client.experiments.check({ text });
  if (!experiment) throw new Error(`${id} cannot be read.`);
  const { experiment: small } = await client.experiments.small({ experiment });
  const placed = await withFolders(kind === 'none' ? small : await withServer(kind, small));
  // Another one has left tables in the same database.
  const own: Experiment = { ...placed, workload: { ...placed.workload, data: 'recreate' } };
  const base = await client.experiments.format({ experiment: own });
  const session = await client.sessions.start({ text: base.text });
  onTestFinished(async () => {
    if (!ended((await client.sessions.get({ id: session.id })).session)) await client.sessions.stop({ id: session.id });
  });
  // The stream ends when the runs are judged, a moment after the session is done: a time to recover is known only then.
  for await (const _ of client.sessions.watch({ id: session.id }));
  const detail = await client.sessions.get({ id: session.id });
  expect(detail.session.state, detail.session.message).toBe('done');
  const runs = await client.sessions.runs({ id: session.id });
  expect(runs.flatMap(({ state, message }) => (state === 'done' ? [] : [`${state}: ${message}`]))).toEqual([]);
  expect(detail.session.mechanics).toBe('only');
  for (const { summary } of runs) expect(summary).toMatchObject(FIGURES[id] ?? {});
  const result = await client.results.session({ sessionId: session.id });
  if (result.metric !== null) {
    expect(result.answer?.sentences).toEqual([[{ text: MECHANICS_SENTENCE }]]);
    expect(result.cells.filter(({ value }) => value === undefined)).toEqual([]);
  }
  expect(await client.changes.list({})).toEqual([]);
}

it('each published experiment runs in small form on a server, or needs something missing on these machines', async () => {
  const all = (await engine.client.experiments.list({})).flatMap(({ row }) => row?.id ?? []);
  expect([...Object.values(ON), ...Object.values(LACKS)].flat().toSorted()).toEqual(all.toSorted());
});

const KINDS = Object.keys(ON).filter((kind): kind is Kind => kind in ON);
describe.each(byDay(KINDS, (kind) => kind === 'mariadb'))('small forms on %s', (kind) => {
  const ids: readonly string[] = ON[kind];
  // Others would change the kernel and the network of the machine itself, or could not.
  const here = SWITCHED.includes(kind) && !canMakeNetworks() ? it.skip : it;
  here.each(byDay(ids, (id) => id === BY_DAY))(
    '%s runs to its end, as a functional check',
    { timeout: 1_200_000 },
    (id) => runSmall(kind, id),
  );
});
