import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppContract } from '../../../shared/contract/index.ts';
import { STOP_REQUESTS } from '../../../shared/contract/sessions.ts';
import type { SshHostSpec } from '../../../shared/model/host.ts';
import { KneepointError, type Problem } from '../../../shared/model/problem.ts';
import type { ServerPlace, TargetSpec } from '../../../shared/model/target.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { cellsOf, experimentOf, storeSession } from '../figures/testing/measured.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { createTargetAccess } from './target-access.ts';
import { openApi } from './testing/open-api.ts';

let folder: ReturnType<typeof libraryFolder>;
let client: Client<AppContract>;
let close: () => Promise<void>;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(async () => {
  await close();
  folder.remove();
});

async function open(): Promise<void> {
  const api = await openApi(folder.path);
  const { client: opened, kill } = api.page();
  client = opened;
  close = async () => {
    kill();
    await api.close();
  };
}

const HERE = 'this computer';
const COMMANDS: ServerPlace['control'] = { kind: 'commands', start: 'false', stop: 'false', status: 'false' };

const spec = (name: string, server?: ServerPlace, kind = 'postgres'): TargetSpec => ({
  name,
  kind,
  via: null,
  config: { address: '127.0.0.1', port: 1, user: 'u', database: 'd' },
  ...(server && { server }),
});
const pooler = (name: string, behind: string): TargetSpec => ({
  ...spec(name, { host: HERE, control: { kind: 'managed', program: 'pgbouncer', settings: {} } }),
  behind,
});

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof KneepointError) return error.problem;
  throw error ?? new Error('It was not refused.');
}

describe('an invalid place', () => {
  const managed = { kind: 'managed', program: 'postgres', settings: {} } as const;
  test.each<[string, TargetSpec, RegExp]>([
    ['on a host that is not saved', spec('a', { host: 'nowhere', control: COMMANDS }), /no host named “nowhere”/],
    [
      'of a target that has no server',
      { name: 'a', kind: 'host', via: null, config: {}, server: { host: HERE, control: COMMANDS } },
      /has no server/,
    ],
    [
      'with a settings file whose path is not absolute',
      spec('a', { host: HERE, control: COMMANDS, settingsFile: 'k.cnf' }, 'mysql'),
      /is not absolute/,
    ],
    [
      'managed, with a settings file of another one',
      spec('a', { host: HERE, control: managed, settingsFile: '/k.cnf' }),
      /already has its own settings file|do not support a settings file/,
    ],
    [
      'managed, of a kind that Kneepoint does not start',
      spec('a', { host: HERE, control: managed }, 'clickhouse'),
      /cannot start servers of kind/,
    ],
    ['in front of itself', pooler('a', 'a'), /is not another target/],
    ['in front of a target that is not there', pooler('a', 'b'), /The server behind it, “b”, is not another target/],
    [
      'of a proxy of a kind without servers',
      { name: 'a', kind: 'host', via: null, config: {}, behind: 'b' },
      /is not a proxy/,
    ],
  ])('%s is refused, and nothing is saved', async (_what, wrong, words) => {
    await open();
    const problem = await problemOf(client.targets.save({ spec: wrong }));
    expect(problem).toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(words),
      safe: 'Nothing was saved.',
    });
    expect(problem.next).toBeTruthy();
    expect(await client.targets.list({})).toEqual([]);
  });

  test('a managed server keeps the name of its target', async () => {
    await open();
    const { id, spec: saved } = await client.targets.save({ spec: spec('pg', { host: HERE, control: managed }) });
    const renamed = { ...saved, name: 'postgres' };
    expect((await problemOf(client.targets.save({ id, spec: renamed }))).message).toMatch(/cannot be renamed/);
  });

  test('the target behind a proxy cannot be removed or renamed, whatever its kind, and cycles are refused', async () => {
    await open();
    const direct = await client.targets.save({ spec: spec('maria', undefined, 'mysql') });
    const proxy = { ...spec('haproxy', undefined, 'mysql'), behind: 'maria' };
    await client.targets.save({ spec: proxy });
    const leads = {
      code: 'conflict',
      message: 'The target “haproxy” is a proxy that leads to the server of this target.',
    };
    expect(await problemOf(client.targets.remove({ id: direct.id }))).toMatchObject(leads);
    const renamed = { ...direct.spec, name: 'mariadb' };
    expect(await problemOf(client.targets.save({ id: direct.id, spec: renamed }))).toMatchObject(leads);
    const turned = { ...direct.spec, behind: 'haproxy' };
    expect(await problemOf(client.targets.save({ id: direct.id, spec: turned }))).toMatchObject({
      message: '“maria” and “haproxy” would each be behind the other.',
    });
  });
});

