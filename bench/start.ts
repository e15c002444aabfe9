import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { startServing, startWindow } from '../e2e/testbed/electron/app.ts';
import { median } from '../src/shared/util/numbers.ts';
import type { BenchRow } from './row.ts';

const ROUNDS = 5;
const root = path.resolve(import.meta.dirname, '..');
/** Where `npm test` stores the Electron that it downloaded. */
const ELECTRON = path.join(root, '.cache/electron-22.3.25');

/** Milliseconds from the start of the process until the library is on the screen: a page in an open browser, and the window. */
export async function run(): Promise<BenchRow[]> {
  if (!existsSync(path.join(root, 'dist/renderer/index.html')))
    throw new Error('The page is not built: npm run build.');
  return [...(await inBrowser()), await inWindow()];
}

async function inBrowser(): Promise<BenchRow[]> {
  const executablePath = '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error(`There is no browser at ${executablePath}.`);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const bare: number[] = [];
    const ready: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await timed(() => bareStart(browser)));
      ready.push(await timed((dataDir) => pageStart(browser, dataDir)));
    }
    const [value, limit] = [median(ready), median(bare)];
    const note = 'bare: an empty Node server and its empty page in the same browser';
    return [{ name: 'Start to usable page', value, unit: 'ms', limit, ratio: value / limit, goal: '≤ 1,500 ms', note }];
  } finally {
    await browser.close();
  }
}

async function inWindow(): Promise<BenchRow> {
  const name = 'Start to usable window';
  if (!process.env.ELECTRON_OVERRIDE_DIST_PATH && existsSync(ELECTRON))
    process.env.ELECTRON_OVERRIDE_DIST_PATH = ELECTRON;
  const missing = process.env.DISPLAY ? 'no Electron (npm test -- electron fetches one)' : 'no display (try xvfb-run)';
  if (!process.env.DISPLAY || !process.env.ELECTRON_OVERRIDE_DIST_PATH)
    return { name, value: Number.NaN, unit: 'ms', goal: '≤ 1,500 ms', note: `not run: ${missing}` };
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(windowStart));
  return {
    name,
    value: median(times),
    unit: 'ms',
    goal: '≤ 1,500 ms',
    note: 'Electron 22 of the tests, engine beside it',
  };
}

interface Started {
  stop(): Promise<void>;
}

/** Runs it on a new library and stops the clock when it resolves; ends it afterwards. */
async function timed(start: (dataDir: string) => Promise<Started>): Promise<number> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kneepoint-bench-'));
  const began = performance.now();
  try {
    const started = await start(dataDir);
    const taken = performance.now() - began;
    await started.stop();
    return taken;
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The offer of the empty library is visible: page, connection and engine have responded. */
const usable = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Start the quick benchmark' }).first().waitFor();

async function windowStart(dataDir: string): Promise<Started> {
  const running = await startWindow(dataDir);
  await usable(running.page);
  return running;
}

/** Unlike a test, does not wait until the page has prefetched all of its views. */
async function pageStart(browser: Browser, dataDir: string): Promise<Started> {
  const serving = await startServing(dataDir);
  const { page, context } = await openPage(browser, serving.link);
  await usable(page);
  return {
    stop: async () => {
      await context.close();
      await serving.end('SIGTERM');
    },
  };
}

async function openPage(browser: Browser, address: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  return { page, context };
}

const BARE = `require('node:http').createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<h1>ready</h1>'))
  .listen(0, '127.0.0.1', function () { console.log('READY ' + this.address().port) })`;

async function bareStart(browser: Browser): Promise<Started> {
  const server = spawn(process.execPath, ['-e', BARE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve) => {
    server.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim().split(' ')[1] ?? ''));
  });
  const { page, context } = await openPage(browser, `http://127.0.0.1:${port}/`);
  await page.getByRole('heading').waitFor();
  return {
    stop: async () => {
      await context.close();
      server.kill();
    },
  };
}
