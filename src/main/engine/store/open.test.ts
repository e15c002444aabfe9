import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostFacts } from '../../../shared/model/host.ts';
import { KneepointError, type ProblemCode } from '../../../shared/model/problem.ts';
import type { EventKind } from '../../../shared/model/session.ts';
import { LIBRARY_FILE, openStore } from './open.ts';
import type { NewDataSet, SessionRow, Store } from './store.ts';
import { addRuns, firstRun, SESSION, SNAPSHOT, temporaryFolder } from './testing/library.ts';

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(() => {
  folder = temporaryFolder();
  store = openStore(folder.path, { mode: 'test' });
});
afterEach(() => {
  store.close();
  folder.remove();
});
const reopen = (): void => {
  store.close();
  store = openStore(folder.path, { mode: 'test' });
};
const codeOf = (work: () => unknown): ProblemCode | undefined => {
  try {
    work();
  } catch (error) {
    return error instanceof KneepointError ? error.code : undefined;
  }
  return undefined;
};

const SSH = {
  kind: 'ssh',
  name: 'db1',
  address: '10.0.0.5',
  port: 22,
  user: 'bench',
  auth: { method: 'agent' },
  jumps: [],
} as const;
const MYSQL = { name: 'mysql-8', kind: 'mysql', via: null, config: { host: '10.0.0.5', port: 3306 } } as const;

it('closes to one file and a free lock, and needs no check after a clean end', () => {
  store.experiments.insert('a', '', 1);
  store.close();
  expect(readdirSync(folder.path).sort()).toEqual(['library.db', 'lock.db']);
  store.close();
  let checked = false;
  store = openStore(folder.path, {
    onCheck: () => {
      checked = true;
    },
  });
  expect(readdirSync(folder.path)).toContain('holder.json');
  store.close();
  expect(checked).toBe(false);
  expect(readdirSync(folder.path).sort()).toEqual(['library.db', 'lock.db']);
});

describe('configurations', () => {
  const spec = (label: string, amount: number | null) => ({
    label,
    currency: 'USD',
    components: [{ kind: 'own' as const, label: 'rack', amount, per: 'month' as const }],
  });

  it('are stored by unique name', () => {
    const first = store.configurations.insert(spec('b', 100), 5);
    store.configurations.insert(spec('a', null), 6);
    expect(codeOf(() => store.configurations.insert(spec('a', 1), 7))).toBe('conflict');
    expect(codeOf(() => store.configurations.update(first.id, spec('a', 1), 7))).toBe('conflict');
    store.configurations.update(first.id, spec('c', 1), 8);
    reopen();
    expect(store.configurations.list()).toEqual([
      { id: 2, spec: spec('a', null), changedAt: 6 },
      { id: 1, spec: spec('c', 1), changedAt: 8 },
    ]);
    store.configurations.remove(1);
    expect(codeOf(() => store.configurations.remove(1))).toBe('not-found');
    expect(codeOf(() => store.configurations.update(1, spec('c', 1), 9))).toBe('not-found');
  });
});

