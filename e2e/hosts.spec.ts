import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { frame } from './pages/frame.ts';
import { hostsPage } from './pages/hosts.ts';
import { figure } from './pages/tables.ts';
import { lacks } from './testbed/programs.ts';
import {
  canMakeNetworks,
  createHosts,
  startPasswordServer,
  type TestHost,
  type TestHosts,
} from './testbed/sshd/index.ts';

const ABSENT = lacks('sshd', 'sysbench');
test.skip(ABSENT !== '', ABSENT);

let network: TestHosts;
let host: TestHost;
/** A host whose login finds every program of this machine except sysbench. */
let bare: TestHosts;
let programs: string;
// All networks come before the page: Chromium drops its requests while networks change.
test.beforeAll(async () => {
  programs = mkdtempSync(path.join(tmpdir(), 'kneepoint-programs-'));
  for (const name of readdirSync('/usr/bin')) {
    if (name !== 'sysbench') symlinkSync(path.join('/usr/bin', name), path.join(programs, name));
  }
  network = await createHosts(1);
  host = network.hosts[0] as TestHost;
  bare = await createHosts(1, { bashrc: `export PATH=${programs}\n` });
});
test.afterAll(async () => {
  await network?.close();
  await bare?.close();
  rmSync(programs, { recursive: true });
});

const fields = () => ({ name: 'db-1', address: host.address, port: host.port, user: host.user, keyFile: host.keyFile });

test('every problem with a host is explained with its remedy', async ({ app }) => {
  await test.step('a wrong password is reported as such, tried once, and the right one works', () =>
    wrongPassword(app));
  await test.step('a missing tool is named with the way to get it', () => missingTool(app));
  await test.step('a host that does not answer is named with its address, and answers later', () => noAnswer(app));
  await test.step('a changed key is a hard stop that shows both, and only forgetting the old one leads on', () =>
    changedKey(app));
});

async function wrongPassword(app: Page): Promise<void> {
  const server = await startPasswordServer({ user: 'ada', password: 'the right one' });
  try {
    const hosts = hostsPage(app);
    await hosts.add({ name: 'guarded', address: '127.0.0.1', port: server.port, user: 'ada', password: 'not this' });
    await hosts.test();
    await hosts.trust(server.fingerprint);
    await expect(hosts.problem).toContainText(/guarded.*password|password.*guarded/i);
    await expect(hosts.problem).not.toContainText('not this');
    expect(server.refused()).toBe(1);
    await app.getByRole('link', { name: 'Edit' }).click();
    await app.getByRole('button', { name: 'Replace' }).click();
    await app.locator('input[type=password]').fill('the right one');
    await app.getByRole('button', { name: 'Save', exact: true }).click();
    await hosts.test();
    await expect(hosts.reached).toBeVisible();
  } finally {
    await server.close();
  }
}

async function missingTool(app: Page): Promise<void> {
  const [empty] = bare.hosts as [TestHost];
  const hosts = hostsPage(app);
  const { address, port, keyFile } = empty;
  await hosts.add({ ...fields(), name: 'bare', address, port, keyFile });
  await hosts.test();
  await hosts.trust(empty.fingerprint());
  await expect(hosts.reached).toBeVisible();
  const row = hosts.tools.getByRole('row', { name: /sysbench/ });
  await expect(row).toContainText('not found');
  await expect(row).toContainText(/install/i);
}

async function noAnswer(app: Page): Promise<void> {
  const hosts = hostsPage(app);
  await host.stopListening();
  try {
    await hosts.add(fields());
    await hosts.test();
    await expect(hosts.problem).toContainText(host.address);
    await expect(hosts.problem).toContainText(/sshd|port/);
    await expect(hosts.problem.getByRole('button', { name: 'Try again' })).toBeVisible();
  } finally {
    await host.startListening();
  }
  await hosts.problem.getByRole('button', { name: 'Try again' }).click();
  await hosts.trust(host.fingerprint());
  await expect(hosts.reached).toBeVisible();
}

/** For the host that was trusted before. */
async function changedKey(app: Page): Promise<void> {
  const hosts = hostsPage(app);
  const before = host.fingerprint();
  await host.swapHostKey();
  host.signalSessions('SIGKILL');
  try {
    await hosts.test();
    await expect(hosts.changedKey).toContainText(before);
    await expect(hosts.changedKey).toContainText(host.fingerprint());
    await expect(app.getByRole('button', { name: 'Trust this key' })).toHaveCount(0);

    await hosts.changedKey.getByRole('button', { name: 'Forget the known key…' }).click();
    const dialog = app.getByRole('dialog', { name: /^Forget the key of / });
    const forget = dialog.getByRole('button', { name: 'Forget the known key' });
    await expect(forget).toBeDisabled();
    await dialog.getByLabel(/^Type the name of the host/).fill('db-1');
    await forget.click();
    await hosts.trust(host.fingerprint());
    await expect(hosts.reached).toBeVisible();
  } finally {
    await host.restoreHostKey();
  }
}

test('a tunnel carries a real client, waits while the connection is down, and opens again', async ({ app }) => {
  test.skip(!canMakeNetworks(), 'There is no cable to pull without network namespaces (root and iproute2).');
  const echo = await startEcho(host.address.replace(/\.\d+$/, '.254'));
  try {
    const hosts = hostsPage(app);
    await hosts.add(fields());
    await hosts.test();
    await hosts.trust(host.fingerprint());
    await expect(hosts.reached).toBeVisible();
    await hosts.addTunnel('echo', echo.address, echo.port);
    const row = hosts.tunnelRow('echo');
    await expect(row).toContainText('stopped');
    await row.getByRole('button', { name: 'Start echo' }).click();
    await expect(row).toContainText('open');
    const local = Number(/127\.0\.0\.1:(\d+)/.exec((await row.textContent()) ?? '')?.[1]);
    expect(await greet(local, 'hello through the tunnel')).toBe('hello through the tunnel');
    await expect.poll(async () => figure((await row.locator('td').nth(5).textContent()) ?? '')).toBeGreaterThan(0);

    host.pullCable();
    await expect(row).toContainText('waiting', { timeout: 60_000 });
    await expect(greet(local, 'anyone?')).rejects.toThrow('ECONNREFUSED');
    host.plugCable();
    await expect(row).toContainText('open', { timeout: 60_000 });
    expect(await greet(local, 'again, on the same port')).toBe('again, on the same port');

    await row.getByRole('button', { name: 'Stop echo' }).click();
    await expect(row).toContainText('stopped');
    await expect(greet(local, 'anyone?')).rejects.toThrow('ECONNREFUSED');
    await frame(app).go('Hosts');
    await expect(app.getByRole('table', { name: 'Hosts' })).toContainText('db-1');
  } finally {
    host.plugCable();
    await echo.close();
  }
});

interface Echo {
  address: string;
  port: number;
  close(): Promise<void>;
}

/** A server that echoes its input and hangs up when its client has. */
async function startEcho(address: string): Promise<Echo> {
  const server: Server = createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const bound = server.address();
  return {
    address,
    port: typeof bound === 'object' && bound ? bound.port : 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Sends text to a port of this computer and returns the response up to its end. */
const greet = (port: number, words: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(words));
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      received += text;
    });
    socket.once('error', reject);
    socket.once('end', () => resolve(received));
  });
