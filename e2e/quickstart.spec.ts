import type { Page } from '@playwright/test';
import { atDepth, NIGHT } from '../src/shared/util/testing/depth.ts';
import { expect, test } from './fixtures.ts';
import { livePage } from './pages/live.ts';
import { resultsPage } from './pages/results.ts';
import { chart, figure, readChart } from './pages/tables.ts';

const CELLS = 9;
const TRIALS = 2 * CELLS;
/** Warm-up and measurement of one trial of the shipped document. */
const SECONDS = 7;

test('the first launch runs the quick benchmark with one click and ends on its result', async ({ app }) => {
  test.setTimeout(600_000);
  await expect(app.getByRole('heading', { name: 'Quick benchmark on this computer' })).toBeVisible();
  await app.getByRole('button', { name: 'Start the quick benchmark' }).click();
  const live = livePage(app);
  await live.id();

  // Seconds of the running trial appear live.
  const lengths: number[] = [];
  await expect
    .poll(
      async () => {
        lengths.push((await live.seconds()).length);
        // A new trial starts over.
        return lengths.some((length, look) => length > 1 && length > (lengths[look - 1] ?? length));
      },
      { timeout: 120_000 },
    )
    .toBe(true);

  // Reloaded in the middle: all earlier data is there, once.
  await live.untilTrialsEnded(atDepth(3, 1), 180_000);
  await expect
    .poll(async () => (await live.seconds()).length, { timeout: 60_000 })
    .toBeGreaterThanOrEqual(atDepth(4, 2));
  const ended = await live.trialsEnded();
  await app.reload();
  await live.untilTrialsEnded(ended, 60_000);
  expect(await live.trialsEnded()).toBeLessThan(TRIALS);
  let seconds: number[] = [];
  await expect
    .poll(async () => {
      seconds = await live.seconds();
      return seconds.length;
    })
    .toBeGreaterThanOrEqual(1);
  expect(seconds).toEqual(seconds.map((_, index) => index + 1));
  await expect.poll(async () => (await readChart(app, 'Load curve')).length).toBeGreaterThanOrEqual(ended);

  await (NIGHT ? toTheEnd(app) : stopped(app));
});

/** The other two and a half minutes cost much more: by day it ends with the measurements so far. */
async function stopped(app: Page): Promise<void> {
  const live = livePage(app);
  await live.stop();
  await live.openResults();
  await expect(resultsPage(app).answer).not.toBeEmpty();
}

async function toTheEnd(app: Page): Promise<void> {
  const live = livePage(app);
  await live.untilDone(240_000);
  await live.openResults();
  const results = resultsPage(app);
  await expect(results.cells.locator('tbody tr')).toHaveCount(CELLS);
  const cells = await results.readCells();
  const mean = Object.keys(cells[0] ?? {}).find((name) => name.startsWith('Mean')) ?? '';
  const fastest = cells.reduce((best, cell) => (figure(cell[mean]) > figure(best[mean]) ? cell : best));
  await expect(results.answer).toContainText(
    `synchronous ${fastest.synchronous} · threads ${fastest.threads} with ${fastest[mean]} ops/s`,
  );
  await expect(results.answer).not.toContainText('variance unknown');
  await expect(chart(app, 'Load curve').locator('canvas, svg').first()).toBeVisible();
  // The table has a row for each cell before the last trial's figure arrives.
  await expect.poll(async () => (await readChart(app, 'Load curve')).length).toBe(CELLS);

  await results.tab('Timeline');
  // This many runs are a heat map by default, whose table has a row for each run.
  await chart(app, 'Timeline').getByText('Lines', { exact: true }).click();
  const times = async () => (await readChart(app, 'Timeline')).map((row) => Number(Object.values(row)[0]));
  await expect
    .poll(async () => (await times()).filter((time) => time <= SECONDS))
    .toEqual(Array.from({ length: SECONDS }, (_, second) => second + 1));
  // Operations in flight at the end complete later, on a busy machine by more than a fraction of a second: each time is still there once.
  const all = await times();
  expect(all).toEqual([...new Set(all)].sort((one, other) => one - other));

  await results.tab('Runs');
  await expect(results.runs.locator('tbody tr')).toHaveCount(TRIALS);
  for (const run of await results.readRuns()) {
    expect(run.State).toBe('done');
    expect(Number(run.Seconds)).toBeGreaterThanOrEqual(SECONDS);
  }
}