describe('hosts', () => {
  it('include this computer from the start', () => {
    expect(store.hosts.list().map((host) => host.spec)).toEqual([{ kind: 'local', name: 'this computer' }]);
  });

  it('are listed by name with natural order of numbers, after this computer', () => {
    for (const name of ['loadgen-10', 'Loadgen-2', 'a']) store.hosts.insert({ ...SSH, name, jumps: [] }, 5);
    const names = store.hosts.list().map(({ spec }) => spec.name);
    expect(names).toEqual(['this computer', 'a', 'Loadgen-2', 'loadgen-10']);
  });

  it('are stored with facts and whether they have a secret', () => {
    const host = store.hosts.insert({ ...SSH, jumps: [] }, 5);
    const facts: HostFacts = {
      hostname: 'db1',
      os: 'Debian 12',
      kernel: '6.1',
      architecture: 'x86_64',
      cpuCount: 2,
      disks: [],
      networks: [],
      filesystems: [],
      tools: [],
      readAt: 7,
    };
    store.hosts.setFacts(host.id, facts);
    store.secrets.set(`host:${host.id}`, Uint8Array.of(1, 2, 3));
    reopen();
    expect(store.hosts.byName('db1')).toEqual({ id: host.id, spec: SSH, hasSecret: true, createdAt: 5 });
    expect(store.hosts.facts(host.id)).toEqual(facts);
    expect(store.hosts.update(host.id, { ...SSH, name: 'db2', jumps: ['gate'] }).spec).toEqual({
      ...SSH,
      name: 'db2',
      jumps: ['gate'],
    });
    expect(store.hosts.get(host.id)?.spec.name).toBe('db2');
  });

  it('are removed with their secret, and their id is not used again', () => {
    const first = store.hosts.insert({ ...SSH, jumps: [] }, 5);
    store.secrets.set(`host:${first.id}`, Uint8Array.of(1));
    store.hosts.remove(first.id);
    expect(store.secrets.get(`host:${first.id}`)).toBeUndefined();
    expect(store.hosts.insert({ ...SSH, jumps: [] }, 6).id).not.toBe(first.id);
  });

  it('refuse a duplicate name and an unknown id', () => {
    store.hosts.insert({ ...SSH, jumps: [] }, 5);
    expect(codeOf(() => store.hosts.insert({ ...SSH, jumps: [] }, 5))).toBe('conflict');
    expect(codeOf(() => store.hosts.remove(999))).toBe('not-found');
    expect(codeOf(() => store.hosts.setFacts(999, {} as HostFacts))).toBe('not-found');
  });

  it('store host keys and tunnels', () => {
    const key = { host: 'db1', address: '10.0.0.5', port: 22, algorithm: 'ssh-ed25519', fingerprint: 'SHA256:abc' };
    store.hosts.setKey(key, 1);
    store.hosts.setKey({ ...key, fingerprint: 'SHA256:def' }, 2);
    const tunnel = { name: 'web', host: 'db1', localPort: 0, address: '127.0.0.1', port: 80, autoStart: true };
    const id = store.hosts.insertTunnel(tunnel);
    store.hosts.updateTunnel(id, { ...tunnel, port: 81 });
    reopen();
    expect(store.hosts.key('10.0.0.5', 22)?.fingerprint).toBe('SHA256:def');
    expect(store.hosts.key('10.0.0.5', 23)).toBeUndefined();
    expect(store.hosts.tunnels()).toEqual([{ id, spec: { ...tunnel, port: 81 } }]);
    store.hosts.removeKey('10.0.0.5', 22);
    store.hosts.removeTunnel(id);
    expect(store.hosts.key('10.0.0.5', 22)).toBeUndefined();
    expect(store.hosts.tunnels()).toEqual([]);
    expect(codeOf(() => store.hosts.removeTunnel(id))).toBe('not-found');
  });
});

describe('targets and experiments', () => {
  it('store targets', () => {
    const target = store.targets.insert(MYSQL, 3);
    store.secrets.set(`target:${target.id}`, Uint8Array.of(9));
    reopen();
    expect(store.targets.list()).toEqual([{ id: target.id, spec: MYSQL, hasSecret: true, createdAt: 3 }]);
    expect(store.targets.byName('mysql-8')?.id).toBe(target.id);
    expect(codeOf(() => store.targets.insert(MYSQL, 4))).toBe('conflict');
    store.targets.update(target.id, { ...MYSQL, via: 'db1' });
    expect(store.targets.get(target.id)?.spec.via).toBe('db1');
    store.targets.remove(target.id);
    expect(store.targets.list()).toEqual([]);
    expect(store.secrets.get(`target:${target.id}`)).toBeUndefined();
  });

  it('store experiments, the last changed first', () => {
    const first = store.experiments.insert('a', 'name: a', 1);
    const second = store.experiments.insert('b', 'name: b', 2);
    store.experiments.update(first.id, 'a2', 'name: a2', 3);
    reopen();
    expect(store.experiments.list().map((row) => row.name)).toEqual(['a2', 'b']);
    store.experiments.remove(second.id);
    expect(store.experiments.get(second.id)).toBeUndefined();
    expect(codeOf(() => store.experiments.update(second.id, 'x', 'y', 1))).toBe('not-found');
  });
});

