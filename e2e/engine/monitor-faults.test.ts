import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsWritten } from '../../src/main/engine/monitors/testing/written.ts';
import { storedHosts } from '../../src/main/engine/store/testing/watched.ts';
import { type DatabaseServer, freePort, startMariaDb } from '../testbed/databases/index.ts';
import { canMakeNetworks, createHosts, type TestHost, type TestHosts } from '../testbed/sshd/index.ts';
import { type KillableEngine, startKillable } from './testing/killable-engine.ts';
import { seededRandom } from './testing/random.ts';
import { ended, until } from './testing/session.ts';

const NAMES = ['load', 'db'] as const;
/** Faults beside one of each kind. */
const FURTHER = process.env.KNEEPOINT_DEPTH === 'night' ? 60 : 0;
const KILLS_AT_THE_END = process.env.KNEEPOINT_DEPTH === 'night' ? 20 : 2;
/** Of a server's samples: longer than it takes to answer on a busy machine. */
const LEAST_OUTAGE_MS = 4_000;
/** What was asked before a cable was pulled may be stored so much later, with the time of its middle. */
const ON_ITS_WAY_MS = 2_000;

let network: TestHosts;
let server: DatabaseServer;
let dataDir: string;
let engine: KillableEngine;
const host = (name: string): TestHost => network.hosts[(NAMES as readonly string[]).indexOf(name)] as TestHost;
/** As seen from the host: it has mounts of its own. */
const stateOf = (name: string): string => path.join(rootOf(name), host(name).home, '.local/state/kneepoint');
const jobsOf = (name: string): string => path.join(stateOf(name), 'jobs');

/** The SSH server of a host, which lives as long as the host. */
const processOf = (name: string): string =>
  execFileSync('ip', ['netns', 'pids', host(name).namespace ?? ''], { encoding: 'utf8' }).split('\n')[0] ?? '';
const rootOf = (name: string): string => `/proc/${processOf(name)}/root`;

async function open(): Promise<void> {
  engine = startKillable(dataDir);
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
}

beforeAll(async () => {
  if (!canMakeNetworks()) return;
  network = await createHosts(NAMES.length);
  dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-monitor-faults-'));
  // The folder of the host that is filled: small, and a disk of its own.
  mkdirSync(stateOf('db'), { recursive: true });
  const small = ['mount', '-t', 'tmpfs', '-o', 'size=8m,mode=700', 'tmpfs', stateOf('db').slice(rootOf('db').length)];
  execFileSync('nsenter', ['-t', processOf('db'), '-m', ...small]);
  const { address, namespace = '' } = host('db');
  const port = await freePort('127.0.0.1');
  server = await startMariaDb({ address, port, prefix: ['ip', 'netns', 'exec', namespace] });
  await open();
  const { client } = engine;
  for (const name of NAMES) {
    const { address, port, user, keyFile } = host(name);
    const auth = { method: 'key', keyFile } as const;
    const { id } = await client.hosts.save({ spec: { kind: 'ssh', name, address, port, user, auth } });
    const first = await client.hosts.test({ id });
    if (first.result !== 'key-unknown') throw new Error(`First contact gave ${JSON.stringify(first)}`);
    await client.hosts.trustKey({ key: first.key });
  }
  const { user, database, password } = server;
  const config = { address, port, user, database, allowCleartextPassword: true };
  const place = { host: 'db', control: { kind: 'none' } } as const;
  await client.targets.save({
    spec: { name: 'mariadb', kind: 'mysql', via: 'db', config, server: place },
    secret: password,
  });
}, 120_000);
afterAll(async () => {
  await engine?.kill();
  await server?.stop();
  await network?.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

const random = seededRandom('faults of monitors');
const anyOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random(0, items.length))] as Item;

/** The trial goes on for as long as this file is there. */
const hold = (): string => path.join(dataDir, 'hold');
const documentOf = (goesOn = `[ -e ${hold()} ]`): string =>
  JSON.stringify({
    kneepoint: 1,
    name: 'Faults of monitors',
    workload: {
      tool: 'command',
      options: {
        target: 'mysql',
        command: `i=0; while ${goesOn}; do i=$((i + 1)); echo "$i 100"; sleep 1; done`,
        pattern: '^(?<t>\\d+) (?<rate>\\d+)$',
        metrics: 'rate = ops',
      },
    },
    where: { generators: ['load'], target: 'mariadb' },
    measure: { duration: 3600 },
  });

