import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import type { MonitorRow } from '../../src/main/engine/monitors/monitor.ts';
import { answersWritten, rowsWritten } from '../../src/main/engine/monitors/testing/written.ts';
import { storedSources } from '../../src/main/engine/store/testing/watched.ts';
import { targetByKind } from '../../src/main/engine/targets/index.ts';
import { atDepth, byDay } from '../../src/shared/util/testing/depth.ts';
import {
  type DatabaseOptions,
  type DatabaseServer,
  fetchMongosh,
  freePort,
  lacksClickHouse,
  lacksGo,
  startClickHouse,
  startClickHouseServer,
  startFerretDb,
  startMariaDb,
  startPostgres,
} from '../testbed/databases/index.ts';
import { newLibraryFolder } from '../testbed/library-folder.ts';
import { canMakeNetworks, createHosts, type TestHost, type TestHosts } from '../testbed/sshd/index.ts';
import { type KillableEngine, startKillable } from './testing/killable-engine.ts';
import { seededRandom } from './testing/random.ts';
import { ended, until } from './testing/session.ts';

const NAMES = ['load', 'db'] as const;
/** Faults beyond one of each kind: the outcome of jobs does not depend on the server, so MariaDB has most of them. */
const FURTHER = (target: Target): number => atDepth(target === 'mariadb' ? 60 : 20, 0);
const KILLS_AT_THE_END = atDepth(20, 1);
/** Minimum outage in a server's samples: longer than a response on a busy machine. */
const LEAST_OUTAGE_MS = 4_000;
/** A query sent before a server froze may be answered this much later. */
const ON_ITS_WAY_MS = 2_000;
/** Times of a host have hundredths of a second, and its clock is known with that accuracy. */
const CLOCK_MS = 100;

type Place = Required<Pick<DatabaseOptions, 'address' | 'port' | 'prefix'>>;
type Server = Omit<DatabaseServer, 'product' | 'socket' | 'logFile' | 'pid' | 'tls'>;
/** The port of the native protocol that ClickHouse's engine reports. */
const CLICKHOUSE_PORT = 9000;
/**
 * For the app, ClickHouse's engine with MySQL's protocol; for the client, a complete server older than that protocol: two servers on one address
 * that start and stop together.
 */
async function startBothClickHouses(place: Place): Promise<Server> {
  const both = [
    await startClickHouse(place),
    await startClickHouseServer({ ...place, port: CLICKHOUSE_PORT }),
  ] as const;
  const [engine, own] = both;
  const each = async (act: (one: Server) => Promise<void>): Promise<void> => {
    await Promise.all([act(engine), act(own)]);
  };
  return {
    ...engine,
    kill: (signal) => each((one) => one.kill(signal)),
    restart: () => each((one) => one.restart()),
    stop: () => each((one) => one.stop()),
    freeze: () => {
      for (const one of both) one.freeze();
    },
    thaw: () => {
      for (const one of both) one.thaw();
    },
  };
}

/** By target. All of them are on one host, each with its own client. */
const SERVERS = {
  mariadb: { kind: 'mysql', start: (place: Place): Promise<Server> => startMariaDb(place) },
  postgres: { kind: 'postgres', start: (place: Place): Promise<Server> => startPostgres(place) },
  mongodb: { kind: 'mongodb', start: (place: Place): Promise<Server> => startFerretDb(place) },
  clickhouse: { kind: 'clickhouse', start: startBothClickHouses },
} as const;
type Target = keyof typeof SERVERS;
const LACKING: Readonly<Partial<Record<Target, boolean>>> = { mongodb: lacksGo(), clickhouse: lacksClickHouse() };
/** The outcome of jobs is the same for all. The other clients without Kneepoint are in statements-on-host.test.ts. */
const TARGETS = byDay(
  (Object.keys(SERVERS) as Target[]).filter((name) => !LACKING[name]),
  (name) => name === 'mariadb',
);
/** With the command tool; the others are observed without a load. */
const COMMANDED: readonly Target[] = ['mariadb', 'postgres'];

let network: TestHosts;
const servers = new Map<Target, Server>();
/** The one that is monitored now. */
let server: Server;
let dataDir: string;
let engine: KillableEngine;
const host = (name: string): TestHost => network.hosts[(NAMES as readonly string[]).indexOf(name)] as TestHost;
/** As seen from the host, which has its own mounts. */
const stateOf = (name: string): string => path.join(rootOf(name), host(name).home, '.local/state/kneepoint');
const jobsOf = (name: string): string => path.join(stateOf(name), 'jobs');

