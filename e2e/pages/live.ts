import { expect, type Page } from '@playwright/test';
import { readChart } from './tables.ts';

/** A running session. */
export const livePage = (page: Page) => {
  const progress = page.getByRole('progressbar', { name: 'Trials ended' });
  const going = page.getByRole('region', { name: 'Now' }).getByRole('paragraph').first();
  const banner = page.getByRole('button', { name: 'Open the results' });
  return {
    progress,
    log: page.getByRole('log', { name: 'Log' }),
    /** Number of the session, from the address. */
    async id(): Promise<number> {
      await page.waitForURL(/#\/sessions\/\d+\/live$/);
      return Number(/sessions\/(\d+)/.exec(page.url())?.[1]);
    },
    trialsEnded: async (): Promise<number> => Number(await progress.getAttribute('aria-valuenow')),
    async untilTrialsEnded(count: number, timeout: number): Promise<void> {
      await expect
        .poll(async () => Number(await progress.getAttribute('aria-valuenow')), { timeout })
        .toBeGreaterThanOrEqual(count);
    },
    /** Seconds of the running trial drawn now: its line among those of earlier trials is named by its threads and, while it runs, its repeat. */
    seconds: async (): Promise<number[]> => {
      const words = (await page.getByRole('main').locator('header').first().textContent()) ?? '';
      const [now = ''] = await going.allTextContents();
      const repeat = /^Trial .*?, (repeat \d+)/.exec(now)?.[1];
      const start = `threads ${/threads (\d+)/.exec(words)?.[1]},${repeat ? ` ${repeat}` : ''}`;
      const rows = await readChart(page, /^(Running|Last) trial$/);
      const names = Object.keys(rows[0] ?? {});
      const own = names.filter((name) => name.startsWith(start)).at(-1) ?? '';
      return rows.filter((row) => (row[own] ?? '') !== '').map((row) => Number(row[names[0] ?? '']));
    },
    /** Pins a note to this moment, by keyboard. */
    async note(words: string): Promise<void> {
      await page.keyboard.press('n');
      await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused();
      await page.keyboard.type(words);
      await page.keyboard.press('Enter');
    },
    async untilDone(timeout: number): Promise<void> {
      await expect(page.getByText(/^Done: /)).toBeVisible({ timeout });
    },
    /** Stops the session and waits for its end. */
    async stop(): Promise<void> {
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByRole('button', { name: 'Stop the session now' }).click();
      // Its banner: the question before it has the same words about measured data.
      await expect(banner).toBeVisible({ timeout: 60_000 });
    },
    async openResults(): Promise<void> {
      await banner.click();
      await page.waitForURL(/#\/sessions\/\d+\/results/);
    },
  };
};
