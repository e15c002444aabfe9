import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { contract } from '../../../shared/contract/index.ts';
import { connect } from '../../../shared/rpc/client.ts';
import { serve } from '../../../shared/rpc/server.ts';
import { memoryTransports } from '../../../shared/rpc/transports.ts';
import { cellsOf, storeSession } from '../figures/testing/measured.ts';
import { LIBRARY_FILE, openStore } from '../store/open.ts';
import { damagePage } from '../store/testing/damage.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { createApi } from './index.ts';

const SESSIONS = 30;
const FACTORS = { threads: [1] };
const cells = cellsOf(FACTORS);

let folder: ReturnType<typeof libraryFolder>;
beforeEach(() => {
  folder = libraryFolder();
  const store = openStore(folder.path);
  for (let at = 0; at < SESSIONS; at += 1) {
    const id = storeSession(store, cells, [{ cell: 0, seconds: { tps: [1, 2, 3, 4, 5, 6] } }]);
    // With wide rows, a page holds only a few sessions or runs.
    store.sessions.update(id, { note: 'x'.repeat(2_000) });
    for (const run of store.runs.ofSession(id)) store.runs.update(run.id, { command: 'x'.repeat(2_000) });
  }
  store.close();
});
afterEach(() => folder.remove());

/** SQLite reads it without complaint. */
function breakTags(path: string): void {
  const db = new Database(path);
  db.prepare("UPDATE session SET tags = '[\"nightly' WHERE id = 7").run();
  db.close();
}

test.each([
  ['page of session', (path: string) => damagePage(path, 'session')],
  ['page of run', (path: string) => damagePage(path, 'run')],
  ['column of one session', breakTags],
])('a damaged %s hides only its own sessions and makes the library read-only', async (_what, damage) => {
  damage(join(folder.path, LIBRARY_FILE));
  const engine = await createApi({
    dataDir: folder.path,
    assetsDir: '.',
    nodePath: process.execPath,
    version: '0',
    mode: 'test',
    clock: { now: () => 0, monotonic: () => 0 },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const [near, far] = memoryTransports();
  serve(contract, engine.implementation, far);
  const client = connect(contract, near);
  try {
    const ids = (await client.sessions.list({})).map(({ id }) => id);
    await client.sessions.figures({ ids });
    const sessions = await client.sessions.list({});
    expect(sessions).toHaveLength(SESSIONS);
    const damaged = sessions.filter((session) => session.damaged);
    expect(damaged.length).toBeGreaterThan(0);
    expect(damaged.length).toBeLessThan(6);
    const whole = sessions.filter((session) => !session.damaged);
    for (const session of whole) expect(session.best?.value).toBe(4.5);
    const [first] = damaged;
    await expect(client.results.session({ sessionId: first?.id ?? 0 })).rejects.toMatchObject({
      problem: { code: 'store-corrupt' },
    });
    expect((await client.results.session({ sessionId: whole[0]?.id ?? 0 })).cells[0]?.spread?.mean).toBe(4.5);
    expect((await client.app.info({})).readOnly?.code).toBe('store-corrupt');
  } finally {
    near.close();
    await engine.close();
  }
});