describe('data sets of files', () => {
  const set = (placeId: number): NewDataSet => ({
    placeId,
    directory: '/mnt/disk/kneepoint-fio',
    tool: 'fio',
    title: '1 file of fio, 1 KiB',
    shape: '',
    parts: [{ name: 'kneepoint-fio.0.0', size: 1024, found: 1024 }],
    bytes: null,
    recipe: { generator: 'db1', options: { size: '1k' }, warmup: 0, duration: 5, seed: 1 },
    state: 'ready',
    madeAt: 5,
    madeBy: null,
    lookedAt: 6,
    writtenAt: null,
    writtenBy: null,
  });

  it('change field by field, replace others, and are listed newest first', () => {
    const { id } = store.hosts.insert({ ...SSH, jumps: [] }, 5);
    const first = store.dataSets.files.insert(set(id), []);
    expect(store.dataSets.files.update(first.id, { state: 'partial' })).toEqual({ ...first, state: 'partial' });
    const second = store.dataSets.files.insert(set(id), []);
    const third = store.dataSets.files.insert(set(id), [first.id]);
    reopen();
    expect(store.dataSets.files.list()).toEqual([third, second]);
    expect(() => store.dataSets.files.remove(first.id)).toThrow(/no file set/);
  });

  it('are removed with their host, and stay after their session is removed', () => {
    const session = store.runs.get(firstRun(store))?.sessionId ?? 0;
    const here = store.hosts.list()[0]?.id ?? 0;
    const kept = store.dataSets.files.insert({ ...set(here), madeBy: session, writtenBy: session }, []);
    const removed = store.hosts.insert({ ...SSH, jumps: [] }, 5).id;
    store.dataSets.files.insert(set(removed), []);
    store.hosts.remove(removed);
    store.sessions.remove(session, 0);
    expect(store.dataSets.files.list()).toEqual([{ ...kept, madeBy: null, writtenBy: null }]);
  });
});

describe('data sets of tables', () => {
  const set = (placeId: number): NewDataSet => ({
    placeId,
    directory: '',
    tool: 'sysbench',
    title: '1 table × 100 rows',
    shape: 'innodb',
    parts: [{ name: 'sbtest1', size: 100, found: 100, runs: 'add' }],
    bytes: 24_000,
    recipe: { generator: 'loadgen', options: { tables: 1 }, warmup: 0, duration: 5, seed: 1 },
    state: 'ready',
    madeAt: 5,
    madeBy: null,
    lookedAt: 6,
    writtenAt: null,
    writtenBy: null,
  });
  const target = (name: string) => store.targets.insert({ name, kind: 'mysql', via: null, config: {} }, 0).id;

  it('change field by field, replace others, and are listed newest first', () => {
    const id = target('db');
    const first = store.dataSets.tables.insert(set(id), []);
    const parts = [{ name: 'sbtest1', size: 100, found: null }];
    expect(store.dataSets.tables.update(first.id, { state: 'gone', parts })).toEqual({
      ...first,
      state: 'gone',
      parts,
    });
    expect(store.dataSets.tables.get(first.id)).toMatchObject({ state: 'gone', parts, recipe: set(id).recipe });
    const second = store.dataSets.tables.insert({ ...set(id), bytes: null }, []);
    const third = store.dataSets.tables.insert(set(id), [first.id]);
    expect(store.dataSets.tables.list()).toEqual([third, second]);
    expect(() => store.dataSets.tables.update(first.id, { state: 'ready' })).toThrow(/no data set/);
  });

  it('are removed with their target, and stay after their session is removed', () => {
    const session = store.runs.get(firstRun(store))?.sessionId ?? 0;
    const kept = store.dataSets.tables.insert({ ...set(target('kept')), madeBy: session, writtenBy: session }, []);
    const removed = target('removed');
    store.dataSets.tables.insert(set(removed), []);
    store.targets.remove(removed);
    store.sessions.remove(session, 0);
    expect(store.dataSets.tables.list()).toEqual([{ ...kept, madeBy: null, writtenBy: null }]);
  });
});

