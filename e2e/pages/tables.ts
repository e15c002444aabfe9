import type { Locator, Page } from '@playwright/test';

type Row = Readonly<Record<string, string>>;

/** What a table shows now: one record per row, by the words of its headers. */
export const readTable = (table: Locator): Promise<Row[]> =>
  table.evaluate((element) => {
    const words = (node: Element): string => node.textContent?.trim() ?? '';
    const names = [...element.querySelectorAll('thead th')].map(words);
    return [...element.querySelectorAll('tbody tr')].map((row) =>
      Object.fromEntries([...row.children].map((cell, index) => [names[index] ?? '', words(cell)])),
    );
  });

/** A chart by its title; its figures stand beside it for those who cannot see it. */
export const chart = (page: Page, title: string | RegExp): Locator =>
  page.locator('figure').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

/** The figures that a chart draws. */
export const readChart = (page: Page, title: string | RegExp): Promise<Row[]> =>
  readTable(chart(page, title).locator('.kp-visually-hidden table'));

/** A figure as it is shown, without unit: `18,526.1 tps` → 18526.1. */
export const figure = (text: string | undefined): number =>
  Number.parseFloat((text ?? '').replaceAll(',', '').replace('−', '-'));
