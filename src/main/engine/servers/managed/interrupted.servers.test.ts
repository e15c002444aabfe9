import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildFerretDb, freePort, lacksGo } from '../../../../../e2e/testbed/databases/index.ts';
import { expectSame } from '../../../../../scripts/test/recorded.ts';
import { problemFrom } from '../../hosts/testing/library.ts';
import { createShellMachine } from '../../jobs/testing/shell-machine.ts';
import { createServersBed, type ServersBed } from '../testing/bed.ts';

const { signal } = new AbortController();
const SMALL = { innodb_buffer_pool_size: '64M', innodb_log_file_size: '16M', performance_schema: 'OFF' };

let root: string;
const state = () => join(root, 'state');
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'kneepoint-interrupted-'));
  mkdirSync(state());
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const machine = () =>
  createShellMachine('db1', '/bin/sh', { PATH: '/usr/bin:/bin', HOME: root, XDG_STATE_HOME: state() });

/** Creates a program with this name on the host. */
function program(name: string, script: string): string {
  const file = join(root, name);
  writeFileSync(file, `#!/bin/sh\n${script}`, { mode: 0o755 });
  return file;
}

describe('a managed MariaDB', () => {
  let port: number;
  const folder = () => join(root, 'maria');
  const generation = () => readFileSync(join(folder(), 'generation'), 'utf8').trim();
  beforeAll(async () => {
    port = await freePort();
  });

  /** A library that has the target, as after each start of Kneepoint. */
  function library(more: { program?: string; limitSeconds?: number } = {}): ServersBed {
    const bed = createServersBed({ db1: machine() });
    bed.save({ name: 'maria', kind: 'mysql', config: { port, user: 'bench', database: 'shop' } }, 'a password', {
      host: 'db1',
      limitSeconds: more.limitSeconds ?? 60,
      control: { kind: 'managed', program: more.program ?? 'mariadbd', folder: folder(), settings: SMALL },
    });
    return bed;
  }
  const server = (bed = library()) => bed.server('maria');
  async function answerTo(statement: string): Promise<string | null> {
    const session = await library().connect('maria');
    try {
      return await session.run(statement);
    } finally {
      await session.close();
    }
  }
  afterAll(async () => {
    await server().stop(signal);
  });

  test('whose app was closed during its first start is found by the next app', async () => {
    const closing = new AbortController();
    const started = problemFrom(server().start(closing.signal));
    await expect.poll(() => existsSync(join(folder(), 'generation'))).toBe(true);
    closing.abort();
    expect((await started).code).toBe('cancelled');
    await server().start(signal);
    expect(generation()).toBe('1');
    expect(await answerTo('SELECT DATABASE()')).toBe('shop');
  });

  test('keeps its data if only the folder remains of earlier starts', async () => {
    await answerTo('CREATE TABLE kept (id INT)');
    await answerTo('INSERT INTO kept VALUES (7)');
    await server().stop(signal);
    rmSync(join(state(), 'kneepoint', 'jobs'), { recursive: true });
    expect(await server().state(signal)).toBe('stopped');
    await server().start(signal);
    expectSame('the rows that were there', await answerTo('SELECT id FROM kept'), '7');
  });

  test('with removed or incomplete data is created again with its account', async () => {
    await server().stop(signal);
    rmSync(join(folder(), 'data'), { recursive: true });
    mkdirSync(join(folder(), 'data.new', 'mysql'), { recursive: true });
    await server().start(signal);
    expect(await answerTo("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'kept'")).toBe('0');
  });

  test('that runs without responding fails after the time limit, with its log', async () => {
    await server().stop(signal);
    const asVersion = 'case "$*" in *--version*) exec mariadbd --version ;; esac';
    const hangs = program('hangs', `${asVersion}\necho 'waiting for the disk' >&2\nexec sleep 600\n`);
    const slow = server(library({ program: hangs, limitSeconds: 3 }));
    const problem = await problemFrom(slow.start(signal));
    expect(problem).toMatchObject({
      code: 'server-not-back',
      host: 'db1',
      message: expect.stringMatching(
        /does not accept connections 3 s after its start\. Last log lines: .*waiting for the disk/,
      ),
      details: { log: expect.arrayContaining(['waiting for the disk']) },
    });
    expect(await slow.state(signal)).toBe('starting');
    await slow.stop(signal);
    expect(await slow.state(signal)).toBe('stopped');
    await server().start(signal);
    expect(await server().state(signal)).toBe('running');
  });

  test('that cannot start again during a restart is reported as down', async () => {
    const { next: _next, ...problem } = await problemFrom(server(library({ program: 'nosuchd' })).restart(signal));
    expect(problem).toMatchObject({
      code: 'change-not-possible',
      message: expect.stringContaining('nosuchd was not found on db1'),
      safe: 'The server was stopped for the restart, and is down.',
    });
    expect(await server().state(signal)).toBe('stopped');
  });
});

