import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { byDay } from '../src/shared/util/testing/depth.ts';
import { expect, test } from './fixtures.ts';
import { editorPage } from './pages/editor.ts';
import { frame } from './pages/frame.ts';
import { hostsPage } from './pages/hosts.ts';
import { livePage } from './pages/live.ts';
import { resultsPage } from './pages/results.ts';
import { chart } from './pages/tables.ts';
import { targetsPage } from './pages/targets.ts';
import { freePort } from './testbed/databases/index.ts';
import { lacks } from './testbed/programs.ts';
import { createHosts } from './testbed/sshd/index.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Opens a blank experiment as text and replaces it with this one. */
async function write(page: Page, text: string): Promise<void> {
  const editor = editorPage(page);
  await editor.blank(/^sysbench/);
  await editor.view('YAML');
  await editor.write(text);
}

const WRONG: readonly { what: string; text: string; line: number; words: RegExp }[] = [
  {
    what: 'a bracket that is never closed',
    text: 'kneepoint: 1\nname: Broken\nworkload:\n  tool: sysbench\n  options: { threads: 4\nwhere:\n  generators: [this computer]\n',
    line: 6,
    words: /flow|bracket|\{|\}/i,
  },
  {
    what: 'an option that the tool does not know',
    text: 'kneepoint: 1\nname: Unknown\nworkload:\n  tool: sysbench\n  options:\n    script: cpu\n    treads: 4\nwhere:\n  generators: [this computer]\nmeasure: { duration: 2 }\n',
    line: 7,
    words: /treads/,
  },
  {
    what: 'a matrix from which everything is excluded',
    text: 'kneepoint: 1\nname: Empty\nworkload:\n  tool: sysbench\n  options: { script: cpu }\nwhere:\n  generators: [this computer]\nfactors:\n  - { name: threads, levels: [1] }\nexclude:\n  - { threads: 1 }\nmeasure: { duration: 2 }\n',
    line: 11,
    words: /no trial|nothing|every cell|no cell|all/i,
  },
];

test('an invalid document, an unreachable target and a second start on the same library are refused with a message', async ({
  app,
  dataDir,
}) => {
  await test.step('what is wrong in a document is shown at its line', () => wrongDocuments(app));
  await test.step('a second start harms nothing', () => secondStart(app, dataDir));
  await test.step('a target that is down blocks the start', () => targetThatIsDown(app));
});

async function wrongDocuments(app: Page): Promise<void> {
  const editor = editorPage(app);
  await write(app, '');
  for (const { what, text, line, words } of WRONG) {
    await test.step(what, async () => {
      await editor.write(text);
      await expect(editor.problems).toContainText(words);
      await expect(editor.problems).toContainText(`line ${line}`);
      await expect(editor.start).toBeDisabled();
      await editor.problems.getByRole('button').first().click();
      await expect(editor.yaml).toBeFocused();
      expect(await editor.chosenLine()).toBe(line);
    });
  }
}

async function targetThatIsDown(app: Page): Promise<void> {
  test.skip(lacks('sysbench') !== '', lacks('sysbench'));
  const port = await freePort('127.0.0.1');
  const targets = targetsPage(app);
  const server = { address: '127.0.0.1', port, user: 'ada', password: 'secret-of-ada', database: 'bench' };
  await targets.fill({ name: 'sleeping', ...server });
  await targets.test();
  const problem = app.getByRole('main').getByRole('alert');
  await expect(problem).toContainText(`127.0.0.1:${port}`);
  await targets.save();
  await write(
    app,
    'kneepoint: 1\nname: Nobody there\nworkload:\n  tool: sysbench\n  options: { script: oltp_point_select, tables: 1, table-size: 100 }\nwhere: { generators: [this computer], target: sleeping }\nmeasure: { duration: 2 }\n',
  );
  const editor = editorPage(app);
  await expect(editor.start).toBeEnabled();
  await editor.view('Steps');
  await editor.step('Review');
  const lines = (await editor.preflight()) ?? '';
  expect(lines).toContain('Cannot start yet');
  expect(lines).toContain(`127.0.0.1:${port}`);
  await expect(editor.start).toBeDisabled();
  await expect(app.getByText('1 check above must pass before this can start')).toBeVisible();
  // Elsewhere the hosts are unknown: the start itself checks, and opens the checks that refuse it.
  await editor.step('Measurement');
  await editor.start.click();
  await app.waitForURL(/\/review$/);
  expect(await editor.preflight()).toContain('Cannot start yet');
  await expect(app.locator('body')).not.toContainText(server.password);
  await frame(app).go('Library');
  await expect(app.getByRole('heading', { name: 'Find the knee' })).toBeVisible();
}