/** The SSH server of each host, which lives as long as the host: its first process. Later ones have their own mounts, or a smaller number. */
const first = new Map<string, string>();
const firstProcess = (name: string): string =>
  execFileSync('ip', ['netns', 'pids', host(name).namespace ?? ''], { encoding: 'utf8' }).split('\n')[0] ?? '';
const processOf = (name: string): string => first.get(name) ?? '';
const rootOf = (name: string): string => `/proc/${processOf(name)}/root`;

async function open(): Promise<void> {
  engine = startKillable(dataDir);
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
}

beforeAll(async () => {
  if (!canMakeNetworks()) return;
  const programs = [
    TARGETS.includes('mongodb') ? await fetchMongosh() : '',
    path.dirname(process.execPath),
    '/usr/bin',
    '/bin',
  ];
  network = await createHosts(NAMES.length, { bashrc: `export PATH=${programs.filter(Boolean).join(':')}\n` });
  for (const name of NAMES) first.set(name, firstProcess(name));
  dataDir = newLibraryFolder('monitor-faults');
  // The folder of the host that is filled: a small, separate disk.
  mkdirSync(stateOf('db'), { recursive: true });
  const small = ['mount', '-t', 'tmpfs', '-o', 'size=48m,mode=700', 'tmpfs', stateOf('db').slice(rootOf('db').length)];
  execFileSync('nsenter', ['-t', processOf('db'), '-m', ...small]);
  const { address: own, namespace = '' } = host('db');
  for (const name of TARGETS) {
    const place = { address: own, port: await freePort('127.0.0.1'), prefix: ['ip', 'netns', 'exec', namespace] };
    servers.set(name, await SERVERS[name].start(place));
  }
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
  for (const [name, { address, port, user, database, password }] of servers) {
    const { kind } = SERVERS[name];
    const place = kind === 'mongodb' ? { url: `mongodb://${address}:${port}/` } : { address, port };
    const lives = { host: 'db', control: { kind: 'none' } } as const;
    const spec = { name, kind, via: 'db', config: { ...place, user, database }, server: lives };
    await client.targets.save({ spec, secret: password });
  }
}, 480_000);
afterEach(() => {
  for (const file of [hold(), path.join(stateOf('db'), 'filler')]) rmSync(file, { force: true });
});
afterAll(async () => {
  await engine?.kill();
  for (const each of servers.values()) await each.stop();
  await network?.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

const random = seededRandom('faults of monitors');
const anyOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random(0, items.length))] as Item;

/** The trial continues as long as this file exists. */
const hold = (): string => path.join(dataDir, 'hold');
const documentOf = (target: Target, condition = `[ -e ${hold()} ]`): string =>
  JSON.stringify({
    kneepoint: 1,
    name: 'Faults of monitors',
    workload: COMMANDED.includes(target)
      ? {
          tool: 'command',
          options: {
            target: SERVERS[target].kind,
            command: `i=0; while ${condition}; do i=$((i + 1)); echo "$i 100"; sleep 1; done`,
            pattern: '^(?<t>\\d+) (?<rate>\\d+)$',
            metrics: 'rate = ops',
          },
        }
      : { tool: 'observation', options: { 'until-stopped': true } },
    where: { generators: ['load'], target },
    measure: { duration: 3600 },
  });

/** Files that identify the jobs of the host's collector, and of the client that monitors the server. */
const OF_HOST = 'pace.sh';
const OF_SERVER = 'stamp.sh';
/** Jobs of monitors on a host, according to its own disk. */
const monitorsOn = (name: string, file = OF_HOST): string[] =>
  // The folder does not exist before the first job.
  (existsSync(jobsOf(name)) ? readdirSync(jobsOf(name)) : []).filter((job) =>
    existsSync(path.join(jobsOf(name), job, 'files', file)),
  );
const isEnded = (name: string, job: string): boolean => existsSync(path.join(jobsOf(name), job, 'end'));

const SEEN_MS = 3_000;
/** Whether the client runs and writes: otherwise the server is monitored over the app's connection. */
const isClientAtWork = (): boolean =>
  monitorsOn('db', OF_SERVER).some((job) => {
    const folder = path.join(jobsOf('db'), job);
    const [pid] = readFileSync(path.join(folder, 'tool'), 'utf8').split(' ');
    const { mtimeMs } = statSync(path.join(folder, 'stdout'));
    return !isEnded('db', job) && existsSync(`/proc/${pid}`) && mtimeMs > Date.now() - SEEN_MS;
  });

