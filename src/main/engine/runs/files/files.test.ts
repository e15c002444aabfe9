import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LOCAL_HOST_NAME } from '../../../../shared/model/host.ts';
import { createLocalMachine } from '../../hosts/local.ts';
import { openStore } from '../../store/open.ts';
import type { FileSetRow, Store } from '../../store/store.ts';
import { firstRun } from '../../store/testing/library.ts';
import { toolById } from '../../tools/index.ts';
import type { FileNeed, Tool } from '../../tools/tool.ts';
import { fileFitOf } from './ensure-files.ts';
import { adopt, beginMaking, noteLook, noteWriting } from './file-sets.ts';
import { fileState, wrongWords } from './file-state.ts';
import type { FilePreparation } from './needs.ts';

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
const need = (names: readonly string[], bytes = 100): FileNeed => ({
  title: `${names.length} files`,
  base: folder,
  directory: files('a b'),
  files: names.map((name) => ({ name, bytes })),
  written: false,
});
const step = { argv: ['true'], env: {}, files: [], plannedSeconds: 0 };
const preparation = (wanted: FileNeed): FilePreparation => ({
  key: 'k',
  tool: toolById('fio') as Tool,
  need: wanted,
  prepare: step,
  recipe: { generator: HOST, options: {}, warmup: 0, duration: 1, seed: 1 },
});
const look = (wanted: FileNeed) => fileState(machine, wanted.directory, wanted.files);
const judged = async (wanted: FileNeed, idle?: number) =>
  fileFitOf(context(), HOST, preparation(wanted), await look(wanted), idle);
const beginSession = (): number => store.runs.get(firstRun(store))?.sessionId ?? 0;
const lay = (name: string, bytes: number): void => writeFileSync(files('a b', name), Buffer.alloc(bytes));

it('sees plain files and their sizes, and no links', async () => {
  lay('f.0', 100);
  lay('f.1', 99);
  symlinkSync(files('a b', 'f.0'), files('a b', 'f.2'));
  const state = await look(need(['f.0', 'f.1', 'f.2', 'f.3']));
  expect(state).toMatchObject({ complete: false, empty: false, short: [{ name: 'f.1', bytes: 100, found: 99 }] });
  expect(state.files.map(({ found }) => found)).toEqual([100, 99, null, null]);
  expect(wrongWords(state)).toBe('f.1: 99 bytes, expected 100; f.2: missing, expected 100; f.3: missing, expected 100');
  expect(await fileState(machine, files('nowhere'), [{ name: 'f.0', bytes: 1 }])).toMatchObject({ empty: true });
});

it('takes files as they are that are large enough, adds missing ones, and leaves those alone that are too small', async () => {
  expect(await judged(need(['f.0']))).toBe('missing');
  lay('f.0', 200);
  expect(await judged(need(['f.0']))).toBe('fits');
  expect(await judged(need(['f.0', 'f.1']))).toBe('missing');
  truncateSync(files('a b', 'f.0'), 50);
  expect(await judged(need(['f.0', 'f.1']))).toBe('short');
});

it('does not trust sizes while a making has not come to its end', async () => {
  lay('f.0', 100);
  const wanted = need(['f.0']);
  const session = beginSession();
  const set = beginMaking(context(), HOST, { sessionId: session, afresh: false }, preparation(wanted));
  // The session is at it still.
  expect(await judged(wanted)).toBe('fits');
  // It was that session's own, and a restart finds nothing under way.
  expect(await judged(wanted, session)).toBe('broken-off');
  store.sessions.update(session, { state: 'failed' });
  expect(await judged(wanted)).toBe('broken-off');
  noteLook(context(), set, await look(wanted));
  expect(await judged(wanted)).toBe('fits');
});

it('knows what was written to when further files are added, and forgets it when all are made anew', async () => {
  lay('f.0', 100);
  lay('f.1', 100);
  const [one, two] = [need(['f.0']), need(['f.0', 'f.1'])];
  const first = adopt(context(), HOST, preparation(one), await look(one));
  expect(first).toMatchObject({ state: 'ready', madeAt: null });
  const session = beginSession();
  noteWriting(context(), HOST, one, session);
  expect(store.fileSets.get(first.id)).toMatchObject({ state: 'dirty', writtenBy: session });
  const made = (afresh: boolean): FileSetRow =>
    beginMaking(context(), HOST, { sessionId: session, afresh }, preparation(two));
  const second = made(false);
  expect(store.fileSets.list().map(({ id }) => id)).toEqual([second.id]);
  expect(noteLook(context(), second, await look(two))).toMatchObject({ state: 'dirty' });
  expect(noteLook(context(), made(true), await look(two))).toMatchObject({ state: 'ready', writtenAt: null });
});
