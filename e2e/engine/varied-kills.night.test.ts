import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectSame } from '../../scripts/test/recorded.ts';
import { type Breaker, type Moment, startBreaker } from '../testbed/breaker.ts';
import {
  ACCOUNT,
  type CommandedServer,
  commanded,
  type DatabaseServer,
  freePort,
  startMariaDb,
} from '../testbed/databases/index.ts';
import { keep } from '../testbed/left.ts';
import { newLibraryFolder } from '../testbed/library-folder.ts';
import { canMakeNetworks, createHosts, type TestHost, type TestHosts } from '../testbed/sshd/index.ts';
import { addCommanded, stopServers } from './testing/commanded-target.ts';
import { type KillableEngine, startKillable } from './testing/killable-engine.ts';
import { asked } from './testing/outside.ts';
import { seededRandom } from './testing/random.ts';
import { ended } from './testing/session.ts';

const dataDir = newLibraryFolder('varied');
/** While it exists, trials do not end. */
const HOLD = path.join(dataDir, 'hold');
/** State found by each trial when it was measured, by clients independent of the engine. */
const LEDGER = path.join(dataDir, 'ledger');
const LOGIN = path.join(dataDir, 'login.cnf');
const SECONDS = 4;
/** At random moments, in each test that has them. */
const KILLS = 4;
/** For each of eight cells: enough for a kill at all of these moments. The server is restarted between the two halves. */
const REPEATS = 3;
const TRIALS = 8 * REPEATS;

let network: TestHosts;
let database: DatabaseServer;
let commands: CommandedServer;
let breaker: Breaker;
let engine: KillableEngine;
const host = (): TestHost => network.hosts[0] as TestHost;
beforeEach(() => breaker.reset());
afterEach(() => {
  for (const file of [HOLD, commands.gate]) rmSync(file, { force: true });
});

async function open(): Promise<void> {
  engine = startKillable(dataDir);
  await engine.client.app.unlockVault({ passphrase: 'a passphrase of the vault' });
}

beforeAll(async () => {
  network = await createHosts(1);
  database = await startMariaDb();
  commands = commanded(database);
  await database.kill('SIGTERM');
  breaker = await startBreaker(database);
  await open();
  const { address, port, user, keyFile } = host();
  const { client } = engine;
  const { id } = await client.hosts.save({
    spec: { kind: 'ssh', name: 'loadgen', address, port, user, auth: { method: 'key', keyFile } },
  });
  const first = await client.hosts.test({ id });
  if (first.result !== 'key-unknown') throw new Error(`First contact gave ${JSON.stringify(first)}`);
  await client.hosts.trustKey({ key: first.key });
  await addCommanded(client, 'mariadb', database, commands, { port: breaker.port });
  if (canMakeNetworks()) keep(FIN, fin, (value) => onHost(`echo ${value} >${FIN}`));
  writeFileSync(LOGIN, `[client]\nsocket=${database.socket}\nuser=${database.user}\npassword=${database.password}\n`);
}, 120_000);
beforeEach(() => writeFileSync(LEDGER, ''));
afterAll(async () => {
  if (commands) rmSync(commands.gate, { force: true });
  if (engine) await stopServers(engine.client);
  await engine?.kill();
  await breaker?.close();
  await database?.stop();
  commands?.remove();
  await network?.close();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

const STATE = "SELECT CONCAT_WS(' ', @@innodb_flush_log_at_trx_commit, @@back_log)";
const FIN = '/proc/sys/net/ipv4/tcp_fin_timeout';
const SCRIPT = `echo "$(mariadb --defaults-file=${LOGIN} -N -e "${STATE}") $(cat ${FIN})" >>${LEDGER}
i=0; while [ $i -lt ${SECONDS} ]; do i=$((i + 1)); echo "$i 100"; sleep 0.1; done
while [ -e ${HOLD} ]; do sleep 0.05; done`;
const FLUSH = 'innodb_flush_log_at_trx_commit';
const documentOf = (factors: readonly object[], repeats: number): string =>
  JSON.stringify({
    kneepoint: 1,
    name: 'Kills',
    workload: {
      tool: 'command',
      options: { command: SCRIPT, pattern: '^(?<t>\\d+) (?<rate>\\d+)$', metrics: 'rate = ops' },
    },
    where: { generators: ['loadgen'] },
    factors,
    measure: { duration: SECONDS, repeats },
  });
const FACTORS = [
  { name: 'flush', kind: 'server-setting', setting: FLUSH, on: 'mariadb', levels: [0, 2] },
  { name: 'backlog', kind: 'server-setting', setting: 'back_log', on: 'mariadb', levels: [77, 88] },
  {
    name: 'fin',
    kind: 'host-setting',
    setting: 'sysctl',
    of: 'net.ipv4.tcp_fin_timeout',
    on: 'generators',
    levels: [31, 32],
  },
];

const ledger = (): string[] => readFileSync(LEDGER, 'utf8').split('\n').filter(Boolean);
const onHost = (script: string): string =>
  execFileSync('ip', ['netns', 'exec', host().namespace ?? '', 'sh', '-c', script], { encoding: 'utf8' }).trim();
const fin = (): string => onHost(`cat ${FIN}`);
const outside = async (): Promise<string[]> => [...(await asked(database, STATE)), fin()];
/** Claims by which other libraries see that a place is being varied. */
const claims = (): string[] =>
  ['/var/tmp', path.join(host().home, '..', 'var-tmp')].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('kneepoint-claim-'))
      .map((name) => readlinkSync(path.join(folder, name)))
      .filter((words) => words.includes(dataDir)),
  );