describe('the nodes of a target', () => {
  test('are the saved targets at its additional addresses, those with a known host first', async () => {
    const store = openStore(folder.path);
    const at = (name: string, address: string, port: number, more: Partial<TargetSpec> = {}, addresses = '') =>
      store.targets.insert(
        {
          ...spec(name, undefined, 'mysql'),
          config: { address, port, user: 'u', database: 'd', ...(addresses && { addresses }) },
          ...more,
        },
        0,
      );
    at('one', 'db1', 3306, {}, 'db2, DB3:3307, db4');
    at('three', 'db3', 3307);
    at('two, without a host', 'db2', 3306);
    at('two', 'db2', 3306, { server: { host: HERE, control: { kind: 'none' } } });
    at('another port', 'db3', 3306);
    at('of another kind', 'db4', 3306, { kind: 'postgres' });
    const access = createTargetAccess({ store } as Parameters<typeof createTargetAccess>[0]);
    expect(access.nodes('one')).toEqual(['two', 'three']);
    expect(access.nodes('two')).toEqual([]);
    expect(access.nodes('gone')).toEqual([]);
    store.close();
    await open();
  });
});

describe('a server in use by a session', () => {
  /** A library with a server, a pooler that leads to it, another target, and a paused session that measures this one. */
  async function measured(target: string) {
    const store = openStore(folder.path);
    for (const saved of [spec('pg', { host: HERE, control: { kind: 'none' } }), pooler('pool', 'pg'), spec('other')])
      store.targets.insert(saved, 0);
    const experiment = { ...experimentOf({ threads: [1] }), where: { generators: [HERE], target } };
    const session = storeSession(store, cellsOf({ threads: [1] }), [], experiment);
    store.sessions.update(session, { state: 'paused' });
    store.close();
    await open();
    const targets = await client.targets.list({});
    return (name: string) => ({ id: targets.find((entry) => entry.spec.name === name)?.id ?? 0 });
  }

  test.each(['pg', 'pool'])('cannot be started, stopped or restarted while the session measures %s', async (target) => {
    const idOf = await measured(target);
    for (const act of ['startServer', 'stopServer', 'restartServer'] as const)
      expect(await problemOf(client.targets[act](idOf('pg')))).toMatchObject({
        code: 'conflict',
        target: 'pg',
        message: expect.stringMatching(/^Session \d+ \(“Ladder”\) is using the server of target “pg”\.$/),
        safe: 'Nothing was changed.',
      });
  });

  test('keeps its place while it is measured through a proxy', async () => {
    const idOf = await measured('pool');
    const moved = spec('pg', { host: HERE, control: COMMANDS });
    expect(await problemOf(client.targets.save({ ...idOf('pg'), spec: moved }))).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/is measuring this target/),
    });
  });

  test('does not block other servers, which return their own errors', async () => {
    const idOf = await measured('other');
    expect((await problemOf(client.targets.startServer(idOf('pg')))).code).toBe('change-not-possible');
    expect(await client.targets.serverState(idOf('pg'))).toEqual({ state: 'stopped' });
    expect(await problemOf(client.targets.lookAtServer(idOf('other')))).toMatchObject({
      code: 'bad-request',
      message: 'Target “other” has no server host.',
    });
  });
});

