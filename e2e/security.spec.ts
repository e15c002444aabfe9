import { expect, test } from './fixtures.ts';

/** What Chromium writes to the console when the content security policy or the shell stops something. */
const STOPPED = /Content Security Policy|Failed to load resource|Refused to|ERR_BLOCKED_BY/;

test.describe('the page', { tag: '@window' }, () => {
  test.use({ allowedErrors: STOPPED });

  test('knows nothing of Node or Electron', async ({ app, mode }) => {
    const seen = await app.evaluate(() => {
      const world = window as unknown as Record<string, unknown>;
      const names = ['require', 'process', 'module', 'Buffer', 'global', 'ipcRenderer', 'electron'];
      return { globals: names.filter((name) => world[name] !== undefined), bridge: Object.keys(world.kneepoint ?? {}) };
    });
    expect(seen).toEqual({ globals: [], bridge: mode === 'electron' ? ['ready'] : [] });
  });

  test('runs no script but its own files, and shows nobody else', async ({ app }) => {
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
  });

  test('takes no style but its own files, and what bears its nonce', async ({ app }) => {
    await expect(app.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Library');
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
  });

  test('talks to nobody but its engine', async ({ app }) => {
    const stopped = await app.evaluate(async () => {
      const violation = new Promise<string>((resolve) =>
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), {
          once: true,
        }),
      );
      const failed = await fetch('http://127.0.0.1:9/').then(
        () => false,
        () => true,
      );
      return { failed, violation: await violation };
    });
    expect(stopped).toEqual({ failed: true, violation: 'connect-src' });
  });
});
