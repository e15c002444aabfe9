import { readFileSync } from 'node:fs';
import { expect, test } from './fixtures.ts';
import { editorPage } from './pages/editor.ts';
import { type Hand, keyboard, mouse } from './pages/hands.ts';
import { livePage } from './pages/live.ts';

// Each has its own library, so both can run at the same time.
test.describe.configure({ mode: 'parallel' });

const HANDS = { 'by clicking': mouse, 'by keyboard alone': keyboard };

for (const [how, hand] of Object.entries(HANDS))
  test(`from an empty library to two compared and exported sessions, ${how}`, async ({ app: page }, testInfo) => {
    test.setTimeout(600_000);
    const began = Date.now();
    const by: Hand = hand(page);
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
    const editor = editorPage(page);
    const live = livePage(page);
    const until: string[] = [];
    const mark = (what: string): number =>
      until.push(`${what}: ${by.strokes} strokes, ${Math.round((Date.now() - began) / 1000)} s`);

    await expect(page.getByRole('heading', { name: 'Quick benchmark on this computer' })).toBeVisible();
    await by.press(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Experiments' }));
    await by.pick(button('Blank experiment'), /^Embedded/);
    await by.write(editor.name, 'Reads and updates');
    // Running as fast as possible keeps a core busy, and proves nothing more.
    await by.write(editor.option('Rate'), '500');
    const step = (name: string) =>
      by.press(page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: new RegExp(name) }));
    await step('Matrix');
    await by.choose(editor.vary, /\(threads\)/);
    await by.write(editor.newLevels('threads'), '1, 2');
    await page.keyboard.press('Enter');
    await expect(editor.plan).toContainText('2cells');
    await step('Measurement');
    await by.write(editor.option('Warm-up'), '0');
    await by.write(editor.option('Duration'), '2s');
    await by.write(editor.option('Repeats'), '2');
    await step('Review');
    await by.press(editor.start);
    await live.id();
    mark('started');
    await expect.poll(async () => (await live.seconds()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
    mark('first chart');
    await live.note('coffee machine on');
    await expect(live.log).toContainText('coffee machine on');
    await live.untilDone(240_000);
    await by.press(button('Open the results'));
    await page.waitForURL(/\/results/);
    await expect(page.locator('.kp-answer')).not.toBeEmpty();
    mark('first answer');

    await by.pick(button('Run again'), /^Run again/);
    await page.waitForURL(/\/review$/);
    await by.press(editor.start);
    await page.waitForURL(/#\/sessions\/2\/live$/);
    await live.untilDone(240_000);
    await by.press(button('Open the results'));
    await page.waitForURL(/\/results/);
    await by.pick(button('Compare'), /Reads and updates/);
    await page.waitForURL(/baseline=1&other=2/);
    await expect(page.locator('.kp-verdict')).not.toBeEmpty();
    await expect(page.getByRole('table', { name: 'Compared cells' }).locator('tbody tr')).toHaveCount(2);
    mark('compared');

    const saved = page.waitForEvent('download', { timeout: 120_000 });
    await by.pick(button('Export'), /^PDF/);
    const pdf = await saved;
    expect(readFileSync(await pdf.path(), 'latin1')).toMatch(/^%PDF/);
    mark('exported');
    testInfo.annotations.push({ type: 'effort', description: until.join('; ') });
    if (process.env.KNEEPOINT_PICTURES === '1') console.log(`${how}: ${until.join('; ')}`);
  });