test('the check of this computer lists settings that a session left changed, with how to restore them', async () => {
  const store = openStore(folder.path);
  const session = storeSession(store, cellsOf({ threads: [1] }), []);
  store.journal.write({
    sessionId: session,
    runId: null,
    place: { kind: 'server', name: 'pg' },
    what: 'work_mem',
    oldValue: '4MB',
    wanted: '64MB',
    undo: { kind: 'put-back', changer: 'server-setting', first: { value: '4MB' } },
    writtenAt: Date.UTC(2026, 10, 20),
  });
  store.close();
  await open();
  const lines = (await client.app.doctor({})).filter(({ topic }) => topic.startsWith('Changed on'));
  expect(lines).toEqual([
    {
      topic: 'Changed on server pg',
      ok: false,
      message: `work_mem is 64MB, and was 4MB before session ${session}, since 2026-11-20T00:00:00.000Z.`,
      next: `Restore it: kneepoint restore ${session}`,
    },
  ]);
});

describe('settings left changed by an interrupted session', () => {
  /** A library whose session was in a trial when the app ended, with a changed setting of this computer. */
  async function interrupted(host: string) {
    const store = openStore(folder.path);
    const session = storeSession(store, cellsOf({ threads: [1] }), [
      { cell: 0, state: 'running', seconds: { tps: [1] } },
    ]);
    store.sessions.update(session, { state: 'interrupted' });
    const [run] = store.runs.ofSession(session);
    if (!run) throw new Error('There is no run.');
    store.runs.update(run.id, { jobs: run.jobs.map((job) => ({ ...job, host, jobId: crypto.randomUUID() })) });
    store.journal.write({
      ...{
        sessionId: session,
        runId: run.id,
        place: { kind: 'host', name: HERE },
        what: 'x',
        oldValue: '1',
        wanted: '2',
      },
      undo: { kind: 'put-back', changer: 'none', first: { value: '1' } },
      writtenAt: 0,
    });
    store.close();
    await open();
    return client.changes.putBack({ session });
  }

  test('are restored if the host reports that none of its tools is running', async () => {
    expect(await interrupted(HERE)).toMatchObject([
      { outcome: 'failed', message: expect.stringContaining('cannot restore “none”') },
    ]);
  });

  test('are kept with instructions if the host cannot be asked', async () => {
    const [result] = await interrupted('gone');
    expect(result).toMatchObject({ outcome: 'left', message: expect.stringContaining('There is no host named gone') });
    expect(result?.message).toContain('kneepoint stop 1');
  });
});

describe('a stop request from another process', () => {
  /** A library with a session that failed. */
  function failed(): { id: number; request: string } {
    const store = openStore(folder.path);
    const id = storeSession(store, cellsOf({ threads: [1] }), []);
    store.sessions.update(id, { state: 'failed' });
    store.close();
    const requests = path.join(folder.path, STOP_REQUESTS);
    mkdirSync(requests, { recursive: true });
    return { id, request: path.join(requests, String(id)) };
  }
  const stateOf = async (id: number) => (await client.sessions.get({ id })).session.state;

  test('is carried out by the process that holds the library', async () => {
    const { id, request } = failed();
    await open();
    writeFileSync(request, '');
    await vi.waitFor(async () => expect(await stateOf(id)).toBe('stopped'), 20_000);
    expect(existsSync(request)).toBe(false);
  });

  test('for another session is dropped', async () => {
    const { id, request } = failed();
    writeFileSync(request, '');
    await open();
    expect(existsSync(request)).toBe(false);
    expect(await stateOf(id)).toBe('failed');
  });
});

