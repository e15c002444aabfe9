import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import type { Mode } from './testbed/electron/app.ts';

/** Chromium's console output when the content security policy or the shell blocks something. */
const STOPPED = /Content Security Policy|Failed to load resource|Refused to|ERR_BLOCKED_BY/;

test.describe('the page', { tag: '@window' }, () => {
  test.use({ allowedErrors: STOPPED });

  test('has no access to Node, runs only its own scripts and styles, and connects to no other origin', async ({
    app,
    mode,
  }) => {
    await expect(app.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Library');
    await test.step('nothing of Node or Electron', () => knowsNothing(app, mode));
    await test.step('scripts and frames', () => runsNoScript(app));
    await test.step('styles', () => takesNoStyle(app));
    await test.step('connections', () => makesNoRequests(app));
  });
});

async function knowsNothing(app: Page, mode: Mode): Promise<void> {
  const seen = await app.evaluate(() => {
    const world = window as unknown as Record<string, unknown>;
    const names = ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer', 'electron'];
    return { globals: names.filter((name) => world[name] !== undefined), bridge: Object.keys(world.kneepoint ?? {}) };
  });
  expect(seen).toEqual({ globals: [], bridge: mode === 'electron' ? ['ready'] : [] });
}

async function runsNoScript(app: Page): Promise<void> {
  const seen = await app.evaluate(async () => {
    const stopped = new Set<string>();
    const all = new Promise<void>((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => {
        stopped.add(event.effectiveDirective);
        if (['script-src-elem', 'script-src-attr', 'frame-src'].every((name) => stopped.has(name))) resolve();
      });
    });
    const script = document.createElement('script');
    script.textContent = 'window.injected = true';
    const holder = document.createElement('div');
    holder.innerHTML = '<img src="/none.png" onerror="window.injected = true">';
    const frame = document.createElement('iframe');
    frame.src = 'https://example.org/';
    document.body.append(script, holder, frame);
    await all;
    return { injected: (window as unknown as { injected?: boolean }).injected ?? false };
  });
  expect(seen).toEqual({ injected: false });
}

/** Only its own files, and elements with its nonce. */
async function takesNoStyle(app: Page): Promise<void> {
  const seen = await app.evaluate(async () => {
    const stopped = new Set<string>();
    const all = new Promise<void>((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => {
        stopped.add(event.effectiveDirective);
        if (stopped.has('style-src-elem') && stopped.has('style-src-attr')) resolve();
      });
    });
    const style = document.createElement('style');
    style.textContent = '#injected { color: rgb(1, 2, 3) }';
    const holder = document.createElement('div');
    holder.innerHTML = '<b id="injected" style="background: rgb(4, 5, 6)">x</b>';
    document.body.append(style, holder);
    await all;
    const { color, backgroundColor } = getComputedStyle(document.getElementById('injected') as HTMLElement);
    const marked = [...document.querySelectorAll('style')].filter((element) => element.nonce && element.sheet);
    return { color, backgroundColor, marked: marked.length > 0 };
  });
  expect(seen).toMatchObject({ backgroundColor: 'rgba(0, 0, 0, 0)', marked: true });
  expect(seen.color).not.toBe('rgb(1, 2, 3)');
}

async function makesNoRequests(app: Page): Promise<void> {
  const stopped = await app.evaluate(async () => {
    const violation = new Promise<string>((resolve) =>
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (effectiveDirective === 'connect-src') resolve(effectiveDirective);
      }),
    );
    const failed = await fetch('http://127.0.0.1:9/').then(
      () => false,
      () => true,
    );
    return { failed, violation: await violation };
  });
  expect(stopped).toEqual({ failed: true, violation: 'connect-src' });
}
