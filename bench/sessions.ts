import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { outsideOf } from '../src/main/computer/index.ts';
import { createEngine } from '../src/main/engine/index.ts';
import { openStore } from '../src/main/engine/store/open.ts';
import type { Store } from '../src/main/engine/store/store.ts';
import { type AppContract, contract } from '../src/shared/contract/index.ts';
import type { Session } from '../src/shared/model/session.ts';
import { connect } from '../src/shared/rpc/client.ts';
import type { Client } from '../src/shared/rpc/define.ts';
import { memoryTransports } from '../src/shared/rpc/transports.ts';
import { tickRows } from './live-tick.ts';
import { type BenchRow, median } from './row.ts';
import { addSession, changeState } from './session-library.ts';

const ROUNDS = 7;
const COMMITS = 300;
const LISTS = [304, 1000] as const;
/** One in so many sessions of the list has 1,000 trials and not 27. */
const LARGE_ONE_IN = 100;
const DETAILS = [5000, 20_000] as const;

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Lists, details, live ticks and changes of sessions as large as people make them. */
export async function run(): Promise<BenchRow[]> {
  return [...(await listRows()), ...(await detailRows()), ...(await tickRows())];
}

async function inFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-bench-'));
  try {
    return await work(dataDir);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function listRows(): Promise<BenchRow[]> {
  return inFolder(async (dataDir) => {
    const rows: BenchRow[] = [];
    let stored = 0;
    for (const count of LISTS) {
      withStore(dataDir, (store) => {
        for (; stored < count; stored += 1) {
          const trials = stored % LARGE_ONE_IN === 0 ? 1000 : 27;
          addSession(store, { name: `Ladder ${stored + 1}`, trials, ended: trials });
        }
      });
      rows.push(...(await withEngine(dataDir, (client) => measureList(client, count))));
    }
    return rows;
  });
}

async function measureList(client: Client<AppContract>, count: number): Promise<BenchRow[]> {
  const list = (): Promise<Session[]> => client.sessions.list({});
  const first = await timed(list);
  if (first.value.length !== count) throw new Error(`The list has ${first.value.length} sessions and not ${count}.`);
  const again = await medianTime(list);
  const limit = bareSelect(first.value);
  const title = `List of ${count.toLocaleString('en-US')} sessions`;
  const goal = count === 1000 ? { goal: '≤ 20 ms' } : {};
  const transport = await echoTime(first.value);
  return [
    {
      name: title,
      value: again,
      unit: 'ms',
      limit,
      ratio: again / limit,
      ...goal,
      note: 'limit: bare SELECT of the columns shown',
    },
    { name: `${title}, the first after opening`, value: first.ms, unit: 'ms' },
    {
      name: `${title}, the way alone`,
      value: transport,
      unit: 'ms',
      note: 'the same answer checked and carried, nothing read',
    },
  ];
}

/** Limit: what a list shows as columns of one table, read by better-sqlite3 alone; levels and sparkline as JSON. */
function bareSelect(sessions: readonly Session[]): number {
  return withBare((db) => {
    const names = [
      'name',
      'state',
      'message',
      'tool',
      'target',
      'createdAt',
      'startedAt',
      'endedAt',
      'cells',
      'repeats',
      'trialsTotal',
      'trialsEnded',
      'trialsFailed',
      'primaryMetric',
    ] as const;
    const documents = ['tags', 'generators', 'sparkline', 'best'] as const;
    const columns = [...names, ...documents];
    db.exec(`CREATE TABLE session (id INTEGER PRIMARY KEY, uuid TEXT, ${columns.join(', ')})`);
    const insert = db.prepare(`INSERT INTO session VALUES (?, ?, ${columns.map(() => '?').join(', ')})`);
    db.transaction(() => {
      for (const session of sessions)
        insert.run(
          session.id,
          session.uuid,
          ...names.map((name) => session[name] ?? null),
          ...documents.map((name) => JSON.stringify(session[name] ?? null)),
        );
    })();
    const select = db.prepare<[], Record<string, unknown>>('SELECT * FROM session ORDER BY createdAt DESC, id DESC');
    const read = (): number => {
      const start = performance.now();
      for (const row of select.all()) for (const name of documents) JSON.parse(String(row[name]));
      return performance.now() - start;
    };
    return median(Array.from({ length: ROUNDS }, read));
  });
}

/** The contract's own cost: an engine that has the answer ready. */
async function echoTime(sessions: Session[]): Promise<number> {
  const { serve } = await import('../src/shared/rpc/server.ts');
  const { list } = contract.sessions;
  const ready = { sessions: { list } };
  const [near, far] = memoryTransports();
  serve(ready, { sessions: { list: () => sessions } }, far);
  try {
    const client = connect(ready, near);
    return await medianTime(() => client.sessions.list({}));
  } finally {
    near.close();
  }
}

async function detailRows(): Promise<BenchRow[]> {
  return inFolder(async (dataDir) => {
    const ids = new Map<number, number>();
    const commits = withStore(dataDir, (store) => {
      const small = addSession(store, { name: 'Small', trials: 27, ended: 13 }).id;
      for (const trials of DETAILS)
        ids.set(trials, addSession(store, { name: `Detail ${trials}`, trials, ended: 1 }).id);
      return [commitRow(store, 27, small), ...[...ids].map(([trials, id]) => commitRow(store, trials, id))];
    });
    const details = await withEngine(dataDir, async (client) => {
      const rows: BenchRow[] = [];
      for (const [trials, id] of ids) rows.push(...(await measureDetail(client, trials, id)));
      return rows;
    });
    return [...details, ...commits];
  });
}

async function measureDetail(client: Client<AppContract>, trials: number, id: number): Promise<BenchRow[]> {
  const value = await medianTime(() => client.sessions.get({ id }));
  const bytes = Buffer.byteLength(JSON.stringify(await client.sessions.get({ id })));
  const title = `Detail of a session of ${trials.toLocaleString('en-US')} trials`;
  return [
    { name: title, value, unit: 'ms' },
    { name: `${title}, size`, value: bytes / 1000, unit: 'kB' },
  ];
}

function commitRow(store: Store, trials: number, id: number): BenchRow {
  const value = rateOf((index) => changeState(store, id, index % 2 === 0));
  const limit = withBare((db) => {
    db.exec(
      'CREATE TABLE session (id INTEGER PRIMARY KEY, state TEXT, message TEXT); INSERT INTO session VALUES (1, NULL, NULL)',
    );
    const update = db.prepare('UPDATE session SET state = ?, message = NULL WHERE id = 1');
    return rateOf((index) => update.run(index % 2 === 0 ? 'pausing' : 'running'));
  });
  return {
    name: `Changes of state, ${trials.toLocaleString('en-US')} trials`,
    value,
    unit: 'commits/s',
    limit,
    ratio: value / limit,
    note: 'limit: bare UPDATE of a short row',
  };
}

function rateOf(commit: (index: number) => unknown): number {
  const start = performance.now();
  for (let index = 0; index < COMMITS; index += 1) commit(index);
  return COMMITS / ((performance.now() - start) / 1000);
}

function withBare<T>(work: (db: Database.Database) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-bare-'));
  const db = new Database(path.join(folder, 'bare.db'));
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    return work(db);
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function withStore<T>(dataDir: string, work: (store: Store) => T): T {
  const store = openStore(dataDir, { mode: 'test' });
  try {
    return work(store);
  } finally {
    store.close();
  }
}

async function withEngine<T>(dataDir: string, work: (client: Client<AppContract>) => Promise<T>): Promise<T> {
  const engine = await createEngine({ ...outsideOf({ mode: 'test', dataDir, log: quiet }), resumeSessions: false });
  const [near, far] = memoryTransports();
  engine.serve(far);
  try {
    return await work(connect(contract, near));
  } finally {
    near.close();
    await engine.close();
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  const value = await work();
  return { value, ms: performance.now() - start };
}

async function medianTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push((await timed(work)).ms);
  return median(times);
}
