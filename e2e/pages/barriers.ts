import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Rules that depend on how a page is painted, besides on what is on it. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What keeps people from using the page, by the rules of axe: what it calls serious or worse, with the elements. `only`: by the rules about
 * colours alone, of a page that was looked at in another theme.
 */
export async function barriers(page: Page, only?: 'colours'): Promise<string[]> {
  // The usual mode opens a page of its own each time, to put frames together: the app has none.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (only ? builder.withRules(OF_COLOURS) : builder).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
}
