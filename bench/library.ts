import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../src/main/engine/store/open.ts';
import type { IngestBatch, Store } from '../src/main/engine/store/store.ts';
import { Experiment } from '../src/shared/model/experiment.ts';
import { seconds } from './sysbench-like.ts';

/** A new library (on disk, not in memory) that is removed afterwards. */
export function withLibrary<T>(work: (store: Store, dataDir: string) => T): T {
  const { store, dataDir, remove } = freshLibrary();
  try {
    return work(store, dataDir);
  } finally {
    remove();
  }
}

export function freshLibrary(): { store: Store; dataDir: string; remove(): void } {
  const dataDir = mkdtempSync(join(tmpdir(), 'kneepoint-bench-'));
  const store = openStore(dataDir, { mode: 'test' });
  const remove = (): void => {
    store.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { store, dataDir, remove };
}

export const addRuns = (store: Store, count: number): number[] =>
  store.runs.ofSession(addSession(store, count)).map((run) => run.id);

/** A session with one run. */
export const addRun = (store: Store): number => addSession(store, 1);

function addSession(store: Store, count: number): number {
  const session = store.sessions.insert(
    {
      uuid: 'bench',
      state: 'running',
      tags: [],
      createdAt: 0,
      snapshot: {
        experiment: Experiment.parse({
          kneepoint: 1,
          name: 'bench',
          workload: { tool: 'sysbench' },
          where: {},
          measure: {},
        }),
        experimentText: '',
        plan: { cells: [], trials: [], seconds: 0, findings: [] },
        findings: [],
        appVersion: '0.1.0',
        steps: [{ tool: 'sysbench', metric: 'tps' }],
      },
    },
    Array.from({ length: count }, (_, index) => ({
      trial: index,
      cell: index,
      repeat: 1,
      levels: { threads: 2 ** index },
      warmup: 0,
      duration: 36_000,
    })),
  );
  return session.id;
}

/** A whole run as the engine would commit it: `rowsPerBatch` seconds of output and samples per transaction. */
export function batches(runId: number, count: number, rowsPerBatch: number): IngestBatch[] {
  const result: IngestBatch[] = [];
  let offset = 0;
  let rows: { t: number; metrics: Record<string, number> }[] = [];
  let lines = '';
  const flush = (): void => {
    const bytes = Buffer.from(lines);
    result.push({ runId, generator: 0, stream: 'stdout', offset, bytes, samples: rows });
    offset += bytes.length;
    rows = [];
    lines = '';
  };
  for (const { t, metrics, line } of seconds(count, runId)) {
    rows.push({ t, metrics });
    lines += line;
    if (rows.length === rowsPerBatch) flush();
  }
  if (rows.length > 0) flush();
  return result;
}
