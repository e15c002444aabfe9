import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { frame } from './pages/frame.ts';

// `npm run dev`: a copy of the sources is changed while a page is open.

const root = path.resolve(import.meta.dirname, '..');
const WHAT_IT_READS = 'src scripts workloads assets dist package.json package-lock.json vite.config.ts'.split(' ');

let copy: string;
let dev: ChildProcess;
let link: string;
test.beforeAll(async () => {
  copy = mkdtempSync(path.join(tmpdir(), 'kneepoint-dev-'));
  for (const name of WHAT_IT_READS)
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true, preserveTimestamps: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  const args = [path.join(copy, 'scripts/dev.ts'), '--data-dir', path.join(copy, 'library')];
  // As in a shell configured for servers.
  const env = { ...process.env, NODE_ENV: 'production' };
  dev = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  link = await linkOf(dev);
});
test.afterAll(async () => {
  const gone = new Promise((resolve) => dev.once('exit', resolve));
  dev.kill('SIGTERM');
  await gone;
  rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
});

async function linkOf(process: ChildProcess): Promise<string> {
  if (!process.stdout) throw new Error('It has no output.');
  for await (const line of createInterface({ input: process.stdout })) {
    const [, found] = /^READY (\S+)/.exec(line) ?? [];
    if (found) return found;
  }
  throw new Error('It ended before it was ready; its words are above.');
}

function change(file: string, from: string, to: string): void {
  const at = path.join(copy, file);
  const text = readFileSync(at, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not say “${from}”.`);
  writeFileSync(at, text.replace(from, to));
}

// Vite processes every source for the first time here: on a busy machine that takes a minute.
const patient = expect.configure({ timeout: 120_000 });

/**
 * Opens a page until it has loaded completely: Chromium aborts requests when an interface is added or removed, as concurrent tests do with
 * namespaces.
 */
async function whole(page: Page, address: string, sign: Locator): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    await expect(sign).toBeVisible({ timeout: 40_000 });
  }).toPass({ timeout: 150_000 });
}

test('page and engine reload after a change of their sources, with the same library and link', async ({ chromium }) => {
  if (!chromium) throw new Error('This needs a browser.');
  const context = await chromium.newContext();
  const page = await context.newPage();
  const otherPage = await (await chromium.newContext()).newPage();
  const library = path.join(copy, 'library');

  await whole(page, link, page.getByRole('button', { name: 'Start the quick benchmark' }));
  await page.evaluate(() => Object.assign(window, { untouched: true }));

  // A view is replaced in place.
  change('src/renderer/views/library/EmptyLibrary.tsx', 'Start the quick benchmark', 'Begin at once');
  await patient(page.getByRole('button', { name: 'Begin at once' })).toBeVisible();

  // The engine is then another process, and the page finds it by itself.
  await frame(page).go('Settings');
  await patient(page.getByText(`${library}, open and checked`)).toBeVisible();
  change('src/main/engine/api/app.ts', 'open and checked', 'open and looked at');
  await patient(page.getByText(`${library}, open and looked at`)).toBeVisible();
  expect(await page.evaluate(() => 'untouched' in window)).toBe(true);

  // Without the link, the sources of the page are available, but no engine.
  const refusal = otherPage.getByRole('heading', { name: 'This tab has no access to Kneepoint.' });
  await whole(otherPage, new URL('/', link).href, refusal);
  await otherPage.context().close();
  await context.close();
});