/** Jobs of monitors on a host, as its own disk has them. */
const monitorsOn = (name: string): string[] =>
  readdirSync(jobsOf(name)).filter((job) => existsSync(path.join(jobsOf(name), job, 'files/pace.sh')));

/** When the server could not be asked, epoch milliseconds. */
const outages: { from: number; to: number }[] = [];
async function outage(milliseconds: number, end: () => unknown): Promise<void> {
  const from = Date.now();
  await delay(milliseconds);
  outages.push({ from, to: Date.now() });
  await end();
}

const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
  async 'the engine is killed'() {
    await engine.kill();
    await outage(random(0, 6000), open);
  },
  async 'the cable of the generator is out'() {
    host('load').pullCable();
    await delay(random(3000, 9000));
    host('load').plugCable();
  },
  async 'the cable of the server is out'() {
    host('db').pullCable();
    await outage(random(LEAST_OUTAGE_MS, 9000), () => host('db').plugCable());
  },
  async 'sessions of SSH are killed'() {
    host(anyOf(NAMES)).signalSessions('SIGKILL');
  },
  async 'the server hangs'() {
    server.freeze();
    await outage(random(LEAST_OUTAGE_MS, 8000), () => server.thaw());
  },
  async 'a monitor is killed'() {
    const name = anyOf(NAMES);
    for (const job of monitorsOn(name)) {
      const [pid] = readFileSync(path.join(jobsOf(name), job, 'tool'), 'utf8').split(' ');
      if (existsSync(`/proc/${pid}`) && !existsSync(path.join(jobsOf(name), job, 'end')))
        process.kill(Number(pid), 'SIGKILL');
    }
  },
  async 'the folder of the host is full'() {
    const filler = path.join(stateOf('db'), 'filler');
    try {
      writeFileSync(filler, Buffer.alloc(16 << 20));
    } catch {
      // Full is what it shall be.
    }
    await delay(random(3000, 5000));
    rmSync(filler);
  },
};

/** All of them in a random order, and some more. */
function faults(): string[] {
  const kinds = Object.keys(FAULTS);
  const order = kinds.map((kind) => ({ kind, at: random(0, 1) })).sort((one, other) => one.at - other.at);
  return [...order.map(({ kind }) => kind), ...Array.from({ length: FURTHER }, () => anyOf(kinds))];
}

/** What jobs of monitors wrote on their host, read apart from the engine: complete blocks, in order. */
const writtenBy = (name: string, jobs: readonly string[]) =>
  jobs.flatMap((job) => {
    const file = path.join(jobsOf(name), job, 'stdout');
    return existsSync(file) ? rowsWritten(readFileSync(file, 'utf8')) : [];
  });

const NIGHTLY = FURTHER > 0;