describe('sessions and runs', () => {
  it('start with the trials of the plan as pending runs', () => {
    addRuns(store, 3);
    reopen();
    const [session] = store.sessions.list(false).sessions;
    const { snapshot, ...given } = SESSION;
    expect(session).toEqual({
      ...given,
      id: 1,
      name: 'Ladder',
      experiment: 'Ladder',
      question: null,
      message: null,
      origin: 'measured',
      targets: [],
      generators: ['this computer'],
      steps: [{ tool: 'sysbench', metric: 'tps' }],
      cells: 0,
      repeats: 1,
      plannedSeconds: 0,
      trialsTotal: 3,
      trialsEnded: 0,
      trialsFailed: 0,
      trialsMissing: 3,
      note: '',
      archived: false,
      cost: null,
      startedAt: null,
      endedAt: null,
      idleMs: 0,
      tested: null,
      mechanics: false,
      revision: 0,
    });
    expect(store.sessions.snapshot(1)).toEqual({ ...snapshot, hosts: [{ name: 'this computer' }] });
    expect(store.runs.ofSession(1).map((run) => [run.trial, run.levels, run.state])).toEqual([
      [0, { threads: 1 }, 'pending'],
      [1, { threads: 2 }, 'pending'],
      [2, { threads: 4 }, 'pending'],
    ]);
  });

  it('change field by field', () => {
    const [run = 0] = addRuns(store, 1);
    store.runs.update(run, { state: 'running', startedAt: 10, jobs: [{ host: 'db1', jobId: 'j1' }] });
    store.runs.update(run, {
      state: 'failed',
      exit: { code: 137 },
      summary: { tps: 12.5, broken: Number.NaN },
      findings: [{ code: 'killed', severity: 'error', message: 'The tool was killed.' }],
      partial: true,
    });
    const cost = { label: 'two servers', currency: 'USD', components: [] };
    store.sessions.update(1, { state: 'done', endedAt: 99, archived: true, cost, tags: ['x'] });
    reopen();
    expect(store.runs.get(run)).toMatchObject({
      state: 'failed',
      startedAt: 10,
      exit: { code: 137 },
      summary: { tps: 12.5 },
      partial: true,
      jobs: [{ host: 'db1', jobId: 'j1' }],
      levels: { threads: 1 },
    });
    expect(store.runs.get(run)?.summary).not.toHaveProperty('broken');
    expect(store.sessions.get(1)).toMatchObject({
      state: 'done',
      endedAt: 99,
      archived: true,
      cost,
      tags: ['x'],
      name: 'Ladder',
    });
    expect(store.sessions.list(false).sessions).toEqual([]);
    expect(store.sessions.list(true).sessions).toHaveLength(1);
    const [older, newer] = ['older', 'newer'].map((uuid) => store.sessions.insert({ ...SESSION, uuid }, []).id);
    expect(store.sessions.list(false, 1).sessions.map(({ id }) => id)).toEqual([newer]);
    expect(store.sessions.list(false).sessions.map(({ id }) => id)).toEqual([newer, older]);
    expect(codeOf(() => store.runs.update(999, { state: 'done' }))).toBe('not-found');
  });

  it('count a trial of several steps once: it ends with its last step, and is missing until every step is complete', () => {
    const at = { levels: {}, warmup: 0, duration: 1 };
    const steps = [0, 1].flatMap((repeat) => [0, 1].map((step) => ({ ...at, trial: repeat, cell: 0, repeat, step })));
    const { id } = store.sessions.insert({ ...SESSION, uuid: 'steps' }, steps);
    const counts = () => {
      const { trialsTotal, trialsEnded, trialsFailed, trialsMissing } = store.sessions.get(id) as SessionRow;
      return [trialsTotal, trialsEnded, trialsFailed, trialsMissing];
    };
    const [first, second, third] = store.runs.ofSession(id).map((run) => run.id) as [number, number, number];
    const counted = [counts()];
    for (const [run, state] of [
      [first, 'done'],
      [second, 'failed'],
    ] as const) {
      store.runs.update(run, { state });
      counted.push(counts());
    }
    const [again] = store.runs.appendRuns(id, [{ ...at, cell: 0, repeat: 0, step: 1 }]);
    counted.push(counts());
    store.runs.update(again?.id ?? 0, { state: 'done' });
    store.runs.update(third, { state: 'done' });
    counted.push(counts());
    expect(store.runs.skipPending(id, 'stopped').map(({ trial }) => trial)).toEqual([1]);
    counted.push(counts());
    expect(counted).toEqual([
      [2, 0, 0, 2],
      [2, 0, 0, 2],
      [2, 1, 1, 2],
      [2, 0, 0, 2],
      [2, 1, 0, 1],
      [2, 2, 0, 1],
    ]);
    expect(again).toMatchObject({ trial: 2, step: 1 });
    const added = store.runs.appendRuns(
      id,
      [0, 1].map((step) => ({ ...at, cell: 0, repeat: 2, step })),
    );
    expect(added.map(({ trial, step }) => [trial, step])).toEqual([
      [3, 0],
      [3, 1],
    ]);
    expect(counts()).toEqual([3, 2, 0, 2]);
  });

  it('count their trials and list changes since a revision', () => {
    const [first = 0, second = 0, third = 0] = addRuns(store, 4);
    store.runs.update(first, { state: 'running' });
    store.runs.update(second, { state: 'failed' });
    const { revision } = store.sessions.get(1) ?? { revision: 0 };
    expect(store.runs.changedSince(1, -1)).toHaveLength(4);
    expect(store.runs.changedSince(1, revision)).toEqual([]);
    store.runs.update(first, { state: 'done' });
    store.runs.update(third, { state: 'lost' });
    expect(store.runs.changedSince(1, revision).map(({ id }) => id)).toEqual([first, third]);
    expect(store.sessions.get(1)).toMatchObject({ trialsTotal: 4, trialsEnded: 3, trialsFailed: 2 });
    store.runs.skipPending(1, 'Stopped.');
    expect(store.sessions.get(1)).toMatchObject({ trialsEnded: 4, trialsFailed: 2 });
    expect(store.runs.open(1)).toEqual([]);
  });

  it('keep their inputs, and their facts only until the first trial has begun', () => {
    addRuns(store, 1);
    const facts = { hosts: [{ name: 'this computer' }], toolVersion: '1.0.20' };
    store.sessions.keepFacts(1, { ...facts, toolVersion: '1.0.19' });
    store.sessions.keepFacts(1, facts);
    expect(store.sessions.snapshot(1)).toEqual({ ...SNAPSHOT, ...facts });
    store.sessions.update(1, { startedAt: 5 });
    expect(codeOf(() => store.sessions.keepFacts(1, { hosts: [] }))).toBe('conflict');
    const broken = { ...SNAPSHOT, plan: { ...SNAPSHOT.plan, seconds: Number.NaN } };
    expect(codeOf(() => store.sessions.insert({ ...SESSION, uuid: 'b', snapshot: broken }, []))).toBe('bad-request');
    expect(store.sessions.list(false).sessions).toHaveLength(1);
    reopen();
    expect(store.sessions.snapshot(1)).toEqual({ ...SNAPSHOT, ...facts });
  });

  it('are read from documents of the previous version, with other names of steps', () => {
    addRuns(store, 1);
    store.sessions.addPart(1, {
      from: 1,
      at: 7,
      added: 0,
      grown: { factor: 'swap', levels: [60], cells: [], text: '' },
    });
    store.close();
    const step = { options: { threads: 1 }, generators: ['one'], warmup: 0, duration: 60, wishes: [], launch: {} };
    const setting = (value: string) => ({
      ...{ changer: 'host-setting', place: { kind: 'host', name: 'one' }, what: 'sysctl vm.swappiness', value },
      how: { setting: 'sysctl', of: 'vm.swappiness' },
    });
    // As packed by the previous version: differences from the first cell.
    const cells = ['1', '30'].map((value, index) => ({
      ...{ index, levels: { swap: Number(value) } },
      steps: [index === 0 ? { ...step, wishes: [setting(value)] } : { set: { wishes: [setting(value)] } }],
    }));
    const grown = [{ index: 2, levels: { swap: 60 }, steps: [{ ...step, wishes: [setting('60')] }] }];
    const db = new Database(join(folder.path, LIBRARY_FILE));
    const write = (part: string, path: string, value: unknown): void => {
      const { changes } = db
        .prepare('UPDATE session_snapshot SET version = 2, document = json_set(document, ?, json(?)) WHERE part = ?')
        .run(path, JSON.stringify(value), part);
      expect(changes).toBe(1);
    };
    write('start', '$.plan.cells', cells);
    // It had one step, with the tool that its document names.
    write('start', '$.primaryMetric', 'qps');
    db.exec(`UPDATE session_snapshot SET document = json_remove(document, '$.steps') WHERE part = 'start'`);
    write('later 1', '$.grown.cells', grown);
    db.close();
    store = openStore(folder.path, { mode: 'test' });
    const { wishes: _, ...rest } = step;
    expect(store.sessions.snapshot(1).steps).toEqual([{ tool: 'sysbench', metric: 'qps' }]);
    const steps = () => store.sessions.snapshot(1).plan.cells.map((cell) => cell.steps);
    const read = ['1', '30', '60'].map((value) => [{ ...rest, settings: [setting(value)] }]);
    expect(steps()).toEqual(read);
    // Steps are compared as text.
    expect(steps().map((each) => Object.keys(each?.[0] ?? {}))).toEqual(
      read.map(() => Object.keys(step).map((key) => (key === 'wishes' ? 'settings' : key))),
    );
    store.sessions.keepPartFacts(1, 1, { hosts: [{ name: 'one' }] });
    reopen();
    expect(steps()).toEqual(read);
    expect(store.sessions.snapshot(1).later?.[0]?.facts).toEqual({ hosts: [{ name: 'one' }] });
  });

  it('read the empty metric of a monitoring tool as none', () => {
    addRuns(store, 1);
    store.close();
    const db = new Database(join(folder.path, LIBRARY_FILE));
    const steps = JSON.stringify([{ tool: 'observation', metric: '' }]);
    db.prepare(
      `UPDATE session_snapshot SET version = 4, document = json_set(document, '$.steps', json(?)) WHERE part = 'start'`,
    ).run(steps);
    db.exec(`UPDATE session SET primary_metric = ''`);
    db.close();
    store = openStore(folder.path, { mode: 'test' });
    expect(store.sessions.snapshot(1).steps).toEqual([{ tool: 'observation', metric: null }]);
    expect(store.sessions.get(1)?.steps).toMatchObject([{ metric: null }]);
  });

  it('store the conditions of later parts, each once', () => {
    addRuns(store, 1);
    store.sessions.addPart(1, { from: 12, at: 9, added: 4 });
    store.sessions.addPart(1, { from: 3, at: 7, added: 0 });
    const facts = { hosts: [{ name: 'this computer' }], toolVersion: '1.0.20' };
    store.sessions.keepPartFacts(1, 3, facts);
    store.sessions.keepPartFacts(1, 3, { hosts: [] });
    reopen();
    expect(store.sessions.snapshot(1).later).toEqual([
      { from: 3, at: 7, added: 0, facts },
      { from: 12, at: 9, added: 4 },
    ]);
  });

  it('store the progress of their data', () => {
    addRuns(store, 1);
    expect(store.sessions.dataProgress(1)).toBeUndefined();
    const sets = [{ kind: 'files' as const, id: 7, writtenAt: null }];
    const progress = { group: 2, keys: ['a'], sets, complete: true, run: 1 };
    store.sessions.setDataProgress(1, { group: 0, keys: [], sets: [], complete: false });
    store.sessions.setDataProgress(1, progress);
    reopen();
    expect(store.sessions.dataProgress(1)).toEqual(progress);
  });

  it('store events that can be read from a position, by kind', () => {
    const [run = 0] = addRuns(store, 1);
    const base = { sessionId: 1, at: 1, level: 'info' } as const;
    const entries = ['first', 'second', 'third'].map((message) =>
      store.events.add({ ...base, runId: run, kind: 'log', t: 2.5, message }),
    );
    store.events.add({ ...base, kind: 'state', message: 'Session running.' });
    store.events.add({ ...base, at: 2, kind: 'note', level: 'note', message: 'fourth' });
    const read = (kinds: readonly EventKind[], after = 0, limit = 10) => store.events.ofSession(1, kinds, after, limit);
    expect(read(['log'], entries[0]?.id, 2).map((entry) => entry.message)).toEqual(['second', 'third']);
    expect(read(['log'])[0]).toEqual({ ...base, id: 1, runId: run, kind: 'log', t: 2.5, message: 'first' });
    expect(read(['log', 'note'])[3]).not.toHaveProperty('runId');
    expect(read(['state']).map((event) => event.message)).toEqual(['Session running.']);
    const of = (runIds: readonly number[]) => store.events.ofSession(1, ['log', 'note'], 0, 10, runIds);
    expect(of([run]).map((event) => event.message)).toEqual(['first', 'second', 'third', 'fourth']);
    expect(of([run + 1]).map((event) => event.message)).toEqual(['fourth']);
    const finding = { code: 'data-written', severity: 'note', message: 'Not fresh.' } as const;
    store.events.add({ ...base, kind: 'finding', message: finding.message, detail: finding });
    expect(store.events.findings(1)).toEqual([finding]);
  });

  it('are removed completely', () => {
    const [run = 0] = addRuns(store, 1);
    store.samples.ingest({
      runId: run,
      generator: 0,
      stream: 'stdout',
      offset: 0,
      bytes: Buffer.from('x'),
      samples: [{ t: 1, metrics: { tps: 1 } }],
    });
    store.events.add({ sessionId: 1, kind: 'note', at: 2, level: 'note', message: 'n' });
    store.sessions.remove(1, 0);
    expect(store.runs.get(run)).toBeUndefined();
    expect(store.samples.count(run, 0)).toBe(0);
    expect(store.samples.rawSize(run, 0, 'stdout')).toBe(0);
    expect(store.events.ofSession(1, ['note'], 0, 10)).toEqual([]);
    expect(codeOf(() => store.sessions.remove(1, 0))).toBe('not-found');
    expect(codeOf(() => store.sessions.snapshot(1))).toBe('not-found');
  });
});

