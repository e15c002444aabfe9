import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { WebSocket } from 'ws';
import { expect, test } from './fixtures.ts';
import { startServing } from './testbed/electron/app.ts';
import { freePort } from './testbed/ports.ts';

const open = (page: Page) => expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toContainText('Library');
const refused = (page: Page) => expect(page.getByRole('heading', { name: 'This tab has no access' })).toBeVisible();
const originOf = (page: Page): string => new URL(page.url()).origin;

/** Whether a WebSocket opens with these headers and protocols. */
const opens = (origin: string, headers: IncomingHttpHeaders, protocols: string[]): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/rpc`, protocols, { headers: { ...headers, origin } });
    socket.on('open', () => {
      socket.terminate();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

test('a program on another port gets no access; a tab keeps its access after a reload, and shares it with others', async ({
  app,
  dataDir,
}) => {
  await open(app);
  await test.step('a program on another port', () => nothingForNeighbours(app));
  await test.step('the same tab and others', () => keepsAccess(app, dataDir));
});

async function nothingForNeighbours(app: Page): Promise<void> {
  const seen: IncomingHttpHeaders[] = [];
  const neighbour = createServer((request, response) => {
    seen.push(request.headers);
    response.setHeader('Content-Type', 'text/html').end('<title>neighbour</title><script>fetch("/again")</script>');
  });
  await new Promise<void>((resolve) => neighbour.listen(0, '127.0.0.1', resolve));
  const other = await app.context().newPage();
  await other.goto(`http://127.0.0.1:${(neighbour.address() as AddressInfo).port}/`);
  await expect.poll(() => seen.length).toBeGreaterThanOrEqual(2);
  expect(await other.evaluate(() => [document.cookie, Object.keys(sessionStorage), Object.keys(localStorage)])).toEqual(
    ['', [], []],
  );
  neighbour.close();
  for (const { cookie, authorization } of seen) {
    expect([cookie, authorization]).toEqual([undefined, undefined]);
    expect(await opens(originOf(app), cookie ? { cookie } : {}, ['kneepoint'])).toBe(false);
  }
  const secret = await app.evaluate(() => sessionStorage.getItem('kneepoint-session') ?? '');
  expect(await opens(originOf(app), {}, ['kneepoint', secret])).toBe(true);
  await other.close();
}

async function keepsAccess(app: Page, dataDir: string): Promise<void> {
  await app.reload();
  await open(app);
  const second = await app.context().newPage();
  await second.goto(originOf(app));
  await open(second);
  await app.close();
  await second.reload();
  await open(second);

  const address = originOf(second);
  const third = await second.context().newPage();
  await second.close();
  await third.goto(address);
  await refused(third);
  await expect(third.getByText('npm run -s kneepoint -- link')).toBeVisible();
  // Like a user: into the address bar of the existing tab.
  const link = readFileSync(path.join(dataDir, 'link'), 'utf8').trim();
  await third.evaluate((next) => {
    window.location.href = next;
  }, link);
  await open(third);
  expect(third.url()).not.toContain('link=');
}

test.describe('after a restart of Kneepoint', () => {
  test.use({ allowedErrors: /Failed to load resource|WebSocket connection/ });

  test('an old tab mentions the new link, and continues once another tab has opened it', async ({
    chromium,
    dataDir,
  }) => {
    const port = await freePort();
    const context = await chromium?.newContext();
    if (!context) throw new Error('This test is about a browser.');
    const first = await startServing(dataDir, port);
    const page = await context.newPage();
    await page.goto(first.link);
    await open(page);
    // A tab that is cut off while its view is loading reloads itself, and then has nothing to report.
    await expect(page.getByRole('heading', { name: 'Find the knee' })).toBeVisible();
    await first.end('SIGTERM');
    await expect(page.getByText('Kneepoint does not respond.')).toBeVisible();
    const second = await startServing(dataDir, port);
    await expect(page.getByText('Kneepoint was restarted and printed a new link.')).toBeVisible();
    // Shown for a few seconds only.
    const notice = page.getByText('The engine restarted. Nothing measured is lost.').waitFor();
    const fresh = await context.newPage();
    await fresh.goto(second.link);
    await open(fresh);
    await notice;
    await expect(page.getByText('printed a new link')).toBeHidden();
    await context.close();
    await second.end('SIGTERM');
  });
});
