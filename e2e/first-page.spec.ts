import { expect, test } from './fixtures.ts';
import { startServing } from './testbed/electron/app.ts';

/** A script, its styles, the app and its styles, the bundler's additions, the exchange of the link, and the icon of the tab, twice at most. */
const REQUESTS = 8;
/** The charts alone are 740,000, the editor 390,000. */
const BYTES = 1_300_000;

test('the library is usable after few requests, without the charts and the editor', async ({ chromium, dataDir }) => {
  if (!chromium) throw new Error('There is no browser.');
  const serving = await startServing(dataDir);
  const page = await chromium.newPage();
  try {
    // The page prefetches only after a pause, once it is usable: here it never does, however long the rest takes.
    await page.addInitScript(() => {
      const soon = window.setTimeout;
      window.setTimeout = ((work: () => void, ms = 0) => (ms < 1000 ? soon(work, ms) : 0)) as typeof setTimeout;
    });
    await page.goto(serving.link);
    await expect(page.getByRole('button', { name: 'Start the quick benchmark' }).first()).toBeVisible();
    const files = await page.evaluate(() =>
      performance.getEntriesByType('resource').map((entry) => ({
        name: new URL(entry.name).pathname,
        bytes: (entry as PerformanceResourceTiming).decodedBodySize,
      })),
    );
    expect(files.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^\/assets\/app-.*\.js$/));
    expect(files.length, JSON.stringify(files)).toBeLessThanOrEqual(REQUESTS);
    expect(
      files.reduce((sum, { bytes }) => sum + bytes, 0),
      JSON.stringify(files),
    ).toBeLessThanOrEqual(BYTES);
  } finally {
    await page.close();
    await serving.end('SIGTERM');
  }
});
