import path from 'node:path';
import type { Page } from '@playwright/test';
import { bundle } from '../scripts/build.ts';
import { expect, test } from './fixtures.ts';
import { startWindow } from './testbed/electron/app.ts';

const STUB = 'dist/test/stub-engine.cjs';

interface Asked {
  /** Everything received for the call or stream, in order. */
  values: unknown[];
  problem?: unknown;
}

/** Gets a separate port from the shell, like the page, and sends one request in wire format. */
const ask = (page: Page, question: string, input: unknown): Promise<Asked> =>
  page.evaluate(
    ([asked, given]) =>
      new Promise<Asked>((resolve) => {
        const values: unknown[] = [];
        // The page uses the same port, so this is far from its own ids.
        const id = 1_000_000;
        const answer = (message: {
          k: string;
          id?: number;
          value?: unknown;
          values?: unknown[];
          problem?: unknown;
        }): void => {
          if (message.id !== id) return;
          if (message.k === 'result') resolve({ values: [message.value] });
          if (message.k === 'items') values.push(...(message.values ?? []).map((item) => [...(item as Float64Array)]));
          if (message.k === 'end') resolve({ values });
          if (message.k === 'error') resolve({ values, problem: message.problem });
        };
        const listen = (event: MessageEvent): void => {
          const port = event.ports[0];
          if (event.data !== 'engine-port' || !port) return;
          window.removeEventListener('message', listen);
          port.addEventListener('message', (message) => answer(message.data));
          port.start();
          port.postMessage({ k: 'ask', id, path: asked, input: given, credit: 1000 });
        };
        window.addEventListener('message', listen);
        (window as unknown as { kneepoint: { ready(): void } }).kneepoint.ready();
      }),
    [question, input] as const,
  );

test.describe('the wiring of the packaged app', { tag: '@window' }, () => {
  test.beforeAll(async () => {
    await bundle({
      input: 'e2e/testbed/electron/stub-engine.ts',
      output: STUB,
      format: 'cjs',
      target: 'node16',
      external: ['electron'],
    });
  });

  test('connects an engine in the utility process to the page and to the keychain of the shell', async ({
    dataDir,
  }) => {
    const running = await startWindow(dataDir, { KNEEPOINT_ENGINE_FILE: path.resolve(STUB) });
    try {
      // From here on the page does not request a port by itself, so ours is not mistaken for an old one of its own.
      await expect(running.page.getByRole('navigation', { name: 'Breadcrumb' })).toBeVisible();
      const [about] = (await ask(running.page, 'about', {})).values as [
        { pid: number; type: string; keychain: string },
      ];
      expect(about).toMatchObject({ name: 'page', type: 'utility', keychain: 'none' });
      expect(about.pid).not.toBe(running.pid);
      expect((await ask(running.page, 'count', { to: 200 })).values.at(-1)).toEqual([200, Math.sqrt(200)]);
      expect((await ask(running.page, 'nonsense', {})).problem).toMatchObject({ code: 'bad-request' });

      const listening = await running.page.evaluateHandle(() => {
        const lost = new Promise<string[]>((resolve) => {
          const heard: string[] = [];
          window.addEventListener('message', (event) => {
            heard.push(String(event.data));
            if (event.data === 'engine-port') resolve(heard);
          });
        });
        return { lost };
      });
      process.kill(about.pid, 'SIGKILL');
      expect((await listening.evaluate(({ lost }) => lost))[0]).toBe('engine-lost');
      const [next] = (await ask(running.page, 'about', {})).values as [{ pid: number }];
      expect(next.pid).not.toBe(about.pid);
    } finally {
      await running.stop();
    }
  });
});
