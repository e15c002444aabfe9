import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppContract } from '../../../shared/contract/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { CostSpec } from '../../../shared/model/cost.ts';
import { Factor } from '../../../shared/model/factor.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { cellsOf, experimentOf, type Measured, storeSession } from '../figures/testing/measured.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { openApi } from './testing/open-api.ts';

let folder: ReturnType<typeof libraryFolder>;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(() => folder.remove());

const M5: CostSpec['components'][number] = { kind: 'instance', id: 'aws/us-east-1/instances/m5.large', count: 1 };
const GP3: CostSpec['components'][number] = {
  ...{ kind: 'volume', id: 'aws/us-east-1/volumes/gp3', sizeGb: 500, count: 1 },
  ...{ iops: 6000, throughputMibS: 250 },
};
const unnamed = (...components: CostSpec['components']): CostSpec => ({ label: '', currency: 'USD', components });

/** A session with these rates of its cells, three times each; its factor is a price if each of them has a level. */
function stored(
  rates: readonly number[],
  volumes?: readonly { name: string; price: { amount: number; per: string } }[],
): number {
  const factors = volumes
    ? { volume: volumes.map(({ name }) => name) }
    : { threads: rates.map((_, place) => 4 ** place) };
  const runs = [0, 1, 2].flatMap((repeat) =>
    rates.map(
      (tps, cell): Measured => ({
        ...{ cell, repeat },
        seconds: { tps: [0, 0, ...[-2, 2, -1, 1].map((off) => tps + off + repeat)] },
      }),
    ),
  );
  const experiment = experimentOf(factors);
  if (volumes) experiment.factors = [Factor.parse({ name: 'volume', kind: 'price', levels: volumes })];
  const store = openStore(folder.path);
  try {
    return storeSession(store, cellsOf(factors), runs, experiment);
  } finally {
    store.close();
  }
}

async function asked(question: (client: Client<AppContract>) => Promise<void>): Promise<void> {
  const engine = await openApi(folder.path);
  try {
    await question(engine.page().client);
  } finally {
    await engine.close();
  }
}

it('names priced items by the price name, else by their parts, with the price of a level last', async () => {
  const [plain, varied] = [
    stored([1000, 5600]),
    stored(
      [4000, 5200],
      [
        { name: 'slow', price: { amount: 0.1, per: 'hour' } },
        { name: 'fast', price: { amount: 0.5, per: 'hour' } },
      ],
    ),
  ];
  await asked(async ({ costs }) => {
    const systems = async (sessionId: number, spec: CostSpec) => {
      await costs.setOfSession({ sessionId, spec });
      const { scales } = await costs.valueForMoney({ sessionIds: [sessionId], perCell: true });
      return scales.flatMap(({ rows }) => rows.map(({ system, rate }) => [Math.round(rate), system]));
    };
    const parts = 'm5.large + gp3 500 GB, 6,000 IOPS, 250 MiB/s';
    expect(await systems(plain, unnamed(M5, GP3))).toEqual([
      [5601, parts],
      [1001, parts],
    ]);
    expect(await systems(plain, { ...unnamed(M5, GP3), label: 'm5' })).toContainEqual([5601, 'm5']);
    expect(await systems(varied, unnamed(M5))).toEqual([
      [4001, 'm5.large + slow'],
      [5201, 'm5.large + fast'],
    ]);
  });
});

it('exports the answer to a goal from all sessions with a price', async () => {
  const [slow, fast] = [stored([1000, 4000]), stored([1000, 5600])];
  await asked(async ({ costs, reports }) => {
    const goal = { rate: 5000 };
    const refused = await reports.costGoal({ goal }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'bad-request', message: expect.stringContaining('No session has a price') });
    await costs.setOfSession({ sessionId: slow, spec: unnamed(M5) });
    await costs.setOfSession({ sessionId: fast, spec: unnamed(M5, GP3) });
    const file = await reports.costGoal({ goal });
    expect(file).toMatchObject({ fileName: 'kneepoint-costs-5000-tps.pdf', mediaType: 'application/pdf' });
    expect(new TextDecoder().decode(file.bytes.slice(0, 4))).toBe('%PDF');
    const { scales } = await costs.valueForMoney({ sessionIds: [slow, fast], perCell: true });
    expect(scales.flatMap(({ rows }) => rows.map(({ repeats }) => repeats))).toEqual([3, 3, 3, 3]);
  });
});

