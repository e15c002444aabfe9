import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LIBRARY_FILE, openStore } from './open.ts';
import { libraryFolder, SESSION, SNAPSHOT } from './testing/library.ts';

let folder: ReturnType<typeof libraryFolder>;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(() => folder.remove());

const CELLS = 2000;
const REPEATS = 10;
const OPTIONS = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`option-${at}`, at]));

/** Cells of a tool with many options. */
const cells = Array.from({ length: CELLS }, (_, index) => {
  const options = { ...OPTIONS, threads: index };
  const workload = { tool: 'sysbench', options, data: 'create' };
  const step = { workload, options, generators: ['this computer'], warmup: 5, duration: 60, settings: [], launch: {} };
  return { index, levels: { threads: index }, steps: [step] };
});
const trials = Array.from({ length: CELLS * REPEATS }, (_, index) => ({
  ...{ index, cell: index % CELLS, repeat: Math.floor(index / CELLS), seed: 2 ** 31 + index },
}));

it('a plan of 20,000 trials takes 5 MB at most, and is opened in 50 ms of CPU', () => {
  const store = openStore(folder.path);
  const { id } = store.sessions.insert(
    { ...SESSION, snapshot: { ...SNAPSHOT, plan: { ...SNAPSHOT.plan, cells, trials } } },
    [],
  );
  store.close();
  const db = new Database(join(folder.path, LIBRARY_FILE));
  expect(db.prepare('SELECT length(document) FROM session_snapshot').pluck().get()).toBeLessThan(5e6);
  db.close();
  const milliseconds = Array.from({ length: 5 }, () => {
    const opened = openStore(folder.path);
    const before = process.threadCpuUsage();
    const { plan } = opened.sessions.snapshot(id);
    const { user, system } = process.threadCpuUsage(before);
    expect(plan).toEqual({ ...SNAPSHOT.plan, cells, trials });
    opened.close();
    return (user + system) / 1000;
  });
  expect(Math.min(...milliseconds)).toBeLessThan(50);
});
