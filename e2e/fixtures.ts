import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, test as base, chromium, expect, type Page, type TestInfo } from '@playwright/test';
import { root } from '../scripts/lib/terminal.ts';
import { admission } from '../scripts/test/admission.ts';
import { type Mode, type Running, startApp } from './testbed/electron/app.ts';
import { newLibraryFolder } from './testbed/library-folder.ts';

interface Worker {
  mode: Mode;
  chromium: Browser | undefined;
}
interface Test {
  /** Waits until there is capacity next to the tests of other runners. */
  admitted: undefined;
  /** Library of this test, removed after it. */
  dataDir: string;
  /** Errors that this test provokes in the page's console. */
  allowedErrors: RegExp;
  /** Starts the app on the test's library; may be called again after `stop` or `kill`. Everything started ends with the test. */
  start: () => Promise<Running>;
  running: Running;
  /** The page of the running app, in the project's mode. */
  app: Page;
}

/** Chromium without its browser UI, which costs as much as the pages do. */
const SHELL = '/usr/bin/chromium-headless-shell';
// As root in a container: no sandbox, no GPU, no network traffic of its own.
const QUIET = '--no-sandbox --disable-gpu --in-process-gpu --disable-quic';

const NONE = /^\b$/;

/** Other tests on this machine create and remove networks; Chromium then drops requests even to this computer. */
const FOREIGN = /net::ERR_NETWORK_CHANGED/;

export const test = base.extend<Test, Worker>({
  admitted: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
    async ({}, use, { file, project }) => {
      const end = await admission(`${project.name} ${path.relative(root, file)}`, { lasting: true });
      await use(undefined);
      await end();
    },
    { auto: true, timeout: 0 },
  ],
  mode: ['browser', { option: true, scope: 'worker' }],
  allowedErrors: [NONE, { option: true }],
  chromium: [
    async ({ mode }, use) => {
      if (mode === 'electron') return use(undefined);
      const executablePath = process.env.KNEEPOINT_CHROMIUM ?? SHELL;
      const browser = await chromium.launch({ executablePath, args: QUIET.split(' ') });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  dataDir: async ({}, use) => {
    const folder = newLibraryFolder('e2e');
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  },
  start: async ({ mode, chromium, dataDir, allowedErrors }, use, testInfo) => {
    const started: Running[] = [];
    const errors: string[] = [];
    const failed: string[] = [];
    await use(async () => {
      const running = await startApp({ mode, browser: chromium, dataDir });
      started.push(running);
      watch(running.page, errors);
      running.page.on('requestfailed', (request) => {
        failed.push(`${request.url()}: ${request.failure()?.errorText}`);
      });
      return running;
    });
    if (testInfo.status !== testInfo.expectedStatus) {
      for (const running of started) await showPage(running.page, failed, testInfo);
    }
    for (const running of started) await running.stop();
    expect(errors.filter((error) => !allowedErrors.test(error) && !FOREIGN.test(error))).toEqual([]);
  },
  running: async ({ start }, use) => {
    await use(await start());
  },
  app: async ({ running }, use) => {
    await use(running.page);
  },
});

/** A failed test leaves the page as a user would have seen it, as picture and as text. */
async function showPage(page: Page, failed: readonly string[], testInfo: TestInfo): Promise<void> {
  if (page.isClosed()) return;
  const name = `page-${testInfo.attachments.length}`;
  await page.screenshot({ path: testInfo.outputPath(`${name}.png`) });
  await testInfo.attach(name, { path: testInfo.outputPath(`${name}.png`) });
  const lines = [page.url(), await page.locator('body').ariaSnapshot(), 'Requests that failed:', ...failed];
  writeFileSync(testInfo.outputPath(`${name}.txt`), `${lines.join('\n')}\n`);
}

function watch(page: Page, errors: string[]): void {
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const { url, lineNumber, columnNumber } = message.location();
    errors.push(`${message.text()} (${url}:${lineNumber}:${columnNumber}, on ${page.url()})`);
  });
  page.on('pageerror', (error) => errors.push(String(error)));
}

export { expect } from '@playwright/test';
