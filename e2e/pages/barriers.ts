import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Rules that depend on how a page is painted, in addition to its content. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * Accessibility barriers of the page by the rules of axe: serious and critical ones, with the elements. `only`: by the rules about colours alone,
 * for a page already checked in another theme.
 */
export async function barriers(page: Page, only?: 'colours'): Promise<string[]> {
  // The default mode opens a separate page each time, to merge frames: the app has none.
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (only ? builder.withRules(OF_COLOURS) : builder).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
}