const isUp = (): boolean => {
  const status = `/proc/${commands.starts().at(-1)}/status`;
  return existsSync(status) && !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
};

const random = seededRandom('kills');

/** A session under way, across any number of engines. */
async function startSession(text: string) {
  const { id } = await engine.client.sessions.start({ text });
  const session = async () => (await engine.client.sessions.get({ id })).session;
  /** Rejects if the session ends first. */
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) {
      const now = await session();
      if (ended(now)) throw new Error(`The session ended as ${now.state}: ${now.message}`);
      await delay(30);
    }
  };
  return {
    id,
    now: session,
    until,
    async comes(moment: Moment): Promise<void> {
      let isThere = false;
      void breaker.reached(moment).then(() => {
        isThere = true;
      });
      await until(() => isThere);
    },
    /** Kills the engine, and opens another one on the same library. */
    async dies(meanwhile: () => void = () => {}): Promise<void> {
      await engine.kill();
      meanwhile();
      breaker.reset();
      await open();
    },
    async settled() {
      while (!ended(await session())) await delay(100);
      return session();
    },
  };
}

/** The server's own values, the host's, and everything that a session could have left. */
async function expectAsBefore(first: readonly string[]): Promise<void> {
  expect(isUp()).toBe(true);
  expectSame('settings of server and host', await outside(), first);
  expectSame('whether there is a settings file', existsSync(commands.settingsFile), false);
  expectSame('changes that are not put back', await engine.client.changes.list({}), []);
  expectSame('claims on places', claims(), []);
}

