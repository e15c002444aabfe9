import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { Session } from '../../../shared/model/session.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { cellsOf, experimentOf, storeSession } from '../figures/testing/measured.ts';
import { LIBRARY_FILE, openStore } from '../store/open.ts';
import type { Store } from '../store/store.ts';
import { libraryFolder, TO_FORMAT_13 } from '../store/testing/library.ts';
import { type OpenApi, openApi } from './testing/open-api.ts';

const FACTORS = { threads: [1, 2] };
const SESSIONS = 12;

let folder: ReturnType<typeof libraryFolder>;
let api: OpenApi | undefined;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(async () => {
  await api?.close();
  api = undefined;
  folder.remove();
});

function inStore<T>(work: (store: Store) => T): T {
  const store = openStore(folder.path);
  try {
    return work(store);
  } finally {
    store.close();
  }
}

function inFile(work: (db: Database.Database) => void): void {
  const db = new Database(join(folder.path, LIBRARY_FILE));
  try {
    work(db);
  } finally {
    db.close();
  }
}

/** Sessions whose second cell is the best, with 1,000 plus their number. */
const stored = (count: number): number[] =>
  inStore((store) =>
    Array.from({ length: count }, (_, index) => {
      const rates = [7, 1000 + index];
      const runs = rates.map((tps, cell) => ({ cell, seconds: { tps: [0, 0, tps, tps, tps, tps] } }));
      return storeSession(store, cellsOf(FACTORS), runs, experimentOf(FACTORS));
    }),
  );

async function open(): Promise<Client<AppContract>> {
  await api?.close();
  api = await openApi(folder.path);
  return api.page().client;
}

/** Figures of a session in the list. */
const figures = ({ best, sparkline, figuresFollow }: Session) => ({ best: best?.value, sparkline, figuresFollow });
const known = (best: number) => ({ best, sparkline: [7, best], figuresFollow: undefined });

async function listed(client: Client<AppContract>, id: number): Promise<ReturnType<typeof figures> | undefined> {
  const session = (await client.sessions.list({})).find((each) => each.id === id);
  return session && figures(session);
}

it('lists sessions at once and publishes the figures of each when calculated', async () => {
  const ids = stored(SESSIONS);
  const client = await open();
  const published = new Map<number, Session>();
  const watching = (async () => {
    for await (const event of client.app.watch({})) {
      if (event.kind === 'figures') for (const session of event.sessions) published.set(session.id, session);
      if (published.size === SESSIONS) return;
    }
  })();
  const rows = await client.sessions.list({});
  expect(rows.map(({ id }) => id).sort((one, other) => one - other)).toEqual(ids);
  expect(rows.map(({ name, state, experiment }) => [name, state, experiment])).toEqual(
    Array(SESSIONS).fill(['Ladder', 'done', 'Ladder']),
  );
  for (const row of rows) expect(figures(row)).toEqual({ best: undefined, sparkline: [], figuresFollow: true });
  await watching;
  expect(ids.map((id) => figures(published.get(id) as Session))).toEqual(ids.map((_, index) => known(1000 + index)));
  expect((await client.sessions.list({})).map(figures)).toEqual(
    rows.map(({ id }) => figures(published.get(id) as Session)),
  );
});

it('returns the requested sessions with figures and omits removed ones', async () => {
  const ids = stored(SESSIONS);
  const client = await open();
  const wanted = [ids[3] ?? 0, 99, ids[1] ?? 0];
  expect((await client.sessions.figures({ ids: wanted })).map(figures)).toEqual([known(1003), known(1001)]);
});

it('calculates nothing again after a restart', async () => {
  const [id = 0] = stored(1);
  await (await open()).sessions.figures({ ids: [id] });
  await api?.close();
  // Any recalculation would return the measured figures.
  inFile((db) => db.exec(`UPDATE headline SET document = '{"sparkline":[3],"best":{"value":3,"levels":{}}}'`));
  const client = await open();
  expect(await listed(client, id)).toEqual({ best: 3, sparkline: [3], figuresFollow: undefined });
  expect((await client.sessions.figures({ ids: [id] })).map(figures)).toEqual([await listed(client, id)]);
});

