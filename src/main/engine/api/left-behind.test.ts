import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AppContract, contract } from '../../../shared/contract/index.ts';
import type { SshHostSpec } from '../../../shared/model/host.ts';
import { connect } from '../../../shared/rpc/client.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { serve } from '../../../shared/rpc/server.ts';
import { memoryTransports } from '../../../shared/rpc/transports.ts';
import { cellsOf, storeSession } from '../figures/testing/measured.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { createApi } from './index.ts';

const WRITTEN = Date.UTC(2026, 10, 20);
let folder: ReturnType<typeof libraryFolder>;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(() => folder.remove());

/** A library in which hosts hold the password files of these jobs: for a lost run, and for one that may continue. */
function fillLibrary(): void {
  const store = openStore(folder.path);
  const cells = cellsOf({ threads: [1] });
  const session = storeSession(store, cells, [
    { cell: 0, state: 'lost', seconds: { tps: [1] } },
    { cell: 0, state: 'running', seconds: { tps: [1] } },
  ]);
  store.sessions.update(session, { state: 'interrupted' });
  store.runs.ofSession(session).forEach(({ id }, index) => {
    const jobId = `job-${index}`;
    store.journal.write({
      sessionId: session,
      runId: id,
      place: { kind: 'host', name: `host ${index}` },
      what: `Files of job ${jobId}, with a password`,
      oldValue: null,
      wanted: null,
      undo: { kind: 'remove-secret-files', jobId },
      writtenAt: WRITTEN + index,
    });
  });
  const gone = store.journal.open({ kind: 'host', name: 'host 0' })[0]?.id ?? 0;
  store.journal.note(gone, { message: 'It could not be removed: no answer.' });
  const other = { sessionId: null, runId: null, oldValue: null, wanted: null, writtenAt: WRITTEN };
  const undo = { kind: 'remove-secret-files', jobId: 'job-9' } as const;
  const closed = store.journal.write({ ...other, place: { kind: 'host', name: 'host 0' }, what: 'Removed', undo });
  store.journal.close(closed.id, 'restored', WRITTEN);
  store.close();
}

async function withEngine(work: (client: Client<AppContract>) => Promise<void>): Promise<void> {
  const engine = await createApi({
    dataDir: folder.path,
    assetsDir: '.',
    nodePath: process.execPath,
    version: '0',
    mode: 'test',
    resumeSessions: false,
    clock: { now: () => WRITTEN, monotonic: () => 0 },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const [near, far] = memoryTransports();
  serve(contract, engine.implementation, far);
  try {
    await work(connect(contract, near));
  } finally {
    near.close();
    await engine.close();
  }
}

test('lists leftovers on hosts with their age and removal time', async () => {
  fillLibrary();
  await withEngine(async (client) => {
    expect(await client.hosts.leftBehind({})).toEqual([
      {
        host: 'host 1',
        what: 'Files of job job-1, with a password',
        since: WRITTEN + 1,
        next: 'Kneepoint removes it when session 1 is resumed.',
      },
      {
        host: 'host 0',
        what: 'Files of job job-0, with a password',
        since: WRITTEN,
        message: 'It could not be removed: no answer.',
        next: 'Kneepoint removes it at the next contact with host 0.',
      },
    ]);
    const lines = (await client.app.doctor({})).filter(({ topic }) => topic.startsWith('Left behind on'));
    expect(lines.map(({ topic, next }) => [topic, next])).toEqual([
      ['Left behind on host 1', 'Kneepoint removes it when session 1 is resumed.'],
      ['Left behind on host 0', 'Kneepoint removes it at the next contact with host 0.'],
    ]);
  });
});

const host: SshHostSpec = {
  kind: 'ssh',
  name: 'db1',
  address: 'db1.invalid',
  port: 22,
  user: 'u',
  auth: { method: 'agent' },
  jumps: [],
};
/** A library with a session in this state, and a program on db1 that monitors it for the session. */
function watchedLibrary(state: 'done' | 'running'): number {
  const store = openStore(folder.path);
  store.hosts.insert(host, WRITTEN);
  const session = storeSession(store, cellsOf({ threads: [1] }), [{ cell: 0, seconds: { tps: [1] } }]);
  store.sessions.update(session, { state, endedAt: state === 'done' ? WRITTEN : null });
  const source = store.sources.ensure(session, { kind: 'host', name: 'db1', position: 0 });
  store.sources.setAbout(source.id, { roles: ['other'], host: 'db1' });
  store.jobs.beginMonitor(session, { host: 'db1', jobId: 'monitor-1' });
  store.close();
  return session;
}

test('lists monitors that still run on a host after their session has ended', async () => {
  const session = watchedLibrary('done');
  const left = {
    host: 'db1',
    what: `Monitoring program of session ${session}`,
    since: WRITTEN,
    next: 'Kneepoint stops it at the next contact with db1.',
  };
  await withEngine(async (client) => {
    expect(await client.hosts.leftBehind({})).toEqual([left]);
    const lines = (await client.app.doctor({})).filter(({ topic }) => topic === 'Left behind on db1');
    expect(lines).toMatchObject([
      { ok: false, message: `${left.what}, since 2026-11-20T00:00:00.000Z.`, next: left.next },
    ]);
    const [saved] = (await client.hosts.list({})).filter(({ spec }) => spec.name === 'db1');
    await expect(client.hosts.remove({ id: saved?.id ?? 0 })).resolves.toBeDefined();
  });
});

test('does not list a host that a session is monitoring', async () => {
  const session = watchedLibrary('running');
  await withEngine(async (client) => {
    expect(await client.hosts.leftBehind({})).toEqual([]);
    const [saved] = (await client.hosts.list({})).filter(({ spec }) => spec.name === 'db1');
    await expect(client.hosts.remove({ id: saved?.id ?? 0 })).rejects.toMatchObject({
      problem: { code: 'conflict', message: expect.stringMatching(`^Session ${session} .* is watching this host\\.$`) },
    });
  });
});
