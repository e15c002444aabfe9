import { expect, type Page } from '@playwright/test';

type Section = 'Library' | 'Experiments' | 'Hosts' | 'Targets' | 'Costs' | 'Settings';

/** What stands around every view. */
export const frame = (page: Page) => ({
  async go(section: Section): Promise<void> {
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: section, exact: true }).click();
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText(section);
  },
  /** Opens a place by its address inside the app, as a link or the Back button would. */
  async open(place: string): Promise<void> {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, place);
  },
  theme: (name: 'light' | 'dark') => page.getByRole('button', { name: `Switch to the ${name} theme` }),
  scheme: () => page.locator('html').getAttribute('data-mantine-color-scheme'),
});
