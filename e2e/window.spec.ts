import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { frame, listenFor } from './pages/frame.ts';
import { electronBinary, type Running } from './testbed/electron/app.ts';
import { enginePid, isAlive } from './testbed/electron/processes.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Position and size of the closed window. */
const BOUNDS = { x: 60, y: 40, width: 1011, height: 702 };

/** The shell's main process, which only tests in the window have. */
function windowOf(running: Running): ElectronApplication {
  if (!running.window) throw new Error('This test needs the Electron window.');
  return running.window;
}

/** Chooses an entry of the window's menu by its label, like a user. */
const choose = (window: ElectronApplication, words: string): Promise<void> =>
  window.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const all = (Menu.getApplicationMenu()?.items ?? []).flatMap((item) => item.submenu?.items ?? []);
    const item = all.find((entry) => entry.label === wanted);
    if (!item) throw new Error(`The menu has no entry ${wanted}.`);
    item.click(undefined, BrowserWindow.getAllWindows()[0], undefined);
  }, words);

const boundsOf = (running: Running) =>
  windowOf(running).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());

/** It has developer tools only in a clone. */
async function throughTheMenu(running: Running): Promise<void> {
  const [window, app] = [windowOf(running), running.page];
  const shortcuts = await window.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? [])
      .flatMap((item) => item.submenu?.items ?? [])
      .filter((item) => item.accelerator)
      .map((item) => [item.label, String(item.accelerator)]),
  );
  expect(shortcuts).toContainEqual(['New Experiment', 'CmdOrCtrl+N']);
  expect(new Set(shortcuts.map(([, keys]) => keys)).size).toBe(shortcuts.length);
  for (const [words, place] of [
    ['Experiments', '#/experiments'],
    ['Hosts', '#/hosts'],
    ['Library', '#/'],
  ] as const) {
    await choose(window, words);
    await expect.poll(() => new URL(app.url()).hash).toBe(place);
  }
  await choose(window, 'Search and Commands');
  await expect(app.getByPlaceholder('Search…')).toBeVisible();
  await app.keyboard.press('Escape');
  await expect(app.getByPlaceholder('Search…')).toBeHidden();
}

async function scrollsInside(app: Page): Promise<void> {
  await app.getByRole('link', { name: 'Costs' }).first().click();
  await expect(app.getByText('m5.large')).toBeVisible();
  const beyond = await app.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
  expect(beyond).toBe(0);
  // Nor past its last panel.
  const left = await app.getByRole('main').evaluate((main) => {
    const panels = [...main.querySelectorAll('section')].map((panel) => panel.getBoundingClientRect().bottom);
    return main.scrollHeight - (Math.max(...panels) - main.getBoundingClientRect().top + main.scrollTop);
  });
  expect(left).toBeLessThan(100);
}

async function outlivesItsEngine(running: Running): Promise<void> {
  const app = running.page;
  const before = enginePid(running.pid);
  if (before === undefined) throw new Error('There is no engine process.');
  const lost = await listenFor(app, 'The connection to the engine is lost.');
  process.kill(before, 'SIGKILL');
  await lost.appeared();
  await expect(app.getByText('The engine restarted. Nothing measured is lost.')).toBeVisible();
  expect(enginePid(running.pid)).not.toBe(before);
  await frame(app).go('Library');
  await expect(app.getByText('Quick benchmark on this computer').first()).toBeVisible();
}

async function secondStart(running: Running, dataDir: string): Promise<void> {
  const window = windowOf(running);
  await window.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const second = spawn(electronBinary(), ['--no-sandbox', '--disable-gpu', root], {
    env: { ...process.env, KNEEPOINT_DATA: dataDir, KNEEPOINT_ENGINE_NODE: process.execPath },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  second.stderr.on('data', (chunk: Buffer) => {
    words += chunk.toString();
  });
  const code = await new Promise((resolve) => second.once('close', resolve));
  expect(code).toBe(0);
  expect(words).toContain('already open with this library');
  await expect
    .poll(() => window.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()))
    .toBe(true);
}

/** Changes the window's size and position, and waits until they are stored. */
async function moved(running: Running, dataDir: string): Promise<void> {
  // The display may report a new window's first size only after another one was set.
  const resized = async () => {
    await windowOf(running).evaluate(
      ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted),
      BOUNDS,
    );
    const kept = path.join(dataDir, 'window/place.json');
    return existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')).bounds : undefined;
  };
  await expect.poll(resized).toEqual(BOUNDS);
}

test.describe('the window', { tag: '@window' }, () => {
  test('is independent, outlives its engine, and reopens unchanged', async ({ start, dataDir }) => {
    const first = await start();
    const app = first.page;
    await test.step('opens on the library with its title, at its own address', async () => {
      await expect(app.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Library');
      await expect(app).toHaveTitle('Library · Kneepoint');
      expect(app.url()).toMatch(/^kneepoint:\/\/app\//);
    });
    await test.step('has a menu that leads to every place', () => throughTheMenu(first));
    await test.step('scrolls what is in it, never the page around it', () => scrollsInside(app));
    await test.step('a page that was loaded again is served on a new port', async () => {
      await app.reload();
      await expect(app.getByText('m5.large')).toBeVisible();
    });
    await test.step('an engine that dies is restarted; the page reports it and continues', () =>
      outlivesItsEngine(first));
    await test.step('a second start on the library shows the first window and ends', () => secondStart(first, dataDir));
    await test.step('another size and place are kept', () => moved(first, dataDir));
    await first.stop();

    const second = await start();
    expect(await boundsOf(second)).toEqual(BOUNDS);
    await test.step('its engine ends with it', async () => {
      await expect(second.page.getByText('Quick benchmark on this computer').first()).toBeVisible();
      const engine = enginePid(second.pid);
      if (engine === undefined) throw new Error('There is no engine process.');
      await second.kill();
      await expect.poll(() => isAlive(engine)).toBe(false);
    });
  });

  test('explains, without retrying, that the library is in use elsewhere', async ({ start, dataDir }) => {
    const server = spawn(process.execPath, [path.join(root, 'src/main/server.ts')], {
      env: { ...process.env, KNEEPOINT_DATA: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await new Promise((resolve) => server.stdout.once('data', resolve));
      const running = await start();
      await expect(running.page.getByText(`is in use by process ${server.pid}`).first()).toBeVisible();
      await expect(running.page.getByText('The connection to the engine is lost.')).toBeHidden();
      expect(enginePid(running.pid)).toBeDefined();
    } finally {
      server.kill('SIGTERM');
      await new Promise((resolve) => server.once('exit', resolve));
    }
  });
});