it('assumes the work of a session for configurations, of all its cells or of those with a level', async () => {
  const session = stored([1000, 5600]);
  await asked(async ({ costs, reports }) => {
    const saved = [
      await costs.saveConfiguration({ spec: { ...unnamed(M5), label: 'plain' } }),
      await costs.saveConfiguration({ spec: { ...unnamed(M5, GP3), label: 'with volume' } }),
    ];
    const ids = saved.map(({ id }) => id);
    const assumed = [
      { configurationId: ids[0] ?? 0, sessionId: session },
      { configurationId: ids[1] ?? 0, sessionId: session, levels: { threads: 1 } },
      { configurationId: 99, sessionId: session },
    ];
    const { scales, left } = await costs.valueForMoney({ sessionIds: [], perCell: true, assumed });
    expect(left).toEqual([]);
    const rows = scales.flatMap((scale) => scale.rows);
    expect(rows.map(({ configuration, rate }) => [configuration, Math.round(rate)])).toEqual([
      ['plain', 5601],
      ['plain', 1001],
      ['with volume', 1001],
    ]);
    expect(rows.every((row) => row.assumed && row.notOn === 'm5.large')).toBe(true);
    // Nothing was monitored, so the volumes cannot be checked; without a volume there is nothing to check.
    expect(rows.map(({ volumes }) => volumes?.words)).toEqual([
      ...[undefined, undefined, 'Its volumes may be too slow: the session did not record the I/O of its server.'],
    ]);
    const file = await reports.costGoal({ goal: { rate: 5000 }, sessionIds: [], assumed });
    expect(new TextDecoder().decode(file.bytes.slice(0, 4))).toBe('%PDF');
  });
});

it('has the durability of each cell by the settings of its levels', async () => {
  const flush = 'innodb_flush_log_at_trx_commit';
  const levels = { commit: [1, 2] };
  const experiment = experimentOf(levels);
  experiment.where.target = 'db';
  experiment.factors = [Factor.parse({ name: 'commit', kind: 'server-setting', setting: flush, levels: [1, 2] })];
  const store = openStore(folder.path);
  const runs = [0, 1].map((cell): Measured => ({ cell, repeat: 0, seconds: { tps: [0, 0, 5, 5, 5, 5] } }));
  const session = storeSession(store, cellsOf(levels), runs, experiment);
  const durability = {
    ...{ level: 'safe' as const, why: 'Each commit waits for the disk.' },
    settings: [{ name: flush, value: '1', level: 'safe' as const }],
  };
  const description = { product: 'MariaDB', version: '10.11', settings: [], durability, readAt: 0 };
  store.sessions.keepFacts(session, { hosts: [], target: { name: 'db', kind: 'mysql', description } });
  store.close();
  await asked(async ({ costs }) => {
    await costs.setOfSession({ sessionId: session, spec: unnamed(M5) });
    const { scales } = await costs.valueForMoney({ sessionIds: [session], perCell: true });
    const found = scales.flatMap(({ rows }) => rows.map((row) => [row.levels.commit, row.durability]));
    expect(Object.fromEntries(found)).toEqual({
      1: { level: 'safe', why: `Each commit waits for the disk: ${flush} = 1.` },
      2: { level: 'relaxed', why: `A power cut can lose the last committed transactions: ${flush} = 2.` },
    });
  });
});

it('prices the work of a measure by its name', async () => {
  const session = stored([1000, 5600]);
  await asked(async ({ costs, sessions }) => {
    await costs.setOfSession({ sessionId: session, spec: unnamed(M5) });
    const measures = [
      { name: 'orders', is: 'tps * 0.5', unit: 'orders/s', better: 'higher' as const },
      { name: 'wait', is: '1 / tps', better: 'lower' as const },
    ];
    await sessions.edit({ id: session, measures });
    const priced = (metric: string) => costs.valueForMoney({ sessionIds: [session], perCell: true, metric });
    const { scales } = await priced('orders');
    expect(scales.map(({ metric, rows }) => [metricOf(metric).label, rows.map(({ rate }) => rate)])).toEqual([
      ['orders', [2800.5, 500.5]],
    ]);
    expect(await priced('wait')).toMatchObject({ scales: [], left: [{ why: 'wait is not a rate of work.' }] });
  });
});