async function secondStart(app: Page, dataDir: string): Promise<void> {
  await frame(app).go('Library');
  await expect(app.getByRole('heading', { name: 'Find the knee' })).toBeVisible();
  const second = spawn(process.execPath, [path.join(root, 'src/main/server.ts')], {
    env: { ...process.env, KNEEPOINT_DATA: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let words = '';
  for (const stream of [second.stdout, second.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      words += chunk.toString();
    });
  }
  const code = await new Promise((resolve) => second.once('close', resolve));
  expect(code).not.toBe(0);
  expect(words).toContain(dataDir);
  expect(words).toMatch(/already|another|in use/i);
  expect(words).not.toContain('    at ');
  await app.reload();
  await expect(app.getByRole('heading', { name: 'Find the knee' })).toBeVisible();
}

const EVIL = [
  '<img src=pwned onerror="window.pwned=1">',
  '<script>window.pwned=1</script>',
  '"><svg onload="window.pwned=1">',
  "javascript:window.pwned=1//'",
];

test('markup in names, notes and tool output is shown as text and never runs', async ({ start }) => {
  const absent = lacks('sshd', 'sysbench');
  test.skip(absent !== '', absent);
  // A generator whose sysbench prints markup before it starts work.
  const programs = mkdtempSync(path.join(tmpdir(), 'kneepoint-evil-'));
  writeFileSync(
    path.join(programs, 'sysbench'),
    `#!/bin/sh\ncat <<'END'\n${EVIL.join('\n')}\nEND\nexec /usr/bin/sysbench "$@"\n`,
  );
  chmodSync(path.join(programs, 'sysbench'), 0o755);
  const network = await createHosts(1, { bashrc: `export PATH=${programs}:/usr/bin:/bin\n` });
  try {
    // The page comes after the network: Chromium drops its requests while networks change.
    const { page: app } = await start();
    const requests: string[] = [];
    app.on('request', (request) => requests.push(request.url()));
    app.on('dialog', (dialog) => {
      requests.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    const [host] = network.hosts;
    if (!host) throw new Error('There is a host.');
    const hosts = hostsPage(app);
    await hosts.add({
      name: 'speaker',
      address: host.address,
      port: host.port,
      user: host.user,
      keyFile: host.keyFile,
    });
    await hosts.test();
    await hosts.trust(host.fingerprint());
    await expect(hosts.reached).toBeVisible();
    await write(
      app,
      `kneepoint: 1
name: ${JSON.stringify(`Name ${EVIL[0]}`)}
question: ${JSON.stringify(EVIL.join(' '))}
tags: ${JSON.stringify(EVIL.map((text) => text.slice(0, 40)))}
workload: { tool: sysbench, options: { script: cpu, rate: 20 } }
where: { generators: [speaker] }
factors:
  - { name: ${JSON.stringify(EVIL[0])}, option: threads, levels: [1, 2] }
measure: { duration: 3 }
`,
    );
    const editor = editorPage(app);
    await editor.save();
    await editor.start.click();
    const live = livePage(app);
    await live.id();
    await expect(live.log).toContainText('Trial 1');
    await live.note(EVIL.join(' '));
    await expect(live.log).toContainText('<script>window.pwned=1</script>');
    await live.untilDone(120_000);
    await live.openResults();
    const results = resultsPage(app);
    await chart(app, 'Load curve').locator('.kp-chart-place').hover();
    await results.tab('Timeline');
    await chart(app, 'Timeline').locator('.kp-chart-place').hover();
    await expect(app.locator('.kp-tip')).toContainText('<img src=pwned');
    await results.tab('Runs');
    expect(await results.rawOf(0)).toContain(EVIL[0]);
    await results.tab('Set-up');
    await expect(app.locator('pre').first()).toContainText('window.pwned');
    for (const section of ['Library', 'Experiments', 'Costs'] as const) {
      await frame(app).go(section);
      await expect(app.getByRole('main')).toContainText('<img src=pwned');
    }
    // The palette begins with the commands of the screen: it has to be this one, not the previous one.
    await expect(app.getByRole('heading', { level: 1 })).toHaveText('Costs');
    await app.keyboard.press('Control+K');
    await expect(app.getByRole('dialog')).toContainText('<img src=pwned');
    expect(await app.evaluate(() => 'pwned' in window)).toBe(false);
    expect(await app.locator('[src="pwned"], [onerror], [onload], svg[onload], [href^="javascript:"]').count()).toBe(0);
    expect(requests.filter((request) => request.includes('pwned') || request.startsWith('dialog'))).toEqual([]);
  } finally {
    await network.close();
    rmSync(programs, { recursive: true, force: true });
  }
});

const STYLES = [
  ['the page itself', /\/assets\/index-[^/]*\.css$/],
  ['views that are fetched in advance', /\/assets\/shared-[^/]*\.css$/],
] as const;

test.describe('a file of the page that fails to load', () => {
  test.use({ allowedErrors: /ERR_FAILED/ });

  test('is requested again: by reloading the page, for a view that is opened, and for styles', async ({ app }) => {
    const ready = () => expect(app.getByRole('heading', { name: 'Find the knee' })).toBeVisible();
    const openHosts = async (): Promise<void> => {
      await app.getByRole('link', { name: 'Hosts', exact: true }).click();
      await expect(app.getByRole('link', { name: 'Add a host' }).first()).toBeVisible();
    };
    /** Aborts fetches of such files if `isRefused`, which gets the number of earlier fetches of the address, and of all. */
    const refuse = async (files: RegExp, isRefused: (before: number, all: number) => boolean) => {
      const asked: string[] = [];
      await app.route(files, (route) => {
        const address = route.request().url();
        const before = asked.filter((one) => one === address).length;
        asked.push(address);
        return isRefused(before, asked.length - 1) ? route.abort() : route.continue();
      });
      return asked;
    };
    await ready();
    await test.step('the app', async () => {
      const asked = await refuse(/\/app-[^/]*\.js$/, (_before, all) => all < 1);
      await app.reload();
      await ready();
      expect(asked).toHaveLength(2);
    });
    await test.step('a view', async () => {
      const asked = await refuse(/\/assets\/hosts-[^/]*\.(js|css)$/, (_before, all) => all < 2);
      await app.reload();
      await openHosts();
      expect(asked.length).toBeGreaterThan(2);
    });
    for (const [of, files] of byDay(STYLES, ([of]) => of !== 'the page itself'))
      await test.step(`styles of ${of}`, async () => {
        await app.unrouteAll();
        await frame(app).open('/');
        await ready();
        const asked = await refuse(files, (before) => before === 0);
        await app.reload();
        await expect.poll(() => asked.length).toBeGreaterThan(0);
        await openHosts();
        expect(new Set(asked).size).toBeLessThan(asked.length);
        // Rules of a file that failed to load cannot be read.
        const rules = await app.evaluate(() => [...document.styleSheets].map(({ cssRules }) => cssRules.length));
        expect(rules).not.toContain(0);
      });
  });
});
