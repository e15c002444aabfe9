import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AppContract } from '../../../shared/contract/index.ts';
import type { ChartChoice } from '../../../shared/model/chart.ts';
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

const OWN: ChartChoice = { kind: 'density' };
const DOTS: ChartChoice = { kind: 'dots', title: 'Every second', markers: [{ name: 'CPUs', level: 4 }] };
const SHARE: ChartChoice = { kind: 'curve', metric: 'share' };

/** A session of two cells whose document has one chart. */
function stored(): number {
  const store = openStore(folder.path);
  const factors = { threads: [1, 4] };
  const runs = [0, 1].map((cell) => ({ cell, seconds: { tps: [0, 0, 0, 0, 0, 0].map((_, at) => 40 + cell + at) } }));
  const id = storeSession(store, cellsOf(factors), runs, { ...experimentOf(factors), charts: [OWN] });
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

it('adds, changes and removes charts of an ended session', async () => {
  const id = stored();
  await asked(async ({ sessions }) => {
    expect(await sessions.get({ id })).not.toHaveProperty('charts');
    await sessions.edit({ id, charts: [DOTS] });
    await sessions.edit({ id, name: 'Renamed' });
  });
  await asked(async ({ sessions }) => {
    const { charts, experiment } = await sessions.get({ id });
    expect([charts, experiment.charts]).toEqual([[DOTS], [OWN]]);
    await sessions.edit({ id, charts: [{ ...DOTS, clip: 45 }, OWN] });
    expect((await sessions.get({ id })).charts).toEqual([{ ...DOTS, clip: 45 }, OWN]);
    await sessions.edit({ id, charts: [] });
    expect(await sessions.get({ id })).not.toHaveProperty('charts');
  });
});

it('refuses charts that cannot be drawn and keeps the existing ones', async () => {
  const id = stored();
  await asked(async ({ sessions }) => {
    await sessions.edit({ id, charts: [DOTS] });
    const refusals: [ChartChoice, string][] = [
      [{ kind: 'dots', x: 'thread' }, 'There is no factor named “thread”. Did you mean “threads”?'],
      [SHARE, '“share” is neither a measure of this document nor a metric.'],
      [{ ...DOTS, clip: 5, markers: [{ name: 'limit', value: 9 }] }, 'The axis ends at 5, below the marker “limit”.'],
    ];
    for (const [chart, message] of refusals) {
      const refused = await sessions.edit({ id, charts: [chart] }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'bad-request', message: expect.stringContaining(message) });
    }
    expect((await sessions.get({ id })).charts).toEqual([DOTS]);
  });
});

it('accepts a chart of a measure that was added to the session', async () => {
  const id = stored();
  await asked(async ({ sessions }) => {
    await sessions.edit({ id, measures: [{ name: 'share', is: 'tps / 2' }], charts: [SHARE] });
    await sessions.edit({ id, charts: [SHARE, OWN] });
    expect((await sessions.get({ id })).charts).toEqual([SHARE, OWN]);
  });
});

it('includes charts of the session in its files', async () => {
  const id = stored();
  await asked(async ({ sessions, reports }) => {
    await sessions.edit({ id, charts: [DOTS] });
    const { bytes } = await reports.make({ sessionId: id, format: 'json' });
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ charts: [DOTS] });
  });
});