describe('a host or target with unrestored settings', () => {
  const host = { name: 'db1', address: 'db1.invalid', port: 22, user: 'u' };
  const login = (method: 'agent' | 'password'): SshHostSpec => ({ kind: 'ssh', ...host, jumps: [], auth: { method } });
  const at = { ...spec('pg'), via: 'db1' };

  /** A library whose session has changed settings of a host, and of a server that is reached through it. */
  async function changed() {
    const store = openStore(folder.path);
    store.hosts.insert(login('agent'), 0);
    store.targets.insert(at, 0);
    const session = storeSession(store, cellsOf({ threads: [1] }), []);
    const write = (kind: 'host' | 'server', name: string, what: string, first: string): void => {
      store.journal.write({
        ...{ sessionId: session, runId: null, place: { kind, name }, what, oldValue: first, wanted: 'x', writtenAt: 0 },
        undo: { kind: 'put-back', changer: 'fake', first: { value: first } },
      });
    };
    write('host', 'db1', 'vm.swappiness', '60');
    write('server', 'pg', 'work_mem', '4MB');
    store.close();
    await open();
    const idOf = (list: readonly { id: number; spec: { name: string } }[], name: string) =>
      list.find((each) => each.spec.name === name)?.id ?? 0;
    return {
      session,
      hostId: idOf(await client.hosts.list({}), 'db1'),
      targetId: idOf(await client.targets.list({}), 'pg'),
      left: async () => (await client.changes.list({})).map(({ what }) => what).toSorted(),
    };
  }

  test('stays, with the session and the settings with old values listed, until its name is typed', async () => {
    const { session, hostId, targetId, left } = await changed();
    const ofTarget = await problemOf(client.targets.remove({ id: targetId, giveUp: 'gp' }));
    expect(ofTarget).toMatchObject({ code: 'conflict', target: 'pg', details: { giveUp: 'pg' } });
    expect(ofTarget.message).toContain(`Session ${session} on server “pg”: work_mem (was “4MB”, set to “x”).`);
    expect(ofTarget.next).toContain(`kneepoint restore ${session}`);
    await client.targets.remove({ id: targetId, giveUp: 'pg' });
    expect(await left()).toEqual(['vm.swappiness']);
    const ofHost = await problemOf(client.hosts.remove({ id: hostId }));
    expect(ofHost).toMatchObject({ code: 'conflict', host: 'db1', details: { giveUp: 'db1' } });
    expect(ofHost.message).toContain('vm.swappiness (was “60”, set to “x”)');
    await client.hosts.remove({ id: hostId, giveUp: 'db1' });
    expect(await left()).toEqual([]);
    expect((await client.hosts.list({})).map((each) => each.spec.name)).toEqual([HERE]);
  });

  test.each([
    ['address', { address: 'db2.invalid' }],
    ['port', { port: 2222 }],
    ['user', { user: 'root' }],
  ])('cannot be redirected by changing the %s of the host', async (_what, change) => {
    const { hostId, left } = await changed();
    const elsewhere = { ...login('agent'), ...change };
    const problem = await problemOf(client.hosts.save({ id: hostId, spec: elsewhere }));
    expect(problem).toMatchObject({ code: 'conflict', message: expect.stringMatching(/vm\.swappiness .* work_mem/) });
    // Another login method leads to the same machine.
    await client.hosts.save({ id: hostId, spec: login('password') });
    expect(await left()).toHaveLength(2);
    await client.hosts.save({ id: hostId, spec: elsewhere, giveUp: 'db1' });
    expect(await left()).toEqual([]);
  });

  test('cannot be redirected by changing the place of the target', async () => {
    const { targetId, left } = await changed();
    const moved = [
      { ...at, via: null },
      { ...at, config: { ...at.config, port: 2 } },
      { ...at, server: { host: HERE, control: COMMANDS } },
    ];
    for (const elsewhere of moved)
      expect(await problemOf(client.targets.save({ id: targetId, spec: elsewhere }))).toMatchObject({
        ...{ code: 'conflict', details: { giveUp: 'pg' } },
      });
    await client.targets.save({ id: targetId, spec: { ...at, config: { ...at.config, user: 'other' } } });
    expect(await left()).toHaveLength(2);
    await client.targets.save({ id: targetId, spec: moved[1] as TargetSpec, giveUp: 'pg' });
    expect(await left()).toEqual(['vm.swappiness']);
  });
});
