import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { _electron, type Browser, type ElectronApplication, type Page } from '@playwright/test';

export type Mode = 'browser' | 'electron';

/** A running app, with an orderly and an abrupt way to end it. */
export interface Running {
  readonly page: Page;
  /** The process visible to a user: the server or the window. */
  readonly pid: number;
  /** The window's main process, in Electron. */
  readonly window?: ElectronApplication;
  stop(): Promise<void>;
  /** Ends it abruptly, like a crash or a power cut. */
  kill(): Promise<void>;
}

interface AppOptions {
  mode: Mode;
  browser: Browser | undefined;
  dataDir: string;
}

const root = path.resolve(import.meta.dirname, '../../..');
const VIEWPORT = { width: 1280, height: 800 };

export const startApp = ({ mode, browser, dataDir }: AppOptions): Promise<Running> => {
  if (mode === 'electron') return startWindow(dataDir);
  if (!browser) throw new Error('Browser mode needs a browser.');
  return startPage(browser, dataDir);
};

/** Environment of an app under test: only the path is inherited. */
function environment(dataDir: string, more: Record<string, string> = {}): Record<string, string> {
  const env = { ...process.env, KNEEPOINT_DATA: dataDir, KNEEPOINT_NODE: process.execPath, ...more };
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && name !== 'NODE_OPTIONS');
  return Object.fromEntries(kept) as Record<string, string>;
}

/** The server of browser mode, its one-time link, and how to end it. */
export interface Serving {
  readonly link: string;
  readonly pid: number;
  end(signal: NodeJS.Signals): Promise<void>;
}

export async function startServing(dataDir: string, port = 0): Promise<Serving> {
  const server = spawn(process.execPath, [path.join(root, 'dist/main/server.mjs'), '--port', String(port)], {
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const link = await linkOf(server);
  return { link, pid: server.pid ?? 0, end: (signal) => endProcess(server, signal) };
}

async function startPage(browser: Browser, dataDir: string): Promise<Running> {
  const { link, pid, end } = await startServing(dataDir);
  const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
  await context.addInitScript(reportViolations);
  const page = await context.newPage();
  const dropped = droppedBy(page);
  await page.goto(link);
  await page.waitForURL((address) => !address.hash.includes('link='));
  await viewsFetched(page);
  while (dropped.splice(0).length > 0) {
    await page.reload();
    await viewsFetched(page);
  }
  const stop = async (): Promise<void> => {
    await context.close();
    await end('SIGTERM');
  };
  return { page, pid, stop, kill: () => end('SIGKILL') };
}

/** The page fetches its views, the editor last, while it is idle. */
async function viewsFetched(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isThere = performance.getEntriesByType('resource').some(({ name }) => name.includes('/LoadedEditor'));
    // A dropped request may have no entry.
    return isThere || performance.now() > 10_000;
  });
  await page.waitForLoadState('networkidle');
}

/**
 * Addresses that the page failed to load. Other tests add and remove interfaces, and Chromium then drops its requests, even to this computer: a
 * view opened later would reload the page in the middle of a test.
 */
function droppedBy(page: Page): string[] {
  const dropped: string[] = [];
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'net::ERR_NETWORK_CHANGED') dropped.push(request.url());
  });
  return dropped;
}

/** Runs in the page: the browser's own message about its content policy contains neither the element nor the directive. */
function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, target, sourceFile, lineNumber }) => {
    const element = target instanceof Element ? target.outerHTML.slice(0, 300) : String(target);
    console.error(`Content Security Policy, ${effectiveDirective}: ${element} (${sourceFile}:${lineNumber})`);
  });
}

async function linkOf(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error('The server has no output.');
  for await (const line of createInterface({ input: server.stdout })) {
    const link = /^READY (\S+)/.exec(line)?.[1];
    if (link) return link;
  }
  throw new Error(`The server ended before it was ready (code ${server.exitCode}); its words are above.`);
}

function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/** The Electron that tests run: named by the environment, as for the npm package. */
export function electronBinary(): string {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!folder) throw new Error('ELECTRON_OVERRIDE_DIST_PATH names no Electron; "npm test -- electron" fetches one.');
  return path.join(folder, 'electron');
}

/** Opens the window on a library. `more` overrides the environment, for example with another engine. */
export async function startWindow(dataDir: string, more?: Record<string, string>): Promise<Running> {
  electronBinary();
  const window = await _electron.launch({
    // Without a path Playwright uses the npm package's Electron, which the same variable redirects, and holds the app until it is attached.
    args: ['--disable-gpu', '--force-prefers-reduced-motion', root],
    env: environment(dataDir, more ?? { KNEEPOINT_ENGINE_NODE: process.execPath }),
    timeout: 90_000,
  });
  const page = await window.firstWindow();
  const main = window.process();
  return {
    page,
    window,
    pid: main.pid ?? 0,
    stop: async () => {
      if (main.exitCode === null && main.signalCode === null) await window.close();
    },
    kill: () => endProcess(main, 'SIGKILL'),
  };
}
