import { expect, type Page } from '@playwright/test';
import { frame } from './frame.ts';

/** Creates the vault, like a user who wants passwords to survive a restart. */
export async function createVault(page: Page, passphrase: string): Promise<void> {
  await frame(page).go('Settings');
  await page.getByRole('button', { name: 'Create a vault…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a vault' });
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await dialog.getByLabel('Passphrase again', { exact: true }).fill(passphrase);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText('Stored in the vault (unlocked)')).toBeVisible();
}

/** Unlocks it where the app asks for it. */
export async function unlockVault(page: Page, passphrase: string): Promise<void> {
  await page.getByRole('button', { name: 'Unlock…' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Unlock the vault' });
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase);
  await dialog.getByRole('button', { name: 'Unlock' }).click();
  await expect(dialog).toBeHidden();
}
