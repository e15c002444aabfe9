import { afterEach, beforeEach, expect, it } from 'vitest';
import { type AppContract, contract } from '../../../shared/contract/index.ts';
import type { FactsSnapshot } from '../../../shared/model/session-snapshot.ts';
import type { Durability } from '../../../shared/model/target.ts';
import { connect } from '../../../shared/rpc/client.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { serve } from '../../../shared/rpc/server.ts';
import { memoryTransports } from '../../../shared/rpc/transports.ts';
import { cellsOf, experimentOf, storeSession } from '../figures/testing/measured.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { meanCosts } from './compared.ts';
import { createApi } from './index.ts';

let folder: ReturnType<typeof libraryFolder>;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(() => folder.remove());

type Target = NonNullable<FactsSnapshot['target']>;
type Stored = NonNullable<NonNullable<Target['description']>['storage']>[number];

const promise = (level: Durability['level'], why: string): Durability => ({ level, why });
const SAFE = promise('safe', 'Each commit waits for the disk.');
const kept = (name: string, durability: Durability, ...tables: string[]): Stored => ({ name, tables, durability });
const INNODB = kept('InnoDB', SAFE, 'sbtest1');
const MYISAM = kept('MyISAM', promise('unsafe', 'MyISAM has no log.'));

const targetOf = (kind: string, storage?: Stored[]): Target => ({
  ...{ name: 'db', kind },
  description: {
    ...{ product: 'A server', version: '1', settings: [], readAt: 0, durability: SAFE },
    ...(storage && { storage }),
  },
});

/** A session of three quiet repeats per cell, interleaved, with a step up in its fourth second. */
function session(
  target: Target,
  { tool = 'sysbench', options = {}, factors = { threads: [1, 2] } as Record<string, (string | number)[]> } = {},
): number {
  const plain = experimentOf(factors, options);
  const cells = cellsOf(factors);
  const store = openStore(folder.path);
  const tps = [1, 1, 100, 101, 200, 201];
  const runs = [0, 1, 2].flatMap((repeat) => cells.map(({ index }) => ({ cell: index, repeat, seconds: { tps } })));
  const experiment = { ...plain, workload: { ...plain.workload, tool }, where: { ...plain.where, target: 'db' } };
  const id = storeSession(store, cells, runs, experiment);
  store.sessions.keepFacts(id, { hosts: [], toolVersion: '1.0.20', target });
  store.close();
  return id;
}

async function asked<Answer>(question: (client: Client<AppContract>) => Promise<Answer>): Promise<Answer> {
  const engine = await createApi({
    ...{ dataDir: folder.path, assetsDir: '.', nodePath: process.execPath, version: '0', mode: 'test' },
    clock: { now: () => 0, monotonic: () => 0 },
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  try {
    const [near, far] = memoryTransports();
    serve(contract, engine.implementation, far);
    return await question(connect(contract, near));
  } finally {
    await engine.close();
  }
}

const warnings = (baselineId: number, otherId: number): Promise<string[]> =>
  asked(async ({ results }) =>
    (await results.compare({ baselineId, otherId })).findings.map(({ code, message }) => `${code}: ${message}`),
  );

it('warns of tables with another storage engine, even if server and settings are the same', async () => {
  const target = targetOf('mysql', [INNODB, MYISAM]);
  const found = await warnings(session(target), session(target, { options: { 'mysql-storage-engine': 'myisam' } }));
  expect(found).toContain(
    'different-durability: Durability differs: safe in the baseline, unsafe in the other. Baseline: Each commit waits for the disk. Other: MyISAM has no log.',
  );
  expect(found).toContain('different-workloads: The workload differs in Storage engine (innodb and myisam).');
  expect(await warnings(session(target), session(target))).toEqual([]);
});

it('warns of cells of one session with weaker durability than others', async () => {
  const factors = { 'mysql-storage-engine': ['innodb', 'myisam', 'aria'] };
  const sessionId = session(targetOf('mysql', [INNODB, MYISAM]), { factors });
  const { findings } = await asked(({ results }) =>
    results.compareLevels({ sessionId, factor: 'mysql-storage-engine', level: 'innodb' }),
  );
  expect(findings).toMatchObject([
    {
      code: 'different-durability',
      message: expect.stringContaining('safe in the baseline, unsafe in mysql-storage-engine myisam.'),
    },
  ]);
});

it('warns of unlogged tables', async () => {
  const target = targetOf('postgres', [
    kept('permanent', SAFE, 'pgbench_accounts'),
    kept('unlogged', promise('unsafe', 'Unlogged tables are emptied.')),
  ]);
  const factors = { client: [1, 2] };
  const [logged, unlogged] = [false, true].map((value) =>
    session(target, { tool: 'pgbench', factors, options: { 'unlogged-tables': value } }),
  ) as [number, number];
  expect(await warnings(logged, unlogged)).toContainEqual(
    expect.stringContaining('safe in the baseline, unsafe in the other. Baseline: Each commit'),
  );
});

it('does not call tables durable if an earlier version did not record their storage', async () => {
  const before = targetOf('mysql');
  const found = await warnings(session(before), session(before, { options: { 'mysql-storage-engine': 'rocksdb' } }));
  expect(found).toContainEqual(expect.stringContaining('safe in the baseline, unknown in the other.'));
});

it('names differing scripts, distributions and data sizes', async () => {
  const target = targetOf('mysql', [INNODB]);
  const plain = session(target);
  const found = await warnings(
    plain,
    session(target, { options: { script: 'oltp_write_only', 'table-size': 1_000_000, 'rand-type': 'uniform' } }),
  );
  expect(found.map((text) => text.split(':')[0])).toEqual([
    'several-differences',
    'different-workloads',
    'different-distributions',
    'different-data',
  ]);
  expect(found[1]).toMatch(/Script \(\w+ and oltp_write_only\)/);
  expect(found[3]).toMatch(/Data differs: 1 table × 10,000 rows.*, and 1 table × 1,000,000 rows/);
});

it('compares with the requested warm-up cut and names it', async () => {
  const target = targetOf('mysql', [INNODB]);
  const [baselineId, otherId] = [session(target), session(target)];
  const planned = await asked(({ results }) => results.compare({ baselineId, otherId }));
  expect(planned).toMatchObject({
    warmup: { baseline: 2, other: 2 },
    cells: [{ other: { spread: { mean: 150.5 } } }, {}],
  });
  const cut = await asked(({ results }) => results.compare({ baselineId, otherId, warmup: 4 }));
  expect(cut).toMatchObject({ warmup: { baseline: 4, other: 4 }, cells: [{ other: { spread: { mean: 200.5 } } }, {}] });
});

it('averages the cost per operation over runs, for each process of a host separately', () => {
  const cost = (label: string, value: number) => ({
    ...{ id: 'cpu_us_process', label, value, source: 'db1', unit: 'µs', digits: 1, formula: '', from: [] },
  });
  const runs = [cost('CPU of mariadbd', 90), cost('CPU of sysbench', 10), cost('CPU of mariadbd', 110)];
  expect(meanCosts([...runs, cost('CPU of sysbench', 20)])).toEqual([
    cost('CPU of mariadbd', 100),
    cost('CPU of sysbench', 15),
  ]);
});
