import type { Page } from '@playwright/test';
import { ENDED_SESSION } from '../src/shared/model/session.ts';
import { NIGHT } from '../src/shared/util/testing/depth.ts';
import { startEngine } from './engine/testing/engine.ts';
import { expect, test } from './fixtures.ts';
import { barriers } from './pages/barriers.ts';
import { nothingIsCut } from './pages/fits.ts';
import { frame } from './pages/frame.ts';
import { lanesOf } from './pages/lanes.ts';
import { livePage } from './pages/live.ts';
import { resultsPage } from './pages/results.ts';
import { movesOf, watchMoves } from './pages/stillness.ts';
import { chart, figure, readChart, readTable } from './pages/tables.ts';

/** Long enough for a comparison of blocks of its seconds. */
const SECONDS = 13;
const WARMUP = 1;
const EXPERIMENT = `kneepoint: 1
name: Reads and updates, watched
workload: { tool: embedded, options: { mix: A, synchronous: OFF, threads: 1, rate: 300 } }
where: {}
factors:
  - { name: threads, levels: [1, 2] }
measure: { warmup: ${WARMUP}, duration: ${SECONDS - WARMUP}, repeats: 1 }
`;

/** Chart and lanes are both visible. */
const TALL = { width: 1280, height: 1200 };

/** Stored values of a host in a run: percent in user mode, by seconds since the tool's second 0. */
type Stored = readonly (readonly [second: number, percent: number])[];

/** A session of yesterday, and the stored values of its last run. */
async function fill(dataDir: string): Promise<Stored> {
  const engine = await startEngine(dataDir);
  try {
    const { id } = await engine.client.sessions.start({ text: EXPERIMENT });
    for await (const event of engine.client.sessions.watch({ id }))
      if (event.kind === 'session' && ENDED_SESSION.includes(event.session.state))
        expect(event.session.state, event.session.message).toBe('done');
    const [source] = await engine.client.monitors.sources({ sessionId: id });
    const window = (await engine.client.monitors.windows({ sessionId: id })).at(-1);
    const wanted = [{ sourceId: source?.id ?? 0, ids: ['cpu.user'] }];
    const [user] = await engine.client.monitors.series({ sessionId: id, wanted });
    return Array.from(user?.t ?? [], (t, index) => [(t - (window?.zero ?? 0)) / 1000, user?.v[index] ?? Number.NaN]);
  } finally {
    await engine.stop();
  }
}