it.skipIf(!canMakeNetworks())(
  'loses and doubles no sample of a host, and shows gaps of a server, whatever breaks',
  { timeout: NIGHTLY ? 3_600_000 : 480_000 },
  async () => {
    writeFileSync(hold(), '');
    const { id } = await engine.client.sessions.start({ text: documentOf() });
    const sources = () => engine.client.monitors.sources({ sessionId: id });
    /** All three are watched at this moment. */
    const watched = async (): Promise<boolean> => {
      const since = Date.now() - 3000;
      const all = await sources();
      return all.length === 3 && all.every(({ to = 0 }) => to > since);
    };
    const settled = () => expect.poll(watched, { timeout: 120_000, interval: 500 }).toBe(true);
    await settled();
    for (const fault of faults()) {
      await delay(random(500, 3000));
      console.log(fault);
      await FAULTS[fault]?.();
      await settled();
    }
    rmSync(hold());
    const session = await until(engine.client, id, ended);
    expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: 0 });

    // The last seconds come after the end of the session, when the monitors have been ended.
    const areEnded = () =>
      NAMES.every((name) => monitorsOn(name).every((job) => existsSync(path.join(jobsOf(name), job, 'end'))));
    await expect.poll(areEnded, { timeout: 60_000 }).toBe(true);
    const counts = NAMES.map((name) => writtenBy(name, monitorsOn(name)).length);
    const stored = async () => (await sources()).filter(({ kind }) => kind === 'host').map(({ samples }) => samples);
    await expect.poll(stored, { timeout: 60_000 }).toEqual(counts);

    const mariadb = (await sources()).find(({ kind }) => kind === 'server');
    expect(outages.length).toBeGreaterThan(0);
    for (const { from, to } of outages.filter((each) => each.to - each.from >= LEAST_OUTAGE_MS)) {
      const gap = mariadb?.gaps.find((each) => each.from <= from + ON_ITS_WAY_MS && each.to >= to);
      expect(gap, `gap from ${from} to ${to} in ${JSON.stringify(mariadb?.gaps)}`).toBeDefined();
    }
    await engine.kill();

    const hosts = storedHosts(dataDir, id);
    expect(hosts.map(({ name }) => name)).toEqual(NAMES);
    for (const { name, jobs, t, columns, damaged } of hosts) {
      expect(jobs, 'every job on the host is known').toEqual(expect.arrayContaining(monitorsOn(name)));
      const written = writtenBy(name, jobs);
      expect(written.length).toBeGreaterThan(20);
      expect(t, `samples of ${name}`).toEqual(written.map((row) => row.t));
      expect(damaged).toBe(0);
      expect(new Set(columns.keys())).toEqual(new Set(written.flatMap(({ metrics }) => Object.keys(metrics))));
      for (const [counter, values] of columns)
        expect(values, counter).toEqual(written.map(({ metrics }) => metrics[counter] ?? Number.NaN));
      console.log(`${name}: ${t.length} samples of ${columns.size} counters from ${jobs.length} jobs`);
    }
  },
);

it.skipIf(!canMakeNetworks())(
  'stores what hosts have seen up to the end of a session when the engine is killed right after it, before its monitors have ended',
  { timeout: 240_000 },
  async () => {
    await engine.kill();
    await open();
    let leftBehind = 0;
    const isAtWork = (job: string): boolean =>
      NAMES.some(
        (name) => existsSync(path.join(jobsOf(name), job)) && !existsSync(path.join(jobsOf(name), job, 'end')),
      );
    for (let kill = 0; kill < KILLS_AT_THE_END; kill += 1) {
      const { id } = await engine.client.sessions.start({ text: documentOf('[ $i -lt 4 ]') });
      await until(engine.client, id, ({ state }) => state === 'done');
      await delay(kill === 0 ? 0 : random(0, 600));
      await engine.kill();
      leftBehind += NAMES.flatMap(monitorsOn).some(isAtWork) ? 1 : 0;

      await open();
      const { session } = await engine.client.sessions.get({ id });
      const [run] = await engine.client.sessions.runs({ id });
      const end = (session.endedAt ?? Number.NaN) / 1000;
      await expect.poll(() => NAMES.flatMap(monitorsOn).every((job) => !isAtWork(job)), { timeout: 60_000 }).toBe(true);
      const hosts = NAMES.map((name) => {
        const known = writtenBy(name, monitorsOn(name)).map(({ t }) => t);
        // Those of this session: the host has jobs of earlier ones.
        return { name, written: known.filter((t) => t >= session.createdAt / 1000 && t <= end) };
      });
      const missing = async () => {
        const sources = (await engine.client.monitors.sources({ sessionId: id })).filter(({ kind }) => kind === 'host');
        return hosts.filter(({ written }, index) => (sources[index]?.samples ?? 0) < written.length);
      };
      await expect.poll(missing, { timeout: 60_000 }).toEqual([]);
      await engine.kill();

      for (const [index, { name, t }] of storedHosts(dataDir, id).entries()) {
        const { written = [] } = hosts[index] ?? {};
        expect(written.length, name).toBeGreaterThan(3);
        expect(
          t.filter((at) => at <= end),
          `samples of ${name} in session ${id}`,
        ).toEqual(written);
        expect(t.at(-1), name).toBeGreaterThan((run?.endedAt ?? Number.NaN) / 1000 - 2);
      }
      if (kill + 1 < KILLS_AT_THE_END) await open();
    }
    // At the first of these moments, at least, the monitors were still there.
    expect(leftBehind).toBeGreaterThan(0);
  },
);