function killMonitors(name: string, file: string): void {
  for (const job of monitorsOn(name, file)) {
    const [pid] = readFileSync(path.join(jobsOf(name), job, 'tool'), 'utf8').split(' ');
    if (existsSync(`/proc/${pid}`) && !isEnded(name, job)) process.kill(-Number(pid), 'SIGKILL');
  }
}

interface Span {
  /** Epoch milliseconds. */
  from: number;
  to: number;
}
/** When the server did not respond to its own client. */
const outages: Span[] = [];
/** When the server was not visible to the app. */
const unseen: Span[] = [];
async function noted(spans: Span[], milliseconds: number, end: () => unknown): Promise<void> {
  const from = Date.now();
  await delay(milliseconds);
  spans.push({ from, to: Date.now() });
  await end();
}

const FAULTS: Readonly<Record<string, () => Promise<void>>> = {
  async 'the engine is killed'() {
    await engine.kill();
    await noted(unseen, random(0, 6000), open);
  },
  async 'the cable of the generator is out'() {
    host('load').pullCable();
    await delay(random(3000, 9000));
    host('load').plugCable();
  },
  async 'the cable of the server is out'() {
    host('db').pullCable();
    await noted(unseen, random(LEAST_OUTAGE_MS, 9000), () => host('db').plugCable());
  },
  async 'sessions of SSH are killed'() {
    host(anyOf(NAMES)).signalSessions('SIGKILL');
  },
  async 'the server hangs'() {
    server.freeze();
    await noted(outages, random(LEAST_OUTAGE_MS, 8000), () => server.thaw());
  },
  async 'the server is killed'() {
    await server.kill('SIGKILL');
    await noted(outages, random(LEAST_OUTAGE_MS, 8000), () => server.restart());
  },
  async 'a monitor is killed'() {
    killMonitors(anyOf(NAMES), OF_HOST);
  },
  async 'the client of the server is killed'() {
    killMonitors('db', OF_SERVER);
  },
  async 'the folder of the host is full'() {
    const filler = path.join(stateOf('db'), 'filler');
    try {
      writeFileSync(filler, Buffer.alloc(64 << 20));
    } catch {
      // A full disk is the goal.
    }
    await delay(random(3000, 5000));
    rmSync(filler);
  },
};

/** All of them in a random order, and more at night. */
function faults(target: Target): string[] {
  const kinds = Object.keys(FAULTS);
  const order = kinds.map((kind) => ({ kind, at: random(0, 1) })).sort((one, other) => one.at - other.at);
  return [...order.map(({ kind }) => kind), ...Array.from({ length: FURTHER(target) }, () => anyOf(kinds))];
}

/** Complete blocks of a collector, counted without its parser: `@ TIME`, content, and `. LENGTH TIME` with the actual length. */
const blocksIn = (output: string): number =>
  [...output.matchAll(/^@ (\d+\.\d\d)\n(?:(?![@.] ).*\n)*\. (\d+) \1$/gm)].filter(
    ([block, , length]) => block.lastIndexOf('\n') + 1 === Number(length),
  ).length;

/** Output of a job on its host, read independently of the engine: complete blocks or lines, in order. */
function writtenBy(kind: string, name: string, job: string, target?: Target): MonitorRow[] {
  const file = path.join(jobsOf(name), job, 'stdout');
  const output = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const readServer = target && targetByKind(SERVERS[target].kind).monitoring?.hostLines;
  if (kind === 'host' || !readServer) {
    const rows = rowsWritten(output);
    expect(rows, `blocks in ${file}`).toHaveLength(blocksIn(output));
    return rows;
  }
  return answersWritten(output, readServer());
}