test('hosts and tool share one time axis: live, in results and in a comparison', async ({ start, dataDir }) => {
  test.setTimeout(480_000);
  const stored = await fill(dataDir);
  const { page } = await start();
  await page.setViewportSize(TALL);
  await frame(page).open('/sessions/1/results');
  await page.getByRole('button', { name: 'Run again' }).click();
  await page.getByRole('menuitem', { name: /^Run again/ }).click();
  await page.waitForURL(/\/review$/);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const live = livePage(page);
  await page.waitForURL(/#\/sessions\/2\/live$/);
  await expect(live.progress).toBeVisible();
  await nothingMoves(page);
  await belowTheTrial(page);
  await watchMoves(page);
  await live.untilDone(240_000);
  expect(await movesOf(page)).toEqual([]);
  await live.openResults();
  await frame(page).open('/sessions/1/results');
  await onOneClock(page, stored);
  await keepsTheLanes(page);
  await behindTheSentence(page);
  await perOperation(page);
  await asMeasure(page);
  await ofTwoSessions(page);
});

/** A note, a cancelled pause, and a pause that takes effect, with the trial after it. */
async function nothingMoves(page: Page): Promise<void> {
  const live = livePage(page);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await watchMoves(page);
  await expect.poll(async () => (await live.seconds()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
  await live.note('the cache is warm');
  await expect(live.log).toContainText('the cache is warm');
  await button('Pause after this trial').click();
  await button('Do not pause').click();
  await button('Pause after this trial').click();
  await expect(page.getByText(/^Paused, /)).toBeVisible({ timeout: 60_000 });
  await button('Resume').click();
  await expect(page.getByText(/^Trial 2: /)).toBeVisible({ timeout: 60_000 });
  await expect.poll(async () => (await live.seconds()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
  expect(await movesOf(page)).toEqual([]);
}

/**
 * Nothing is cut and there are no accessibility barriers, in a smaller window too. `again`: also checked elsewhere, so here the slow rules run only
 * at night.
 */
async function fits(page: Page, label: string, again = false): Promise<void> {
  if (NIGHT || !again) expect.soft(await barriers(page), label).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await nothingIsCut(page, label);
  await page.setViewportSize(TALL);
}

/** While a trial runs: chart and lanes have the same seconds and the same cursor; the lanes take the whole width. */
async function belowTheTrial(page: Page): Promise<void> {
  const lanes = lanesOf(page, 'Hosts and servers');
  await expect(lanes.lane('CPU')).toBeVisible({ timeout: 120_000 });
  await expect.poll(async () => (await livePage(page).seconds()).length, { timeout: 120_000 }).toBeGreaterThan(3);
  await expect.poll(() => lanes.figureOf('CPU')).toBeGreaterThan(0);
  await lanes.surface.scrollIntoViewIfNeeded();
  const place = await lanes.surface.boundingBox();
  const above = await chart(page, /^(Running|Last) trial$/)
    .locator('canvas')
    .first()
    .boundingBox();
  if (!place || !above) throw new Error('Nothing is drawn.');
  for (const share of [0.2, 0.8]) {
    const x = place.x + share * place.width;
    await page.mouse.move(x, place.y + 50);
    await expect.poll(lanes.where).toBe(`At ${(Math.round(10 * share * SECONDS) / 10).toString()} s`);
    await page.mouse.move(x, place.y - 40);
    await expect.poll(lanes.where).toBe('Mean of visible range');
  }
  const whole = await lanes.stack.boundingBox();
  expect(place.width / (whole?.width ?? 0)).toBeGreaterThan(0.7);
  const tip = page.locator('.kp-tip b').first();
  await page.mouse.move(above.x + above.width / 2, above.y + above.height / 2);
  await expect(tip).toHaveText(/^at \d+ s$/);
  const second = Number(/\d+/.exec((await tip.textContent()) ?? '')?.[0]);
  await expect.poll(async () => Math.round(Number.parseFloat((await lanes.where()).replace('At ', '')))).toBe(second);
  // The value of the second under the cursor is shown above too.
  await page.mouse.move(place.x + (2 / SECONDS) * place.width, place.y + 50);
  await expect(page.locator('.kp-tip b').first()).toHaveText('at 2 s');
  await fits(page, 'lanes below a running trial', true);
  // Newly chosen lanes are sent from now on, including earlier values.
  await lanes.stack.getByRole('button', { name: 'Lanes', exact: true }).click();
  await page.getByRole('textbox', { name: 'Find a series' }).fill('memory used');
  await page
    .getByRole('checkbox', { name: /^Memory/ })
    .first()
    .check();
  await expect.poll(() => lanes.figureOf('Memory')).toBeGreaterThan(0);
  await fits(page, 'lanes below a running trial, with what they are chosen from');
}

/** Afterwards: at a second of a run each lane shows the stored value; zooming applies to all. */
async function onOneClock(page: Page, stored: Stored): Promise<void> {
  await resultsPage(page).tab('Hosts');
  await expect(lanesOf(page, 'Session timeline').lane('CPU')).toBeVisible();
  await page.getByRole('combobox', { name: 'Shown on the axis' }).click();
  await page.getByRole('option', { name: /threads 2/ }).click();
  const lanes = lanesOf(page, 'Run timeline');
  await expect(lanes.lane('Operations')).toBeVisible();
  const second = 6;
  const [row = {}] = (await lanes.download()).filter((each) => each['t (s)'] === String(second));
  const rate = Object.entries(row).find(([name]) => name.includes(': Operations (ops/s): '))?.[1];
  expect(Number(rate)).toBeGreaterThan(0);
  // The pointer moves the cursor, so the file comes first.
  await lanes.putOn(second);
  await expect.poll(() => lanes.figureOf('Operations')).toBeCloseTo(Number(rate), -1);
  // At half a second from both, two samples are equally near.
  const near = stored.filter(([at]) => Math.abs(at - second) <= 0.55).map(([, percent]) => percent.toFixed(1));
  await expect.poll(async () => near.includes((await lanes.figureOf('CPU')).toFixed(1)), near.join()).toBe(true);

  const whole = await lanes.seen();
  await page.keyboard.press('+');
  await expect.poll(lanes.seen).toBeLessThan(whole);
  await page.keyboard.press('0');
  await expect.poll(lanes.seen).toBe(whole);
}

/** Chosen lanes are restored after a reload. */
async function keepsTheLanes(page: Page): Promise<void> {
  const lanes = lanesOf(page, 'Run timeline');
  await lanes.lane('Operations').hover();
  await lanes.stack.getByRole('button', { name: 'Hide Operations' }).click();
  await expect(lanes.lane('Operations')).toHaveCount(0);
  await page.getByRole('button', { name: 'Lanes', exact: true }).click();
  await page.getByRole('textbox', { name: 'Find a series' }).fill('load average');
  await page.getByRole('checkbox', { name: /^Load average/ }).check();
  const added = lanes.stack.getByRole('group', { name: /^Load average/ });
  await expect(added).toHaveCount(1);
  await fits(page, 'lanes with what they are chosen from', true);
  await page.reload();
  await expect(added).toHaveCount(1);
  await expect(lanes.lane('Operations')).toHaveCount(0);
}

/** The bottleneck of a run links to the lanes that show it, at the run; lanes hidden by hand stay hidden. */
async function behindTheSentence(page: Page): Promise<void> {
  await resultsPage(page).tab('Runs');
  await resultsPage(page).runs.locator('tbody tr').nth(1).click();
  const link = page.getByRole('link', { name: 'Show the run timeline' });
  await expect(link).toBeVisible();
  await fits(page, 'what bounds a run');
  const series = new URLSearchParams((await link.getAttribute('href'))?.split('?')[1]).getAll('series');
  await link.click();
  const lanes = lanesOf(page, 'Run timeline');
  await expect(lanes.lane('CPU')).toHaveCount(1);
  await expect(page.getByRole('combobox', { name: 'Shown on the axis' })).toHaveValue(/threads 2/);
  await expect(lanes.lane('Operations')).toHaveCount(0);
  // If nothing came near a limit, there is no lane to show.
  if (series.length > 0) await expect(lanes.stack.locator('[data-evidence]').first()).toBeInViewport();
}

/** A lane becomes a figure of each cell: in the address, and in every tab. */
async function asMeasure(page: Page): Promise<void> {
  await resultsPage(page).tab('Hosts');
  const lane = page.getByRole('group', { name: 'CPU', exact: true }).first();
  await lane.hover();
  await lane.getByRole('button', { name: 'Use as measure: CPU' }).click();
  await fits(page, 'a measure of a lane');
  await page.getByRole('button', { name: 'Use as measure', exact: true }).click();
  await resultsPage(page).tab('Pivot');
  await expect(page.getByRole('combobox', { name: 'Metric' })).toHaveValue('CPU busy (%)');
  const rows = await readTable(page.getByRole('table').first());
  expect(rows).toHaveLength(2);
  for (const row of rows) expect(figure(Object.values(row).at(-1))).toBeGreaterThan(0);
  await frame(page).open('/sessions/1/results');
}

async function perOperation(page: Page): Promise<void> {
  await resultsPage(page).tab('Efficiency');
  await expect(chart(page, 'CPU of the hosts')).toBeVisible();
  const used = await readChart(page, 'CPU of the hosts');
  expect(used.map(({ cell }) => cell)).toEqual(['threads 1', 'threads 2']);
  for (const row of used) {
    expect(figure(row['busy (cores)'])).toBeGreaterThan(0);
    expect(figure(row['busy (cores)'])).toBeLessThanOrEqual(1.01 * figure(row.cores));
  }
  const costs = await readTable(page.getByRole('table', { name: 'Per operation' }));
  expect(costs).toHaveLength(2);
  for (const row of costs) expect(figure(row['CPU of the host (µs)'])).toBeGreaterThan(0);
}

/** The greatest differences between two sessions, and an overlay of both runs. */
async function ofTwoSessions(page: Page): Promise<void> {
  await frame(page).open('/sessions/2/results');
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('menuitem', { name: /Reads and updates/ }).click();
  await page.waitForURL(/baseline=1&other=2/);
  const table = page.getByRole('table', { name: 'Differences on hosts and servers' });
  await expect(table.locator('tbody tr').first()).toBeVisible();
  const [first = {}] = await readTable(table);
  const lanes = lanesOf(page, 'Timeline of both runs');
  // Some names have two lanes: interrupts are a part of the CPU, and also a count.
  const words = lanes.lane(first.Series ?? '').first();
  await expect(words).toBeVisible();
  await expect(words).toContainText('baseline');
  await expect(words).toContainText('compared');
  const operations = lanes.lane('Operations');
  for (const each of [0, 1])
    await expect
      .poll(async () => figure((await operations.getByRole('status').nth(each).textContent()) ?? ''))
      .toBeGreaterThan(0);
  await fits(page, 'differences of two sessions');
}