/** mongod is not available: a program with its name reads the same configuration and starts a server with the same protocol. */
describe.skipIf(lacksGo())('a managed mongod', () => {
  let port: number;
  let fakeMongod: string;
  beforeAll(async () => {
    port = await freePort();
    const ferretDb = join(await buildFerretDb(), 'ferretdb');
    fakeMongod = program(
      'mongod',
      `[ "$1" != --version ] || { echo 'db version v7.0.0'; exit 0; }
config=$2
value() { sed -n "s/^ *$1: \\"\\{0,1\\}\\([^\\"]*\\)\\"\\{0,1\\}$/\\1/p" "$config"; }
! grep -q no_such "$config" || { echo 'Unrecognized option: no_such' >&2; exit 2; }
exec '${ferretDb}' --handler=sqlite --sqlite-url="file:$(value dbPath)/" --state-dir="$(value dbPath)" \\
  --listen-addr="$(value bindIp):$(value port)" --telemetry=disable --debug-addr=-
`,
    );
  });
  const folder = () => join(root, 'mongo');
  const configuration = () => parse(readFileSync(join(folder(), 'mongod.conf'), 'utf8')) as Record<string, unknown>;

  function library(user = ''): ServersBed {
    const bed = createServersBed({ db1: machine() });
    const config = { url: `mongodb://127.0.0.1:${port}/`, database: 'shop', user };
    bed.save({ name: 'mongo', kind: 'mongodb', config }, '', {
      host: 'db1',
      limitSeconds: 60,
      control: {
        kind: 'managed',
        program: fakeMongod,
        folder: folder(),
        settings: { 'storage.wiredTiger.engineConfig.cacheSizeGB': 1, notablescan: false },
      },
    });
    return bed;
  }

  test('is configured with address, folder and settings, and is started, restarted and stopped', async () => {
    const server = library().server('mongo');
    await server.start(signal);
    expect(await server.state(signal)).toBe('running');
    expect(configuration()).toMatchObject({
      storage: { dbPath: `${folder()}/data`, wiredTiger: { engineConfig: { cacheSizeGB: 1 } } },
      net: { bindIp: '127.0.0.1', port },
      setParameter: { notablescan: false },
    });
    await server.settingsFile?.write({ notablescan: 'true' });
    await server.restart(signal);
    expect(configuration()).toMatchObject({ setParameter: { notablescan: true } });
    await server.settingsFile?.write({ no_such: '1' });
    expect(await problemFrom(server.restart(signal))).toMatchObject({
      code: 'server-not-back',
      message: expect.stringContaining('Unrecognized option: no_such'),
    });
    await server.settingsFile?.write({});
    await server.start(signal);
    await server.stop(signal);
    expect(await server.state(signal)).toBe('stopped');
  });

  test('of a target with an account is refused before anything is started', async () => {
    expect(await problemFrom(library('bench').server('mongo').start(signal))).toMatchObject({
      code: 'bad-request',
      message: expect.stringContaining('no accounts'),
    });
  });
});
