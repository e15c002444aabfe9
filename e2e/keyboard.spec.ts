import { expect, test } from './fixtures.ts';
import { editorPage } from './pages/editor.ts';
import { frame } from './pages/frame.ts';
import { keyboard } from './pages/hands.ts';

const PALETTE = 'Search…';

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
  await keyboard(app).press(frameOf.theme(other));
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
