import { expect, type Page } from '@playwright/test';

/** Elements whose content is wider than they are: it is cut or makes the page scroll sideways. */
const cut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const landmarks =
      'html, body, main, nav, header, footer, h1, h2, h3, .kp-page, .kp-panel, .kp-panel-body, .kp-answer, button, [role=tab], label';
    return [...document.querySelectorAll<HTMLElement>(landmarks)]
      .filter((element) => {
        const style = getComputedStyle(element);
        const scrolls = style.overflowX === 'auto' || style.overflowX === 'scroll' || style.textOverflow === 'ellipsis';
        const hidden = element.closest('.kp-visually-hidden, [aria-hidden=true]') !== null || element.clientWidth <= 1;
        return !scrolls && !hidden && style.display !== 'inline' && element.scrollWidth > element.clientWidth + 1;
      })
      .map(
        (element) =>
          `${element.tagName} ${element.className} “${element.textContent?.slice(0, 40)}” ${element.scrollWidth} > ${element.clientWidth}`,
      );
  });

/** Columns of a table shrink a moment after the window became narrower. */
export const nothingIsCut = (page: Page, label: string): Promise<void> =>
  expect
    .configure({ soft: true })
    .poll(() => cut(page), { message: label, timeout: 10_000 })
    .toEqual([]);
