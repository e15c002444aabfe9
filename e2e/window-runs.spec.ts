import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { listenFor } from './pages/frame.ts';
import { livePage } from './pages/live.ts';
import { resultsPage } from './pages/results.ts';
import { enginePid } from './testbed/electron/processes.ts';

/** Warm-up and measurement of one trial of the quick benchmark. */
const SECONDS = 7;

test.describe('a run in the window', { tag: '@window' }, () => {
  test('survives the death of the engine: the page says so, and no second is lost or doubled', async ({
    running,
    app,
  }) => {
    test.setTimeout(480_000);
    await app.getByRole('button', { name: 'Start the quick benchmark' }).click();
    const live = livePage(app);
    await live.id();
    await live.untilTrialsEnded(1, 120_000);
    await expect.poll(async () => (await live.seconds()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(3);
    const pid = enginePid(running.pid);
    if (pid === undefined) throw new Error('There is no engine process.');
    const lost = await listenFor(app, 'The connection to the engine is lost.');
    process.kill(pid, 'SIGKILL');
    await lost.heard();
    await expect(app.getByText('The engine restarted. Nothing measured is lost.')).toBeVisible();
    await live.untilTrialsEnded(2, 180_000);

    await app.getByRole('button', { name: 'Stop', exact: true }).click();
    await app.getByRole('button', { name: 'Stop the session now' }).click();
    await live.openResults();
    const results = resultsPage(app);
    await results.tab('Runs');
    await expect(results.runs.getByRole('row', { name: /done/ }).nth(1)).toBeVisible();
    const done = (await results.readRuns()).filter((run) => run.State === 'done');
    expect(done.length).toBeGreaterThanOrEqual(2);
    for (const run of done) expect(run.Seconds).toBe(String(SECONDS));
  });

  test('continues while the window is shut, is there when it opens again, and leaves its report', async ({
    start,
    dataDir,
  }) => {
    test.setTimeout(480_000);
    const first = await start();
    await first.page.getByRole('button', { name: 'Start the quick benchmark' }).click();
    const live = livePage(first.page);
    await live.id();
    await expect.poll(async () => (await live.seconds()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    await first.kill();

    const { page, window } = await start();
    await page
      .getByRole('table', { name: 'Sessions' })
      .getByRole('link', { name: /^Quick benchmark/ })
      .click();
    const again = livePage(page);
    await again.untilTrialsEnded(1, 90_000);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Stop the session now' }).click();
    await again.openResults();
    const results = resultsPage(page);
    await results.tab('Runs');
    await expect.poll(async () => (await results.readRuns())[0]?.State).toBe('done');
    expect((await results.readRuns())[0]?.Seconds).toBe(String(SECONDS));

    const file = path.join(dataDir, 'report.pdf');
    const saved = window?.evaluate(
      ({ session }, place) =>
        new Promise<string>((resolve) => {
          session.defaultSession.once('will-download', (_event, item) => {
            item.setSavePath(place);
            item.once('done', (_done, state) => resolve(`${item.getFilename()} ${state}`));
          });
        }),
      file,
    );
    await results.chooseExport('PDF report');
    expect(await saved).toMatch(/\.pdf completed$/);
    const words = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
    expect(words).toContain('Quick benchmark');
    expect(words).toContain('How to reproduce');
  });
});
