import { expect, type Page } from '@playwright/test';

type Section = 'Library' | 'Experiments' | 'Hosts' | 'Targets' | 'Costs' | 'Settings';

/**
 * Starts to watch the page for this text, and remembers it: text that is visible for a moment may be gone when a test looks again. `appeared` resolves
 * once it has appeared.
 */
export async function listenFor(page: Page, words: string): Promise<{ appeared(): Promise<void> }> {
  const hearing = await page.evaluateHandle((wanted) => {
    const appeared = new Promise<void>((resolve) => {
      const look = (): void => {
        if (!document.body.textContent?.includes(wanted)) return;
        observer.disconnect();
        resolve();
      };
      const observer = new MutationObserver(look);
      observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      look();
    });
    return { appeared };
  }, words);
  return { appeared: () => hearing.evaluate(({ appeared }) => appeared) };
}

/** Elements around every view. */
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
