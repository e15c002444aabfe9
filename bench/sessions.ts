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
import { median } from '../src/shared/util/numbers.ts';
import { tickRows } from './live-tick.ts';
import type { BenchRow } from './row.ts';
import { addSession, changeState } from './session-library.ts';

const ROUNDS = 7;
const LIST_ROUNDS = 21;
const ON_SCREEN = 20;
const COMMITS = 300;
const LISTS = [304, 1000] as const;
/** One in this many sessions of the list has 1,000 trials instead of 27. */
const LARGE_ONE_IN = 100;
const DETAILS = [5000, 20_000] as const;

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** Lists, details, live ticks and changes of sessions of realistic sizes. */
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
      rows.push(...(await measureLists(dataDir, count)));
    }
    return rows;
  });
}

async function measureLists(dataDir: string, count: number): Promise<BenchRow[]> {
  const title = `List of ${count.toLocaleString('en-US')} sessions`;
  const rows = await withEngine(dataDir, async (client) => {
    const first = await timed(() => client.sessions.list({}));
    if (first.value.length !== count) throw new Error(`The list has ${first.value.length} sessions and not ${count}.`);
    const pending = first.value.filter(({ figuresFollow }) => figuresFollow).map(({ id }) => id);
    const screen = await timed(() => client.sessions.figures({ ids: pending.slice(0, ON_SCREEN) }));
    const all = await timed(() => client.sessions.figures({ ids: pending }));
    return [
      { name: `${title}, the first after opening, without figures`, value: first.ms, unit: 'ms' },
      { name: `${title}, figures of ${ON_SCREEN} rows on the screen after it`, value: screen.ms, unit: 'ms' },
      { name: `${title}, those of ${Math.max(0, pending.length - ON_SCREEN)} others`, value: all.ms, unit: 'ms' },
    ];
  });
  return withEngine(dataDir, async (client) => {
    const list = (): Promise<Session[]> => client.sessions.list({});
    const first = await timed(list);
    if (first.value.some(({ figuresFollow }) => figuresFollow)) throw new Error('Figures were not stored.');
    return [
      ...(await againRows(title, first.value, list, count === 1000 ? '≤ 20 ms, ≤ 5 times' : undefined)),
      { name: `${title}, the first after opening, figures stored`, value: first.ms, unit: 'ms' },
      ...rows,
    ];
  });
}

/** List and limits alternating, in CPU time, so that other load affects all of them or none. */
async function againRows(
  title: string,
  sessions: Session[],
  list: () => Promise<unknown>,
  goal: string | undefined,
): Promise<BenchRow[]> {
  return withBareSelect(sessions, (select) =>
    withEcho(sessions, async (echo) => {
      const values: number[] = [];
      const limits: number[] = [];
      const echoes: number[] = [];
      for (let round = 0; round < LIST_ROUNDS; round += 1) {
        values.push(await cpuOf(list));
        limits.push(await cpuOf(select));
        echoes.push(await cpuOf(echo));
      }
      const limit = median(limits);
      const ratios = values.map((value, round) => value / (limits[round] ?? Number.NaN));
      const spread = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(1)).join(' to ');
      return [
        {
          name: title,
          value: median(values),
          unit: 'ms of CPU',
          limit,
          ratio: median(ratios),
          ...(goal !== undefined && { goal }),
          note: `limit: bare SELECT of the columns shown; ratio ${spread} in ${LIST_ROUNDS} rounds`,
        },
        {
          name: `${title}, the way alone`,
          value: median(echoes),
          unit: 'ms of CPU',
          limit,
          ratio: median(echoes) / limit,
          note: 'the same answer checked and carried, nothing read',
        },
      ];
    }),
  );
}

/** Limit: the content of a list as columns of one table, read by better-sqlite3 alone; levels and sparkline as JSON. */
async function withBareSelect<T>(sessions: readonly Session[], work: (select: () => void) => Promise<T>): Promise<T> {
  const { db, remove } = bare();
  try {
    const names = [
      'name',
      'question',
      'experiment',
      'answer',
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
    return await work(() => {
      for (const row of select.all()) for (const name of documents) JSON.parse(String(row[name]));
    });
  } finally {
    remove();
  }
}

/** The contract's own cost: an engine with a finished response. */
async function withEcho<T>(sessions: Session[], work: (echo: () => Promise<unknown>) => Promise<T>): Promise<T> {
  const { serve } = await import('../src/shared/rpc/server.ts');
  const { list } = contract.sessions;
  const ready = { sessions: { list } };
  const [near, far] = memoryTransports();
  serve(ready, { sessions: { list: () => sessions } }, far);
  try {
    const client = connect(ready, near);
    return await work(() => client.sessions.list({}));
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
  const { db, remove } = bare();
  try {
    return work(db);
  } finally {
    remove();
  }
}

function bare(): { db: Database.Database; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-bare-'));
  const db = new Database(path.join(folder, 'bare.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  return {
    db,
    remove() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
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

/** CPU milliseconds of this process, garbage collection included. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function medianTime(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push((await timed(work)).ms);
  return median(times);
}
