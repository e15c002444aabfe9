import type { Download, Page } from '@playwright/test';
import { chart, readTable } from './tables.ts';

type Tab =
  | 'Overview'
  | 'Curve'
  | 'Pivot'
  | 'Timeline'
  | 'Hosts'
  | 'Distribution'
  | 'Efficiency'
  | 'Runs'
  | 'Set-up'
  | 'Cost'
  | 'Raw';

type Format = 'PDF report' | 'CSV, every second' | 'CSV, cells' | 'JSON';

/** The results of a session. */
export const resultsPage = (page: Page) => {
  const runs = page.getByRole('table', { name: 'Runs' });
  const chooseExport = async (format: Format): Promise<void> => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: format }).click();
  };
  return {
    answer: page.locator('.kp-answer'),
    cells: page.getByRole('table', { name: /^Cells: / }),
    runs,
    readCells: () => readTable(page.getByRole('table', { name: /^Cells: / })),
    readRuns: () => readTable(runs),
    tab: (name: Tab) => page.getByRole('tab', { name, exact: true }).click(),
    /** Output of the tool for the run whose row is open; its command line is above it. */
    async rawOf(row: number): Promise<string | null> {
      await runs.locator('tbody tr').nth(row).click();
      const trial = await runs.locator('tbody tr').nth(row).locator('td').first().textContent();
      return page
        .getByRole('region', { name: `Trial ${trial}`, exact: true })
        .locator('pre')
        .nth(1)
        .textContent();
    },
    /** Adds the suggested chart with a title, once its preview is drawn. */
    async addChart(title: string): Promise<void> {
      await page.getByRole('button', { name: 'Add chart' }).click();
      const sheet = page.getByRole('dialog', { name: 'Add chart' });
      await sheet.getByRole('textbox', { name: 'Title', exact: true }).fill(title);
      await chart(page, title).locator('canvas').waitFor();
      await sheet.getByRole('button', { name: 'Add chart' }).click();
      await sheet.waitFor({ state: 'hidden' });
    },
    chooseExport,
    async export(format: Format): Promise<Download> {
      const [download] = await Promise.all([page.waitForEvent('download', { timeout: 120_000 }), chooseExport(format)]);
      return download;
    },
  };
};
