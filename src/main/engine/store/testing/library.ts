import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Experiment } from '../../../../shared/model/experiment.ts';
import type { StartSnapshot } from '../../../../shared/model/session-snapshot.ts';
import { LIBRARY_FILE, openStore } from '../open.ts';
import type { NewSession, Store } from '../store.ts';

interface Folder {
  readonly path: string;
  remove(): void;
}

/** A folder on disk for one test; call `remove` afterwards. */
export const temporaryFolder = (): Folder => folderIn(tmpdir());

/** In memory if the system has a file system there, because a library spends most of its time waiting for the disk. */
const QUICK = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** Returns a function that creates folders with a library that is filled once per process and then copied. */
export function libraryOf(fill: (store: Store) => void): () => Folder {
  let filled: Buffer | undefined;
  return () => {
    filled ??= makeLibrary(fill);
    const folder = folderIn(QUICK);
    writeFileSync(join(folder.path, LIBRARY_FILE), filled, { mode: 0o600 });
    return folder;
  };
}

/** A folder with a new library, for tests of its content, not of its creation. */
export const libraryFolder = libraryOf(() => {});

function folderIn(parent: string): Folder {
  const path = mkdtempSync(join(parent, 'kneepoint-store-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function makeLibrary(fill: (store: Store) => void): Buffer {
  const folder = folderIn(QUICK);
  try {
    const store = openStore(folder.path);
    fill(store);
    store.close();
    return readFileSync(join(folder.path, LIBRARY_FILE));
  } finally {
    folder.remove();
  }
}

/** Snapshot of the tests' session. */
export const SNAPSHOT: StartSnapshot = {
  experiment: Experiment.parse({
    kneepoint: 1,
    name: 'Ladder',
    workload: { tool: 'sysbench' },
    where: {},
    measure: {},
  }),
  experimentText: 'name: Ladder\n',
  plan: { cells: [], trials: [], seconds: 0, findings: [] },
  findings: [],
  appVersion: '0.1.0',
  steps: [{ tool: 'sysbench', metric: 'tps' }],
};

export const SESSION: NewSession = {
  uuid: '6f1c1a52-7a43-4c7a-9d0e-1f7f0e5b6a01',
  state: 'running',
  tags: ['mysql'],
  createdAt: 1_000,
  snapshot: SNAPSHOT,
};

/** Adds a session with `count` runs and returns their ids. */
export function addRuns(store: Store, count = 1, uuid: string = SESSION.uuid): number[] {
  const session = store.sessions.insert(
    { ...SESSION, uuid },
    Array.from({ length: count }, (_, trial) => ({
      trial,
      cell: trial,
      repeat: 1,
      levels: { threads: 2 ** trial },
      warmup: 5,
      duration: 60,
    })),
  );
  return store.runs.ofSession(session.id).map((run) => run.id);
}

export function firstRun(store: Store): number {
  const [run] = addRuns(store);
  if (run === undefined) throw new Error('The session has no run.');
  return run;
}

/** SQL that reverts a library to the format before summaries. */
export const TO_FORMAT_13 = `DROP TABLE summary; DROP TABLE headline; DROP INDEX run_of_cell;
  ALTER TABLE session DROP COLUMN experiment; ALTER TABLE session DROP COLUMN trials_missing; ALTER TABLE run ADD COLUMN overview_sum REAL; ALTER TABLE run ADD COLUMN overview_seconds REAL; ALTER TABLE run DROP COLUMN excluded; ALTER TABLE session DROP COLUMN idle_ms; ALTER TABLE session DROP COLUMN steps; ALTER TABLE session DROP COLUMN origin; ALTER TABLE session DROP COLUMN tested; ALTER TABLE session DROP COLUMN mechanics; ALTER TABLE run DROP COLUMN step; ALTER TABLE journal DROP COLUMN identity; DROP TABLE claim; DROP TABLE capture; PRAGMA user_version = 13`;