it.each([
  ['version', 'UPDATE headline SET version = 0'],
  ['document that cannot be read', "UPDATE headline SET document = '{'"],
])('replaces stored figures of an earlier version: a %s', async (_what, sql) => {
  const [id = 0] = stored(1);
  await (await open()).sessions.figures({ ids: [id] });
  await api?.close();
  inFile((db) => {
    db.exec(`UPDATE headline SET document = '{"sparkline":[3],"best":{"value":3,"levels":{}}}'`);
    db.exec(sql);
  });
  const client = await open();
  expect(await listed(client, id)).toEqual({ best: undefined, sparkline: [], figuresFollow: true });
  expect((await client.sessions.figures({ ids: [id] })).map(figures)).toEqual([known(1000)]);
});

it('reuses figures stored with the session and counts missing ones', async () => {
  const [id = 0, other = 0] = stored(2);
  inStore((store) => store.runs.update(store.runs.ofSession(other)[0]?.id ?? 0, { state: 'failed', partial: true }));
  inFile((db) => {
    db.exec(TO_FORMAT_13);
    const overview = { version: 10, experiment: 'Ladder', sparkline: [3], best: { value: 3, levels: {} } };
    db.prepare('UPDATE session SET overview = ? WHERE id = ?').run(JSON.stringify(overview), id);
    db.prepare('UPDATE session SET overview = ? WHERE id = ?').run('{"sparkline":[3]}', other);
  });
  const client = await open();
  expect(await listed(client, id)).toEqual({ best: 3, sparkline: [3], figuresFollow: undefined });
  expect(await listed(client, other)).toEqual({ best: undefined, sparkline: [], figuresFollow: true });
  const rows = await client.sessions.list({});
  expect(rows.map(({ experiment }) => experiment)).toEqual(['Ladder', 'Ladder']);
  expect(new Map(rows.map((row) => [row.id, row.trialsMissing]))).toEqual(
    new Map([
      [id, undefined],
      [other, 1],
    ]),
  );
});

it.each<[string, (store: Store, run: number, id: number) => void]>([
  ['a run ends otherwise', (store, run) => store.runs.update(run, { state: 'failed' })],
  ['a run is partial', (store, run) => store.runs.update(run, { partial: true })],
  ['final figures change', (store, run) => store.runs.update(run, { summary: { errors_total: 3 } })],
  ['a person excludes a run', (store, run) => store.runs.update(run, { excluded: { reason: 'cut', at: 0 } })],
  ['a run is read again', (store, run) => store.samples.clearSamples(run)],
  [
    'a run is judged',
    (store, run) => store.judgements.set(run, { version: 1, warmup: 0, operations: [], bound: undefined } as never),
  ],
  ['a judgement goes', (store, run) => store.judgements.forget(run)],
  ['the price changes what judges', (store, _, id) => store.judgements.forgetSession(id)],
  ['repeats or levels are added', (store, _, id) => store.sessions.addPart(id, { from: 2, at: 0, added: [] } as never)],
])('recalculates figures when %s, and shows the previous ones until then', async (_what, change) => {
  const [id = 0] = stored(1);
  await (await open()).sessions.figures({ ids: [id] });
  await api?.close();
  inStore((store) => change(store, store.runs.ofSession(id)[1]?.id ?? 0, id));
  const client = await open();
  expect(await listed(client, id)).toEqual({ ...known(1000), figuresFollow: true });
  const [renewed] = await client.sessions.figures({ ids: [id] });
  expect(renewed?.figuresFollow).toBeUndefined();
  expect(await listed(client, id)).toEqual(renewed && figures(renewed));
});

it('recalculates figures when measured data changes', async () => {
  const [id = 0] = stored(1);
  await (await open()).sessions.figures({ ids: [id] });
  await api?.close();
  inStore((store) => store.runs.update(store.runs.ofSession(id)[1]?.id ?? 0, { state: 'failed' }));
  const client = await open();
  const [renewed] = await client.sessions.figures({ ids: [id] });
  expect(renewed && figures(renewed)).toEqual({ best: 7, sparkline: [7, null], figuresFollow: undefined });
});

it('keeps figures in memory while another process holds the library', async () => {
  const [id = 0] = stored(1);
  const holder = openStore(folder.path);
  try {
    api = await openApi(folder.path, { shared: true });
    const { client } = api.page();
    expect((await client.sessions.figures({ ids: [id] })).map(figures)).toEqual([known(1000)]);
    expect(await listed(client, id)).toEqual(known(1000));
    expect(holder.headlines.get(id)).toBeUndefined();
  } finally {
    holder.close();
  }
});
