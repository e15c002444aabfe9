import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppContract } from '../../../shared/contract/index.ts';
import { metricOf } from '../../../shared/metrics/index.ts';
import type { DerivedMeasure } from '../../../shared/model/derived.ts';
import type { Client } from '../../../shared/rpc/define.ts';
import { cellsOf, experimentOf, storeSession } from '../figures/testing/measured.ts';
import { openStore } from '../store/open.ts';
import { libraryFolder } from '../store/testing/library.ts';
import { openApi } from './testing/open-api.ts';

let folder: ReturnType<typeof libraryFolder>;
beforeEach(() => {
  folder = libraryFolder();
});
afterEach(() => folder.remove());

/** Three repeats of two cells that read 40 and 60 MiB/s, and write a tenth of it. */
function stored(derived?: DerivedMeasure[], factor = 1): number {
  const store = openStore(folder.path);
  const factors = { threads: [1, 4] };
  const experiment = { ...experimentOf(factors), ...(derived && { derived }) };
  const runs = [0, 1, 2].flatMap((repeat) =>
    [0, 1].map((cell) => {
      const read = [0, 0, 0, 0, 0, 0].map((_, second) => factor * (40 + 20 * cell) + ((repeat + second) % 2));
      return { cell, repeat, seconds: { tps: read, read_mib_s: read, write_mib_s: read.map((value) => value / 10) } };
    }),
  );
  const id = storeSession(store, cellsOf(factors), runs, experiment);
  store.close();
  return id;
}

async function asked(question: (client: Client<AppContract>) => Promise<void>): Promise<void> {
  const engine = await openApi(folder.path);
  try {
    await question(engine.page().client);
  } finally {
    await engine.close();
  }
}

const TRAFFIC: DerivedMeasure = { name: 'all traffic', is: 'read_mib_s + write_mib_s' };

it('adds, changes and removes measures of an ended session', async () => {
  const id = stored([TRAFFIC]);
  const share: DerivedMeasure = { name: 'share', is: 'write_mib_s / all_traffic', better: 'lower' };
  await asked(async ({ sessions, results }) => {
    const before = await results.session({ sessionId: id });
    expect(before.metrics.map((metric) => metricOf(metric).label)).not.toContain('share');
    await sessions.edit({ id, measures: [share] });
    expect((await sessions.get({ id })).measures).toEqual([share]);
    const result = await results.session({ sessionId: id, metric: 'share' });
    expect(result.cells.map(({ value }) => value?.toFixed(9))).toEqual([(1 / 11).toFixed(9), (1 / 11).toFixed(9)]);
    expect(result.metrics).toContain(result.metric);
    expect(metricOf(result.metric ?? '')).toMatchObject({ label: 'share', better: 'lower' });
  });
  await asked(async ({ sessions, results }) => {
    await sessions.edit({ id, measures: [{ ...share, is: 'read_mib_s / all_traffic' }] });
    const result = await results.session({ sessionId: id, metric: 'share' });
    expect(result.cells[0]?.value).toBeCloseTo(10 / 11, 9);
    await sessions.edit({ id, measures: [] });
    expect(await sessions.get({ id })).not.toHaveProperty('measures');
    expect((await results.session({ sessionId: id })).metrics.map((metric) => metricOf(metric).label)).toEqual(
      expect.arrayContaining(['all traffic']),
    );
  });
});

it('refuses measures that cannot be calculated and keeps the existing ones', async () => {
  const id = stored([TRAFFIC]);
  await asked(async ({ sessions }) => {
    await sessions.edit({ id, measures: [{ name: 'fine', is: 'tps' }] });
    for (const [measure, message] of [
      [{ name: 'broken', is: 'tps +' }, 'The formula ends where a value is expected.'],
      [{ name: 'all traffic', is: 'tps' }, 'Two measures are named “all traffic”.'],
      [{ name: 'away', of: 'command dice', series: 'eyes' }, 'No command named “dice” is watched (monitors.commands).'],
    ] as const) {
      const refused = await sessions.edit({ id, measures: [measure] }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'bad-request', message });
    }
    expect((await sessions.get({ id })).measures).toMatchObject([{ name: 'fine' }]);
  });
});

it('compares sessions by a measure that only one of them defines', async () => {
  const [plain, own] = [stored(), stored([TRAFFIC], 2)];
  await asked(async ({ results }) => {
    for (const [baselineId, otherId, ratio] of [
      [plain, own, 2],
      [own, plain, 0.5],
    ] as const) {
      const comparison = await results.compare({ baselineId, otherId, metric: 'all traffic' });
      expect(comparison.metrics).toContain(comparison.metric);
      expect(comparison.cells).toHaveLength(2);
      for (const cell of comparison.cells) expect(cell.ratio).toBeCloseTo(ratio, 1);
    }
  });
});

it('warns of a measure that two sessions calculate differently', async () => {
  const [one, same, other] = [
    stored([TRAFFIC]),
    stored([TRAFFIC]),
    stored([{ ...TRAFFIC, is: 'read_mib_s + read_mib_s' }]),
  ];
  await asked(async ({ results }) => {
    const warnings = async (otherId: number): Promise<string[]> => {
      const { findings, overall } = await results.compare({ baselineId: one, otherId, metric: 'all traffic' });
      return [...findings.map(({ message }) => message), ...[overall?.sentence ?? []].flat()];
    };
    expect((await warnings(other)).join(' ')).toContain(
      '“all traffic” is calculated differently: read_mib_s + write_mib_s in the baseline, read_mib_s + read_mib_s in the other.',
    );
    expect((await warnings(same)).join(' ')).not.toContain('calculated differently');
  });
});
