import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { editorPage } from './pages/editor.ts';
import { frame } from './pages/frame.ts';
import { keyboard } from './pages/hands.ts';

const PALETTE = 'Search…';

test('the keyboard alone reaches everything: rail, theme, palette and text', async ({ app }) => {
  const begin = app.getByRole('button', { name: 'Start the quick benchmark' });
  await test.step('one key passes over the rail', async () => {
    await expect(begin).toBeVisible();
    await app.keyboard.press('Tab');
    await expect(app.getByRole('button', { name: 'Skip to the content' })).toBeFocused();
    await app.keyboard.press('Enter');
    await expect(app.getByRole('main')).toBeFocused();
    await app.keyboard.press('Tab');
    await expect(begin).toBeFocused();
  });
  await test.step('the command palette leads everywhere', () => throughThePalette(app));
  await test.step('a document is completed from the options of its tool, and left with Tab', () => typeDocument(app));
  // A reloaded page may reload once more while networks change, which would close open dialogs.
  await test.step('the theme changes and is kept', async () => {
    const frameOf = frame(app);
    const before = await frameOf.scheme();
    const other = before === 'dark' ? 'light' : 'dark';
    await expect(frameOf.theme(other)).toBeVisible();
    await keyboard(app).press(frameOf.theme(other));
    await expect.poll(() => frameOf.scheme()).toBe(other);
    await app.reload();
    await expect.poll(() => frameOf.scheme()).toBe(other);
  });
});

async function throughThePalette(app: Page): Promise<void> {
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
}

async function typeDocument(app: Page): Promise<void> {
  const editor = editorPage(app);
  await editor.blank(/^sysbench/);
  await editor.view('YAML');
  await editor.write('kneepoint: 1\nname: Typed\nworkload:\n  tool: sysbench\n  options: { thr');
  await app.keyboard.press('Control+Space');
  const suggestions = app.getByRole('listbox');
  // Enter accepts it too, but not at the moment when the list appears: that would be accidental.
  await suggestions.getByRole('option', { name: /^threads/ }).click();
  await app.keyboard.type('4 }');
  expect(await editor.text()).toContain('options: { threads: 4 }');
  // Typed over lines with syntax colours: without an error in the console.
  await app.keyboard.press('Control+a');
  await app.keyboard.type('x');
  await expect.poll(editor.text).toBe('x');
  await app.keyboard.press('Control+z');
  await app.keyboard.press('Tab');
  await expect(editor.yaml).not.toBeFocused();
  expect(await editor.text()).not.toContain('\t');
}