describe.skipIf(!canMakeNetworks())('a plan with settings of a server and of a host', () => {
  it('is measured once under the right settings, whenever the engine is killed and the connection lost', async () => {
    const first = await outside();
    const starts = commands.starts().length;
    writeFileSync(commands.gate, '');
    const session = await startSession(documentOf(FACTORS, REPEATS));
    const { until, comes, dies } = session;
    const applied = { text: `SET GLOBAL ${FLUSH}`, when: 'after' } as const;
    // A change interrupted before its side effects were known is first restored, and then applied again.
    const level0 = { text: `SET GLOBAL ${FLUSH} = 0`, when: 'after' } as const;

    // Between stop and start.
    await until(() => existsSync(commands.settingsFile) && !isUp());
    await dies(() => rmSync(commands.gate));
    // In the journal, but not on the server.
    await comes({ ...level0, when: 'before' });
    await dies();
    expect(ledger()).toEqual([]);
    // On the server, but not read back.
    await comes(level0);
    await dies();
    expect((await outside())[0]).toMatch(/^0 77/);
    // The connection is lost between the change and its read-back.
    await until(() => ledger().length > 1);
    await comes(applied);
    breaker.cut();
    await delay(1000);
    breaker.reset();
    // In a trial.
    const before = ledger().length;
    writeFileSync(HOLD, '');
    await until(() => ledger().length > before);
    await dies(() => rmSync(HOLD));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await delay(random(500, 4000));
      await dies();
    }
    // During the restart that restores.
    await until(() => ledger().length > TRIALS / 2 + 1);
    writeFileSync(commands.gate, '');
    await until(() => !isUp());
    await dies(() => rmSync(commands.gate));

    const { state, message } = await session.settled();
    expect(state, message).toBe('done');
    const runs = await engine.client.sessions.runs({ id: session.id });
    expect(runs.map((run) => [run.state, run.seconds])).toEqual(
      Array.from({ length: TRIALS }, () => ['done', SECONDS]),
    );
    expectSame(
      'settings of each launch, in its own words',
      ledger(),
      runs.map(({ levels }) => `${levels.flush} ${levels.backlog} ${levels.fin}`),
    );
    for (const { facts = [], levels } of runs)
      expectSame(
        'settings that a trial was measured under',
        Object.fromEntries(facts.map(({ what, found }) => [what, Number(found)])),
        { [FLUSH]: levels.flush, back_log: levels.backlog, 'sysctl net.ipv4.tcp_fin_timeout': levels.fin },
      );
    expect(commands.starts().length - starts).toBe(3);
    await expectAsBefore(first);
  });

  it('is restored if the engine is killed right before and after the restore', async () => {
    const first = await outside();
    const session = await startSession(documentOf(FACTORS.slice(0, 1), 1));
    const putBack = { text: `SET GLOBAL ${FLUSH} = ${first[0]?.split(' ')[0]}`, when: 'before' } as const;
    await session.comes(putBack);
    await session.dies();
    expect((await outside())[0]).toMatch(/^2 /);
    await session.comes({ ...putBack, when: 'after' });
    await session.dies();
    expect(await outside()).toEqual(first);
    const { state, message } = await session.settled();
    expect(state, message).toBe('done');
    expectSame(
      'settings of each launch, in its own words',
      ledger().map((line) => line[0]),
      ['0', '2'],
    );
    await expectAsBefore(first);
  });
});

it('is restored on a managed server that restarts before every trial, despite random kills', async () => {
  const { client } = engine;
  const login = { ...ACCOUNT, product: 'mariadb' as const, address: '127.0.0.1', port: await freePort() };
  const folder = path.join(dataDir, 'managed');
  const { address, port, user, password, database: schema } = login;
  const control = {
    kind: 'managed' as const,
    program: 'mariadbd',
    folder,
    settings: { innodb_buffer_pool_size: '64M' },
  };
  const { id } = await client.targets.save({
    spec: {
      ...{ name: 'managed', kind: 'mysql', via: null, config: { address, port, user, database: schema } },
      server: { host: 'this computer', control, limitSeconds: 60 },
    },
    secret: password,
  });
  await client.targets.startServer({ id });
  const state = (): Promise<string[]> => asked(login, 'SELECT @@back_log, @@innodb_flush_log_at_trx_commit');
  const first = await state();
  const levels = [77, 88].map((size) => ({ name: String(size), set: { back_log: size, [FLUSH]: size % 2 } }));
  const session = await startSession(
    JSON.stringify({
      kneepoint: 1,
      name: 'Restarts',
      workload: { tool: 'sysbench', options: { script: 'cpu', threads: 1, rate: 20 } },
      where: {},
      factors: [{ name: 'size', kind: 'server-setting', on: 'managed', levels }],
      measure: { duration: 1, repeats: 2, blocks: 'none' },
    }),
  );
  for (let kill = 0; kill < KILLS; kill += 1) {
    await delay(random(300, 5000));
    if (ended(await session.now())) break;
    await session.dies();
  }
  const { state: end, message } = await session.settled();
  expect(end, message).toBe('done');
  const runs = await engine.client.sessions.runs({ id: session.id });
  expect(runs.map((run) => [run.state, Number(run.levels.size)])).toEqual(
    Array.from({ length: 4 }, (_, index) => ['done', index % 2 === 0 ? 77 : 88]),
  );
  for (const { facts = [], levels: own } of runs) {
    const found = facts.map((fact) => Number(fact.found));
    expectSame('settings that a trial was measured under', found, [Number(own.size), Number(own.size) % 2]);
  }
  expectSame('settings of the server', await state(), first);
  expectSame('whether there is a settings file', existsSync(path.join(folder, 'settings.conf')), false);
  expectSame('changes that are not put back', await engine.client.changes.list({}), []);
  expectSame('claims on places', claims(), []);
});
