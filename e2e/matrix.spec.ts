import type { Page } from '@playwright/test';
import { NIGHT } from '../src/shared/util/testing/depth.ts';
import { expect, test } from './fixtures.ts';
import { barriers } from './pages/barriers.ts';
import { editorPage } from './pages/editor.ts';
import { type Hand, keyboard, mouse } from './pages/hands.ts';
import { targetsPage } from './pages/targets.ts';
import { type DatabaseServer, startMariaDb } from './testbed/databases/index.ts';
import { lacks } from './testbed/programs.ts';

const ABSENT = lacks('sysbench', 'mariadbd');
test.skip(ABSENT !== '', ABSENT);

let database: DatabaseServer;
test.beforeAll(async () => {
  database = await startMariaDb({ address: '127.0.0.1' });
});
test.afterAll(() => database?.stop());

const FLUSH = 'innodb_flush_log_at_trx_commit';

async function addTargets(page: Page): Promise<void> {
  const { address, port, user, password, database: schema } = database;
  const targets = targetsPage(page);
  for (const name of ['first', 'second']) {
    await targets.fill({ name, address, port, user, password, database: schema, readable: true });
    await targets.save();
  }
}

/** A setting of the server, two targets and the threads, from a blank experiment: all found by one search. */
async function buildMatrix(page: Page, by: Hand): Promise<void> {
  const editor = editorPage(page);
  const step = (name: string) =>
    by.press(page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: new RegExp(name) }));
  const vary = async (words: string, option: RegExp, factor: string, levels: string, facts: string) => {
    await by.write(editor.vary, words);
    const found = page.getByRole('option', { name: option }).first();
    await expect(found).toContainText(facts, { timeout: 120_000 });
    // Options look the same for each kind of factor.
    if (NIGHT || factor === FLUSH) expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await by.write(editor.newLevels(factor), levels);
    await page.keyboard.press('Enter');
  };
  await step('Matrix');
  await vary('threads', /\(threads\)/, 'threads', '1..2 doubling', 'now 1');
  await vary('saved target', /^Target/, 'target', 'first, second', 'target');
  await expect(editor.plan).toContainText('4cells');
  await vary('flush trx commit', new RegExp(FLUSH), FLUSH, '1, 2', 'now 1 · default 1 · 0 to 3 · live');
  await expect(editor.plan).toContainText('8cells');
}

/** By day the one that meets more barriers. */
const HANDS = { ...(NIGHT && { 'by clicking': mouse }), 'by keyboard alone': keyboard };

for (const [how, hand] of Object.entries(HANDS))
  test(`a matrix of server settings, targets and threads is built and ready to start, ${how}`, async ({
    app: page,
  }) => {
    test.setTimeout(200_000);
    const by = hand(page);
    const editor = editorPage(page);
    await addTargets(page);
    await editor.blank(/^sysbench/);
    await editor.option('Tables').fill('1');
    await editor.option('Rows per table').fill('500');
    await editor.step('Where');
    await editor.pick('Target', 'first');
    await buildMatrix(page, by);
    await expect(editor.start).toBeDisabled();
    await by.press(
      page
        .getByRole('radiogroup', { name: /under test/ })
        .getByRole('radio')
        .first(),
    );

    // A row is excluded and included again, then an area of two cells is excluded.
    await editor.grid.focus();
    for (const key of ['ArrowLeft', 'Space']) await page.keyboard.press(key);
    await expect(editor.plan).not.toContainText('8cells');
    await page.keyboard.press('Control+z');
    await expect(editor.plan).toContainText('8cells');
    for (const key of ['ArrowRight', 'Shift+ArrowDown', 'Space']) await page.keyboard.press(key);
    await expect(editor.plan).toContainText('6cells');
    await page.keyboard.press('Escape');
    expect(await barriers(page)).toEqual([]);

    await editor.step('Measurement');
    await editor.option('Warm-up').fill('0');
    await editor.option('Duration').fill('1');
    await editor.view('YAML');
    await expect(editor.yaml).toHaveAttribute('aria-readonly', 'false');
    const text = await editor.text();
    expect(text).toContain('kind: server-setting');
    expect(text).toContain('kind: target');
    expect(text).toMatch(new RegExp(`name: ${FLUSH}[\\s\\S]*setting: ${FLUSH}`));
    await expect(editor.start).toBeEnabled();
  });
