import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { figure } from './tables.ts';

/** Stacked lanes with a common time axis, by their title. */
export const lanesOf = (page: Page, title: string) => {
  const stack = page.getByRole('figure', { name: `${title}: lanes on one time axis` });
  const cursor = stack.getByRole('slider', { name: 'Cursor through all lanes' });
  const lane = (name: string): Locator => stack.getByRole('group', { name, exact: true });
  return {
    stack,
    cursor,
    lane,
    surface: stack.locator('.kp-lanes-surface'),
    /** Figure next to the first line of a lane: its value under the cursor, else the mean of the visible part. */
    figureOf: async (name: string): Promise<number> =>
      figure((await lane(name).getByRole('status').first().textContent()) ?? ''),
    /** Position of the cursor, in words. */
    where: async (): Promise<string> => (await cursor.locator('b').textContent()) ?? '',
    /** Moves the cursor to a second of a run, with the keyboard. */
    async putOn(second: number): Promise<void> {
      await cursor.focus();
      await page.keyboard.press('Home');
      // The visible part begins before the run, or with the very first sample.
      await expect(cursor.locator('b')).toHaveText(/^At /);
      const first = figure((await cursor.locator('b').textContent())?.slice('At '.length));
      for (let at = Math.round(first); at < second; at += 1) await page.keyboard.press('ArrowRight');
      await expect(cursor.locator('b')).toHaveText(`At ${second} s`);
    },
    /** Visible seconds. */
    seen: async (): Promise<number> =>
      Number(await cursor.getAttribute('aria-valuemax')) - Number(await cursor.getAttribute('aria-valuemin')),
    /** All visible lanes by second, as a file. */
    async download(): Promise<Record<string, string>[]> {
      await stack.getByRole('button', { name: 'Download chart' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Download as CSV' }).click(),
      ]);
      return readCsv(readFileSync(await file.path(), 'utf8'));
    },
  };
};

/** Fields of a line; quoted ones without line breaks. */
const fieldsOf = (line: string): string[] =>
  [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))(?=,|$)/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
  );

/** Records of a CSV file, keyed by its header. */
export function readCsv(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trim().split('\r\n');
  const names = fieldsOf(head);
  return lines.map((line) => {
    const fields = fieldsOf(line);
    return Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
  });
}
