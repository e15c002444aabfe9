import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { listenFor } from './pages/frame.ts';
import { electronBinary, type Running } from './testbed/electron/app.ts';
import { enginePid, isAlive } from './testbed/electron/processes.ts';

const root = path.resolve(import.meta.dirname, '..');

/** The shell's main process, as only tests in the window have it. */
function windowOf(running: Running): ElectronApplication {
  if (!running.window) throw new Error('This test needs the Electron window.');
  return running.window;
}

/** Chooses an entry of the window's menu as a person would, by its words. */
const choose = (window: ElectronApplication, words: string): Promise<void> =>
  window.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const all = (Menu.getApplicationMenu()?.items ?? []).flatMap((item) => item.submenu?.items ?? []);
    const item = all.find((entry) => entry.label === wanted);
    if (!item) throw new Error(`The menu has no entry ${wanted}.`);
    item.click(undefined, BrowserWindow.getAllWindows()[0], undefined);
  }, words);

test.describe('the window', { tag: '@window' }, () => {
  test('opens on the library with its title, at its own address', async ({ app }) => {
    await expect(app.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Library');
    await expect(app).toHaveTitle('Library · Kneepoint');
    expect(app.url()).toMatch(/^kneepoint:\/\/app\//);
  });

  test('scrolls what is in it, never the page around it', async ({ app }) => {
    await app.getByRole('link', { name: 'Costs' }).first().click();
    await expect(app.getByText('m5.large')).toBeVisible();
    const beyond = await app.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
    expect(beyond).toBe(0);
    // Nor further than to its last panel.
    const left = await app.getByRole('main').evaluate((main) => {
      const panels = [...main.querySelectorAll('section')].map((panel) => panel.getBoundingClientRect().bottom);
      return main.scrollHeight - (Math.max(...panels) - main.getBoundingClientRect().top + main.scrollTop);
    });
    expect(left).toBeLessThan(100);
  });

  test('has a menu that leads to every place, and developer tools only here in a clone', async ({ running, app }) => {
    const window = windowOf(running);
    await expect(app.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Library');
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
  });

  test('keeps size and place between two starts', async ({ start, dataDir }) => {
    const bounds = { x: 60, y: 40, width: 1011, height: 702 };
    const boundsOf = (running: Running) =>
      windowOf(running).evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getNormalBounds());
    const first = await start();
    // The display may tell the first size of a window that is just coming up after a new one was set.
    const resized = async () => {
      await windowOf(first).evaluate(
        ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted),
        bounds,
      );
      const kept = path.join(dataDir, 'window/place.json');
      return existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')).bounds : undefined;
    };
    await expect.poll(resized).toEqual(bounds);
    await first.stop();
    expect(await boundsOf(await start())).toEqual(bounds);
  });

  test('is one per library: a second start shows the first and ends', async ({ running, dataDir }) => {
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
  });
});

test.describe('the engine behind the window', { tag: '@window' }, () => {
  test('is started again when it dies; the page says so and continues', async ({ running, app }) => {
    await expect(app.getByText('Quick benchmark on this computer').first()).toBeVisible();
    const before = enginePid(running.pid);
    if (before === undefined) throw new Error('There is no engine process.');
    const lost = await listenFor(app, 'The connection to the engine is lost.');
    process.kill(before, 'SIGKILL');
    await lost.heard();
    await expect(app.getByText('The engine restarted. Nothing measured is lost.')).toBeVisible();
    expect(enginePid(running.pid)).not.toBe(before);
    await expect(app.getByText('Quick benchmark on this computer').first()).toBeVisible();
  });

  test('ends by itself when the window dies', async ({ running, app }) => {
    await expect(app.getByText('Quick benchmark on this computer').first()).toBeVisible();
    const engine = enginePid(running.pid);
    if (engine === undefined) throw new Error('There is no engine process.');
    await running.kill();
    await expect.poll(() => isAlive(engine)).toBe(false);
  });

  test('serves a page that was loaded again, on a new port', async ({ app }) => {
    await expect(app.getByText('Quick benchmark on this computer').first()).toBeVisible();
    await app.reload();
    await expect(app.getByText('Quick benchmark on this computer').first()).toBeVisible();
  });

  test('is explained, not tried again and again, where the library is in use elsewhere', async ({ start, dataDir }) => {
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
