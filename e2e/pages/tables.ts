import type { Locator, Page } from '@playwright/test';

type Row = Readonly<Record<string, string>>;

/** Visible content of a table: one record per row, keyed by its headers. */
export const readTable = (table: Locator): Promise<Row[]> =>
  table.evaluate((element) => {
    const words = (node: Element): string => node.textContent?.trim() ?? '';
    const names = [...element.querySelectorAll('thead th')].map(words);
    return [...element.querySelectorAll('tbody tr')].map((row) =>
      Object.fromEntries([...row.children].map((cell, index) => [names[index] ?? '', words(cell)])),
    );
  });

/** A chart by its title; a table with its figures is next to it for screen readers. */
export const chart = (page: Page, title: string | RegExp): Locator =>
  page.locator('figure').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

/** The figures that a chart draws. */
export const readChart = (page: Page, title: string | RegExp): Promise<Row[]> =>
  readTable(chart(page, title).locator('.kp-visually-hidden table'));

/** A displayed figure without its unit: `18,526.1 tps` → 18526.1. */
export const figure = (text: string | undefined): number =>
  Number.parseFloat((text ?? '').replaceAll(',', '').replace('−', '-'));
