import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LOCAL_HOST_NAME } from '../../../shared/model/host.ts';
import { createLocalMachine } from '../hosts/local.ts';
import { openStore } from '../store/open.ts';
import type { DataSetRow, Store } from '../store/store.ts';
import { firstRun } from '../store/testing/library.ts';
import { toolById } from '../tools/index.ts';
import type { Tool } from '../tools/tool.ts';
import { files as kind } from './files.ts';
import type { KnownPreparation, Need, Reach } from './kind.ts';
import { type Seen, seenOf, wrongWords } from './seen.ts';
import { adopt, beginMaking, fitOf, noteWriting, recordInspection } from './sets.ts';

const machine = createLocalMachine();
const HOST = LOCAL_HOST_NAME;
let folder = '';
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-file-sets-'));
  mkdirSync(files('a b'));
  store = openStore(path.join(folder, 'library'), { mode: 'test' });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});
const files = (...names: string[]): string => path.join(folder, ...names);
const context = () => ({ store, clock: { now: () => 7, monotonic: () => 7 }, dataChanged: () => {} });
const need = (names: readonly string[], size = 100): Need => ({
  kind: 'files',
  place: HOST,
  key: 'k',
  title: `${names.length} files`,
  directory: files('a b'),
  shape: '',
  parts: names.map((name) => ({ name, size })),
  written: false,
});
const step = { argv: ['true'], env: {}, files: [], plannedSeconds: 0 };
const preparation = (wanted: Need): KnownPreparation => ({
  key: 'k',
  tool: toolById('fio') as Tool,
  need: wanted,
  prepare: step,
  recipe: { generator: HOST, options: {}, warmup: 0, duration: 1, seed: 1 },
});
const never = (): never => {
  throw new Error('Files are in no target.');
};
const onThisHost: Reach = {
  machines: { get: () => machine },
  targets: { spec: never, shown: never, nodes: never, connection: never, connectionThroughApp: never, open: never },
};
const look = async (wanted: Pick<Need, 'directory' | 'parts'>): Promise<Seen> =>
  seenOf(kind, await kind.inspect(onThisHost, HOST, wanted));
const judged = async (wanted: Need, idle?: number) => fitOf(context(), 'fio', wanted, await look(wanted), idle).kind;
const beginSession = (): number => store.runs.get(firstRun(store))?.sessionId ?? 0;
const lay = (name: string, bytes: number): void => writeFileSync(files('a b', name), Buffer.alloc(bytes));

it('lists plain files with sizes and ignores links', async () => {
  lay('f.0', 100);
  lay('f.1', 99);
  symlinkSync(files('a b', 'f.0'), files('a b', 'f.2'));
  const state = await look(need(['f.0', 'f.1', 'f.2', 'f.3']));
  expect(state).toMatchObject({ complete: false, empty: false });
  expect(state.parts.map(({ found }) => found)).toEqual([100, 99, null, null]);
  expect(wrongWords(kind, state)).toBe(
    'f.1: 99 bytes, expected 100; f.2: missing, expected 100; f.3: missing, expected 100',
  );
  expect(await look({ directory: files('nowhere'), parts: [{ name: 'f.0', size: 1 }] })).toMatchObject({ empty: true });
});

it('lists files of several folders, by their path below the common one', async () => {
  mkdirSync(files('c'));
  lay('f.0', 100);
  writeFileSync(files('c', 'f.0'), Buffer.alloc(7));
  const parts = ['a b/f.0', 'c/f.0', 'd/f.0'].map((name) => ({ name, size: 7 }));
  const { parts: seen } = await look({ directory: folder, parts });
  expect(seen.map(({ found }) => found)).toEqual([100, 7, null]);
});

it('uses existing files of sufficient size, adds missing ones, and does not touch smaller ones', async () => {
  expect(await judged(need(['f.0']))).toBe('missing');
  lay('f.0', 200);
  expect(await judged(need(['f.0']))).toBe('fits');
  expect(await judged(need(['f.0', 'f.1']))).toBe('missing');
  truncateSync(files('a b', 'f.0'), 50);
  expect(await judged(need(['f.0', 'f.1']))).toBe('other-size');
});

it('does not trust sizes until creation has ended', async () => {
  lay('f.0', 100);
  const wanted = need(['f.0']);
  const session = beginSession();
  const set = beginMaking(context(), session, preparation(wanted), { fromNothing: false });
  // The session is still making it.
  expect(await judged(wanted)).toBe('fits');
  // It belonged to that session, which finds nothing running after a restart.
  expect(await judged(wanted, session)).toBe('broken-off');
  store.sessions.update(session, { state: 'failed' });
  expect(await judged(wanted)).toBe('broken-off');
  recordInspection(context(), set, await look(wanted));
  expect(await judged(wanted)).toBe('fits');
});

it('remembers modified files when further files are added, and forgets them when all are created again', async () => {
  lay('f.0', 100);
  lay('f.1', 100);
  const [one, two] = [need(['f.0']), need(['f.0', 'f.1'])];
  const first = adopt(context(), preparation(one), await look(one));
  expect(first).toMatchObject({ state: 'ready', madeAt: null });
  const session = beginSession();
  noteWriting(context(), one, session);
  expect(store.dataSets.files.get(first.id)).toMatchObject({ state: 'dirty', writtenBy: session });
  const made = (fromNothing: boolean): DataSetRow => beginMaking(context(), session, preparation(two), { fromNothing });
  const second = made(false);
  expect(store.dataSets.files.list().map(({ id }) => id)).toEqual([second.id]);
  expect(recordInspection(context(), second, await look(two))).toMatchObject({ state: 'dirty' });
  expect(recordInspection(context(), made(true), await look(two))).toMatchObject({ state: 'ready', writtenAt: null });
});