describe('jobs on hosts', () => {
  const step = { host: 'db1', jobId: 'p1', step: 'prepare', key: 'rows' } as const;

  it('store the step of a running session', () => {
    addRuns(store, 1);
    store.jobs.beginStep(1, step);
    store.jobs.beginStep(1, step);
    reopen();
    expect(store.jobs.step(1)).toEqual(step);
    store.jobs.beginStep(1, { ...step, jobId: 'p2' });
    expect(store.jobs.step(1)?.jobId).toBe('p2');
    store.jobs.endStep(1);
    expect(store.jobs.step(1)).toBeUndefined();
  });

  it('are due for removal at their time, and not after removal', () => {
    const [run = 0] = addRuns(store, 1);
    store.runs.update(run, { jobs: [{ host: 'db1', jobId: 'r1' }] });
    store.jobs.removeAfter({ host: 'db1', jobId: 'r1' }, 100);
    store.jobs.removeAfter({ host: 'db1', jobId: 'other' }, 50);
    expect(store.jobs.due('db1', 100)).toEqual(['other']);
    expect(store.jobs.due('db1', 101)).toEqual(['r1', 'other']);
    expect(store.jobs.due('db2', 101)).toEqual([]);
    store.jobs.removed('db1', 'other');
    store.jobs.removed('db1', 'r1');
    expect(store.jobs.due('db1', 1000)).toEqual([]);
    expect(store.runs.get(run)?.jobs).toEqual([{ host: 'db1', jobId: 'r1' }]);
  });

  it('outlive their session, and are all due at its end', () => {
    const [run = 0] = addRuns(store, 1);
    store.runs.update(run, { jobs: [{ host: 'db1', jobId: 'r1' }] });
    store.jobs.beginStep(1, step);
    store.sessions.remove(1, 10);
    expect(store.jobs.due('db1', 11)).toEqual(['r1', 'p1']);
  });
});

