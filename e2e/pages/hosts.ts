import { expect, type Page } from '@playwright/test';
import { frame } from './frame.ts';

interface HostFields {
  name: string;
  address: string;
  port: number;
  user: string;
  keyFile?: string;
  password?: string;
}

/** Hosts: the list, the form, one host with its tunnels. */
export const hostsPage = (page: Page) => {
  const tunnelRow = (name: string) =>
    page
      .getByRole('table', { name: /^Tunnels of / })
      .locator('tbody tr')
      .filter({ hasText: name });
  const firstContact = page.getByRole('dialog', { name: /^First contact with / });
  return {
    /** Fills in the form and saves; ends on the host's page. */
    async add({ name, address, port, user, keyFile, password }: HostFields): Promise<void> {
      await frame(page).go('Hosts');
      await page.getByRole('link', { name: 'Add a host' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Address', { exact: true }).fill(address);
      await page.getByLabel('Port', { exact: true }).fill(String(port));
      await page.getByLabel('User', { exact: true }).fill(user);
      const ways = page.getByRole('radiogroup', { name: 'Authentication method' });
      if (keyFile !== undefined) {
        await ways.getByText('Key file').click();
        await page.getByRole('textbox', { name: 'Key file' }).fill(keyFile);
      }
      if (password !== undefined) {
        await ways.getByText('Password').click();
        await page.locator('input[type=password]').fill(password);
      }
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.waitForURL(/#\/hosts\/\d+$/);
    },
    test: () => page.getByRole('button', { name: 'Test', exact: true }).first().click(),
    firstContact,
    /** Compares the key shown with that of the server, and trusts it. */
    async trust(fingerprint: string): Promise<void> {
      await expect(firstContact).toContainText(fingerprint);
      await firstContact.getByRole('button', { name: 'Trust this key' }).click();
    },
    reached: page.getByText(/Connected/),
    /** The alert about a failed test. */
    problem: page.getByRole('main').getByRole('alert'),
    changedKey: page.getByRole('alert', { name: 'The key of the host changed' }),
    tools: page.getByRole('table', { name: 'Benchmark tools' }),
    tunnelRow,
    async addTunnel(name: string, address: string, port: number): Promise<void> {
      await page.getByRole('button', { name: 'Add a tunnel' }).click();
      const form = page.getByRole('form', { name: 'New tunnel' });
      await form.getByLabel('Name').fill(name);
      await form.getByLabel(/^Address, as seen from/).fill(address);
      await form.getByLabel('Port there').fill(String(port));
      await form.getByRole('button', { name: 'Save' }).click();
      await expect(tunnelRow(name)).toBeVisible();
    },
  };
};
