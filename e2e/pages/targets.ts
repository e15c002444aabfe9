import { expect, type Page } from '@playwright/test';
import { choose } from './controls.ts';
import { frame } from './frame.ts';

interface TargetFields {
  name: string;
  /** Host through which the app reaches it. */
  via?: string;
  address: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Whether the password may be sent without TLS, as Debian's sysbench does. */
  readable?: boolean;
}

/** Targets: the list and the form of a database server. */
export const targetsPage = (page: Page) => ({
  /** Opens the form of a new server of the MySQL family and fills it in. */
  async fill({ name, via, address, port, user, password, database, readable }: TargetFields): Promise<void> {
    await frame(page).go('Targets');
    await page.getByRole('link', { name: 'Add a target' }).first().click();
    await page
      .getByRole('radiogroup', { name: 'Kind of target' })
      .getByText(/^MySQL/)
      .click();
    await page.getByLabel('Name', { exact: true }).fill(name);
    if (via !== undefined) await choose(page, 'Connect via', via);
    await page.getByLabel('Address', { exact: true }).fill(address);
    await page.getByLabel('Port', { exact: true }).fill(String(port));
    await page.getByLabel('User', { exact: true }).fill(user);
    await page.getByLabel('Database', { exact: true }).fill(database);
    await page.locator('input[type=password]').fill(password);
    if (readable) await page.getByRole('switch', { name: 'Allow cleartext password' }).check({ force: true });
  },
  test: () => page.getByRole('button', { name: 'Test', exact: true }).click(),
  async save(): Promise<void> {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('table', { name: 'Targets' })).toBeVisible();
  },
  settings: page.getByRole('region', { name: 'Key settings' }),
});
