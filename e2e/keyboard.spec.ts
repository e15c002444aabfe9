import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { editorPage } from './pages/editor.ts';
import { frame } from './pages/frame.ts';
import { livePage } from './pages/live.ts';

const PALETTE = 'Search…';

/** Presses Tab until the element with this name has the focus; each stop on the way must be seen. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole('button', { name }).first();
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab');
    await expect.poll(() => focusIsSeen(page), `focus on ${await focused(page)}`).toBe(true);
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not lead to ${name}.`);
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? 'nothing');

/** Whether a person sees which element has the focus: it, its box or its label looks other than its twin without the focus. */
const focusIsSeen = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const look = (element: Element): string => {
      const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } =
        getComputedStyle(element);
      const outline = outlineStyle === 'none' ? '' : `${outlineWidth} ${outlineColor}`;
      return [outline, boxShadow, borderColor, backgroundColor].join('; ');
    };
    const differs = (element: Element): boolean => {
      const twin = element.cloneNode(false) as Element;
      twin.removeAttribute('id');
      element.after(twin);
      const other = look(twin);
      twin.remove();
      return look(element) !== other;
    };
    const element = document.activeElement;
    if (!element || element === document.body) return true;
    const label = element.id ? document.querySelector(`label[for="${CSS.escape(element.id)}"]`) : null;
    return [element, element.parentElement, label].some((each) => each !== null && differs(each));
  });

test('the quick benchmark is started, watched, stopped and read without a mouse', async ({ app }) => {
  await expect(app.getByRole('button', { name: 'Start the quick benchmark' })).toBeVisible();
  await tabTo(app, 'Start the quick benchmark');
  await app.keyboard.press('Enter');
  const live = livePage(app);
  await live.id();
  await expect.poll(async () => (await live.seconds()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(2);

  await live.note('coffee machine on');
  await expect(live.log).toContainText('coffee machine on');

  await live.untilTrialsEnded(1, 90_000);
  await tabTo(app, 'Stop');
  await app.keyboard.press('Enter');
  await expect(app.getByRole('button', { name: 'Stop the session now' })).toBeVisible();
  await tabTo(app, 'Stop the session now');
  await app.keyboard.press('Enter');
  await expect(app.getByText('What was measured until then is kept.')).toBeVisible({ timeout: 60_000 });
  await tabTo(app, 'Open the results');
  await app.keyboard.press('Enter');
  await app.waitForURL(/\/results$/);
  await expect(app.getByRole('tab', { name: 'Overview' })).toBeVisible();
});

test('the command palette leads everywhere', async ({ app }) => {
  await expect(app.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Library');
  for (const [words, place] of [
    ['Hosts', '#/hosts'],
    ['New experiment', '#/experiments/new'],
    ['Quick benchmark', '#/experiments/quickstart'],
  ] as const) {
    await app.keyboard.press('Control+K');
    await expect(app.getByPlaceholder(PALETTE)).toBeFocused();
    await app.keyboard.type(words);
    await expect(app.getByRole('button', { name: words }).first()).toBeVisible();
    await app.keyboard.press('ArrowDown');
    await app.keyboard.press('Enter');
    await expect.poll(() => new URL(app.url()).hash).toContain(place);
    await expect(app.getByPlaceholder(PALETTE)).toBeHidden();
  }
  await app.keyboard.press('Control+K');
  await expect(app.getByPlaceholder(PALETTE)).toBeFocused();
  await app.keyboard.press('Escape');
  await expect(app.getByPlaceholder(PALETTE)).toBeHidden();
});

test('the theme changes by keyboard and is kept', async ({ app }) => {
  const frameOf = frame(app);
  const before = await frameOf.scheme();
  const other = before === 'dark' ? 'light' : 'dark';
  await expect(frameOf.theme(other)).toBeVisible();
  await tabTo(app, `Switch to the ${other} theme`);
  await app.keyboard.press('Enter');
  await expect.poll(() => frameOf.scheme()).toBe(other);
  await app.reload();
  await expect.poll(() => frameOf.scheme()).toBe(other);
});

test('the rail is passed over with one key', async ({ app }) => {
  await expect(app.getByRole('button', { name: 'Start the quick benchmark' })).toBeVisible();
  await app.keyboard.press('Tab');
  await expect(app.getByRole('button', { name: 'Skip to the content' })).toBeFocused();
  await app.keyboard.press('Enter');
  await expect(app.getByRole('main')).toBeFocused();
  await app.keyboard.press('Tab');
  await expect(app.getByRole('button', { name: 'Start the quick benchmark' })).toBeFocused();
});

test('a document is completed from the options of its tool, and left with Tab', async ({ app }) => {
  const editor = editorPage(app);
  await editor.blank(/^sysbench/);
  await editor.view('YAML');
  await editor.write('kneepoint: 1\nname: Typed\nworkload:\n  tool: sysbench\n  options: { thr');
  await app.keyboard.press('Control+Space');
  const suggestions = app.getByRole('listbox');
  // Enter takes it as well, but not in the moment in which the list appears: that would be an accident.
  await suggestions.getByRole('option', { name: /^threads/ }).click();
  await app.keyboard.type('4 }');
  expect(await editor.text()).toContain('options: { threads: 4 }');
  await app.keyboard.press('Control+z');
  await app.keyboard.press('Tab');
  await expect(editor.yaml).not.toBeFocused();
  expect(await editor.text()).not.toContain('\t');
});
