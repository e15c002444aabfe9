import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { startEngine } from './engine/testing/engine.ts';
import { expect, test } from './fixtures.ts';
import { frame, listenFor } from './pages/frame.ts';
import { livePage } from './pages/live.ts';
import { resultsPage } from './pages/results.ts';
import { enginePid } from './testbed/electron/processes.ts';

/** Warm-up and measurement of one trial. */
const SECONDS = 7;
const EXPERIMENT = `kneepoint: 1
name: Reads and updates
workload: { tool: embedded, options: { mix: A, synchronous: OFF, rate: 500 } }
where: {}
factors:
  - { name: threads, levels: [1, 2] }
measure: { warmup: 1, duration: ${SECONDS - 1}, repeats: 1 }
`;

test.describe('a run in the window', { tag: '@window' }, () => {
  test('survives the death of engine and window with each second stored once, and exports its report', async ({
    start,
    dataDir,
  }) => {
    test.setTimeout(480_000);
    const engine = await startEngine(dataDir);
    await engine.client.experiments.save({ text: EXPERIMENT });
    await engine.stop();

    const first = await start();
    await expect(first.page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Library');
    await frame(first.page).open('/experiments/1/review');
    await first.page.getByRole('button', { name: 'Start', exact: true }).click();
    const live = livePage(first.page);
    await live.id();
    await expect.poll(async () => (await live.seconds()).length, { timeout: 120_000 }).toBeGreaterThanOrEqual(2);
    const pid = enginePid(first.pid);
    if (pid === undefined) throw new Error('There is no engine process.');
    const lost = await listenFor(first.page, 'The connection to the engine is lost.');
    process.kill(pid, 'SIGKILL');
    await lost.appeared();
    await expect(first.page.getByText('The engine restarted. Nothing measured is lost.')).toBeVisible();
    await live.untilTrialsEnded(1, 180_000);
    await expect.poll(async () => (await live.seconds()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);
    await first.kill();

    const { page, window } = await start();
    await expect(page.getByRole('table', { name: 'Sessions' })).toContainText('Reads and updates');
    await frame(page).open('/sessions/1/live');
    await livePage(page).untilDone(180_000);
    await livePage(page).openResults();
    const results = resultsPage(page);
    await results.tab('Runs');
    await expect(results.runs.locator('tbody tr')).toHaveCount(2);
    for (const run of await results.readRuns()) {
      expect(run.State).toBe('done');
      expect(run.Seconds).toBe(String(SECONDS));
    }

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
    expect(words).toContain('Reads and updates');
    expect(words).toContain('How to reproduce');
  });
});
