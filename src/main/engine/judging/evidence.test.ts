import { expect, it } from 'vitest';
import type { SeriesRule } from '../../../shared/model/monitored.ts';
import { storeSession } from '../figures/testing/measured.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { readEvidence } from './evidence.ts';
import { atOnce } from './testing/at-once.ts';

const START = 1_700_000_000;
const gauge = (id: string, means: 'connections' | 'pool-waiters'): SeriesRule => ({
  id,
  label: id,
  unit: '',
  lane: 'own',
  reading: { kind: 'gauge', of: [id] },
  means,
});

/** Names of the servers that count in a run on `target`, if each of `servers` was monitored for the whole session. */
function serversOf(target: string, servers: Readonly<Record<string, string>>, proxy?: string): string[] {
  const folder = libraryFolder();
  const store = openStore(folder.path);
  try {
    const seconds = { tps: Array.from({ length: 20 }, () => 100) };
    const cells = [{ index: 0, levels: {} }];
    const sessionId = storeSession(store, cells, [
      { cell: 0, seconds: [seconds], startedAt: START * 1000, started: [START * 1000] },
    ]);
    const [run] = store.runs.ofSession(sessionId);
    if (!run) throw new Error('no run');
    for (const [position, [name, counter]] of Object.entries(servers).entries()) {
      const { id } = store.sources.ensure(sessionId, { kind: 'server', name, position });
      const rows = Array.from({ length: 20 }, (_, second) => ({ t: START + second, metrics: { [counter]: 1 } }));
      store.monitored.ingest({ sourceId: id, rows });
    }
    const through = proxy === undefined ? {} : { proxy };
    const facts = { hosts: [], load: [], target, ...through, targets: Object.keys(servers).map((name) => ({ name })) };
    const rules = [gauge('open', 'connections'), gauge('waiting', 'pool-waiters')];
    return (atOnce(readEvidence(store, run, { facts, rulesOf: () => rules }))?.servers ?? []).map(({ name }) => name);
  } finally {
    store.close();
    folder.remove();
  }
}

it('excludes targets of other cells, which are idle', () => {
  expect(serversOf('mysql-8.0', { 'mysql-5.7': 'open', 'mysql-8.0': 'open' })).toEqual(['mysql-8.0']);
});

it('includes the server behind a pooler', () => {
  expect(serversOf('pooled', { direct: 'open', pooled: 'waiting' })).toEqual(['direct', 'pooled']);
  expect(serversOf('direct', { direct: 'open', pooled: 'waiting' })).toEqual(['direct']);
});

it('includes a proxy with its own figures next to its server, in the cells that use it', () => {
  const all = { direct: 'open', pooled: 'waiting', 'mysql-8.0': 'open' };
  expect(serversOf('direct', all, 'pooled')).toEqual(['direct', 'pooled', 'mysql-8.0']);
  expect(serversOf('direct', { ...all, pooled: 'open' }, 'pooled')).toEqual(['direct', 'pooled']);
  expect(serversOf('mysql-8.0', all)).toEqual(['mysql-8.0']);
});