describe.skipIf(!canMakeNetworks()).each(TARGETS)('watching %s', (target) => {
  it('stores each sample of hosts and servers once despite faults, and shows when the server did not respond', {
    timeout: atDepth(3_600_000, 480_000),
  }, async () => {
    await engine.kill();
    await open();
    server = servers.get(target) as Server;
    outages.length = 0;
    unseen.length = 0;
    const earlier = [...monitorsOn('load'), ...monitorsOn('db'), ...monitorsOn('db', OF_SERVER)];
    writeFileSync(hold(), '');
    const { id } = await engine.client.sessions.start({ text: documentOf(target) });
    const sources = () => engine.client.monitors.sources({ sessionId: id });
    /** Parts still missing until all three are monitored, each on its host. */
    const unwatched = async (): Promise<unknown[]> => {
      const since = Date.now() - SEEN_MS;
      const all = await sources();
      const old = all.filter(({ to = 0 }) => to <= since).map(({ gaps: _, ...source }) => source);
      const client = isClientAtWork() ? [] : ['The client of the server is not at work.'];
      return [...Array.from({ length: 3 - all.length }, () => 'A source is missing.'), ...old, ...client];
    };
    const settled = () => expect.poll(unwatched, { interval: 500 }).toEqual([]);
    await settled();
    for (const fault of faults(target)) {
      await delay(random(500, 3000));
      console.log(fault);
      await FAULTS[fault]?.();
      await settled();
    }
    rmSync(hold());
    if (!COMMANDED.includes(target)) await engine.client.sessions.stop({ id });
    const session = await until(engine.client, id, ended);
    // A trial during which its server was restarted has not measured its label.
    const [run] = await engine.client.sessions.runs({ id });
    const restarts = run?.findings.filter(({ code }) => code === 'server-started-anew') ?? [];
    if (COMMANDED.includes(target)) expect(restarts).toHaveLength(1);
    expect(session, session.message).toMatchObject({ state: 'done', trialsFailed: restarts.length });

    // The last seconds come after the end of the session, when the monitors have been ended.
    const ofThis = (name: string, file: string) => monitorsOn(name, file).filter((job) => !earlier.includes(job));
    const jobs = [
      ...NAMES.map((name) => ({ kind: 'host', name, on: name, jobs: ofThis(name, OF_HOST) })),
      { kind: 'server', name: target, on: 'db', jobs: ofThis('db', OF_SERVER) },
    ];
    const atWork = () =>
      jobs.flatMap(({ on, jobs }) => jobs.filter((job) => !isEnded(on, job)).map((job) => [on, job]));
    await expect.poll(atWork).toEqual([]);
    // A monitor not reached by the end of its session continues for a while: its later samples belong to no session.
    const isOfSession = ({ t }: MonitorRow): boolean => t * 1000 <= (session.endedAt ?? 0);
    const written = jobs.slice(0, 2).map(({ kind, on, jobs }) => jobs.flatMap((job) => writtenBy(kind, on, job)));
    /** Samples of the session that are not stored, by host, and stored ones that were never written. */
    const missing = async () => {
      const stored = (await sources()).filter(({ kind }) => kind === 'host').map(({ samples }) => samples);
      return written.map((rows, at) => [
        Math.max(0, rows.filter(isOfSession).length - (stored[at] ?? 0)),
        Math.max(0, (stored[at] ?? 0) - rows.length),
      ]);
    };
    await expect.poll(missing).toEqual([
      [0, 0],
      [0, 0],
    ]);

    const source = (await sources()).find(({ kind }) => kind === 'server');
    expect(source).toMatchObject({ host: 'db' });
    expect(outages.length).toBeGreaterThan(0);
    for (const { from, to } of outages.filter((each) => each.to - each.from >= LEAST_OUTAGE_MS)) {
      const gap = source?.gaps.find((each) => each.from <= from + ON_ITS_WAY_MS && each.to >= to - CLOCK_MS);
      expect(gap, `gap from ${from} to ${to} in ${JSON.stringify(source?.gaps)}`).toBeDefined();
    }
    await engine.kill();

    const watchedByJobs = storedSources(dataDir, id);
    expect(watchedByJobs.map(({ name }) => name)).toEqual([...NAMES, target]);
    for (const { kind, name, jobs: known, t, columns, damaged } of watchedByJobs) {
      const { on = '', jobs: there = [] } = jobs.find((each) => each.name === name) ?? {};
      expectSame(
        'jobs on the host that are not known',
        there.filter((job) => !known.includes(job)),
        [],
      );
      expectSame('damaged samples', damaged, []);
      const written = known
        .map((job) => writtenBy(kind, on, job, target).filter((row) => isOfSession(row) || t.includes(row.t)))
        .filter((rows) => rows.length > 0);
      const rows = new Map(written.flat().map((row) => [row.t, row.metrics]));
      expect(rows.size).toBeGreaterThan(10);
      expectSame('samples that jobs wrote twice', written.flat().length - rows.size, 0);
      // Between two jobs a server is queried over the app's connection.
      const within = t.map((at) => written.some((job) => at >= (job[0]?.t ?? 0) && at <= (job.at(-1)?.t ?? 0)));
      if (kind === 'host') {
        const ofNoJob = t.filter((_, row) => !within[row]);
        expectSame(`times of samples of ${name} that no job wrote`, ofNoJob, []);
      }
      expectSame(
        `times of samples of ${name}`,
        t.filter((_, row) => within[row]),
        [...rows.keys()],
      );
      expectSame(
        `samples of ${name} that are not after the one before`,
        t.filter((at, row) => row > 0 && at <= (t[row - 1] ?? 0)),
        [],
      );
      for (const [counter, values] of columns)
        expectSame(
          `${counter} of ${name}`,
          values.filter((_, row) => within[row]),
          [...rows.values()].map((metrics) => metrics[counter] ?? Number.NaN),
        );
      console.log(`${name}: ${t.length} samples of ${columns.size} counters from ${known.length} jobs`);
    }
    // Seconds not visible to the app are recorded anyway.
    const seconds = watchedByJobs.find(({ kind }) => kind === 'server')?.t ?? [];
    for (const { from, to } of unseen.filter((each) => each.to - each.from >= LEAST_OUTAGE_MS)) {
      const missed = seconds.filter((at) => at * 1000 >= from && at * 1000 <= to).length;
      console.log(`server: ${missed} samples in ${((to - from) / 1000).toFixed(1)} s that the app could not see`);
      // Over the app's connection it would be at most the one in flight; how many more depends on the load of the machine.
      expect(missed).toBeGreaterThan(1);
    }
  });
});