describe('the journal', () => {
  const place = { kind: 'host', name: 'db1' } as const;
  const entry = {
    sessionId: 1,
    runId: null,
    place,
    what: 'secret/my.cnf',
    oldValue: null,
    wanted: 'written',
    undo: { kind: 'remove-secret-files', jobId: 'j1' },
    writtenAt: 5,
  } as const;

  it('lists changes to undo, the last first, also after its session is removed', () => {
    addRuns(store, 1);
    const first = store.journal.write(entry);
    const second = store.journal.write({
      ...entry,
      place: { kind: 'server', name: 'mysql' },
      what: 'sync_binlog',
      identity: { id: 'a' },
    });
    expect([first.identity, second.identity]).toEqual([null, { id: 'a' }]);
    expect(first).toMatchObject({ state: 'planned', readBack: null, closedAt: null });
    store.journal.note(first.id, { state: 'verified', readBack: 'written' });
    expect(store.journal.ofSession(1)).toHaveLength(2);
    store.sessions.remove(1, 0);
    reopen();
    expect(store.journal.open().map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(store.journal.open(place)).toMatchObject([{ id: first.id, sessionId: null, state: 'verified' }]);
    store.journal.close(first.id, 'restored', 9);
    expect(store.journal.open(place)).toEqual([]);
    expect(codeOf(() => store.journal.close(999, 'restored', 9))).toBe('not-found');
  });
});

it('names the server behind a proxy by the target, if an earlier version named it with the control of a managed PgBouncer', () => {
  const { id } = store.targets.insert({ ...MYSQL, name: 'direct' }, 1);
  const control = { kind: 'managed', program: 'pgbouncer', settings: { pool_mode: 'session' } } as const;
  const proxy = store.targets.insert({ ...MYSQL, name: 'pool', server: { host: 'db1', control } }, 1);
  store.close();
  const file = new Database(join(folder.path, LIBRARY_FILE));
  file.exec(`UPDATE target SET spec = json_set(spec, '$.server.control.upstream', 'direct') WHERE id = ${proxy.id}`);
  file.pragma('user_version = 26');
  file.close();
  store = openStore(folder.path, { mode: 'test' });
  expect(store.targets.get(proxy.id)?.spec).toEqual({ ...proxy.spec, behind: 'direct' });
  expect(store.targets.get(id)?.spec).toEqual({ ...MYSQL, name: 'direct' });
});