it.skipIf(!canMakeNetworks())(
  'stores monitor samples up to the end of a session even if the engine is killed right after it',
  async () => {
    await engine.kill();
    let leftBehind = 0;
    const isAtWork = (job: string): boolean =>
      NAMES.some(
        (name) => existsSync(path.join(jobsOf(name), job)) && !existsSync(path.join(jobsOf(name), job, 'end')),
      );
    for (let kill = 0; kill < KILLS_AT_THE_END; kill += 1) {
      await open();
      const { id } = await engine.client.sessions.start({ text: documentOf('mariadb', '[ $i -lt 4 ]') });
      await until(engine.client, id, ({ state }) => state === 'done');
      await delay(kill === 0 ? 0 : random(0, 600));
      await engine.kill();
      leftBehind += NAMES.flatMap((name) => monitorsOn(name)).some(isAtWork) ? 1 : 0;

      await open();
      const { session } = await engine.client.sessions.get({ id });
      const [run] = await engine.client.sessions.runs({ id });
      const end = (session.endedAt ?? Number.NaN) / 1000;
      await expect.poll(() => NAMES.flatMap((name) => monitorsOn(name)).every((job) => !isAtWork(job))).toBe(true);
      const hosts = NAMES.map((name) => {
        const known = monitorsOn(name).flatMap((job) => writtenBy('host', name, job).map(({ t }) => t));
        // Only those of this session: the host has jobs of earlier ones.
        return { name, written: known.filter((t) => t >= session.createdAt / 1000 && t <= end) };
      });
      const missing = async () => {
        const sources = (await engine.client.monitors.sources({ sessionId: id })).filter(({ kind }) => kind === 'host');
        return hosts.filter(({ written }, index) => (sources[index]?.samples ?? 0) < written.length);
      };
      await expect.poll(missing).toEqual([]);
      await engine.kill();

      const stored = storedSources(dataDir, id).filter(({ kind }) => kind === 'host');
      for (const [index, { name, t }] of stored.entries()) {
        const { written = [] } = hosts[index] ?? {};
        expect(written.length, name).toBeGreaterThan(3);
        expectSame(
          `times of samples of ${name} in session ${id}`,
          t.filter((at) => at <= end),
          written,
        );
        expect(t.at(-1), name).toBeGreaterThan((run?.endedAt ?? Number.NaN) / 1000 - 2);
      }
    }
    // The monitors end a moment after the session: how many kills come before that depends on the load of the machine.
    console.log(`${leftBehind} of ${KILLS_AT_THE_END} kills left monitors behind`);
  },
);
