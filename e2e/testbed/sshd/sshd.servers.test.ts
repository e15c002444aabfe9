import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { canMakeNetworks, createHosts, startSshd, type TestSshd } from './index.ts';
import { processesOf } from './workspace.ts';

/** Logs in with this system's ssh. */
function ssh(server: TestSshd, command: string) {
  const options = [
    '-F',
    'none',
    '-o',
    'BatchMode=yes',
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
  ];
  const target = ['-i', server.keyFile, '-p', String(server.port), `${server.user}@${server.address}`, command];
  return spawnSync('ssh', [...options, ...target], { encoding: 'utf8' });
}

it('starts servers isolated from the account that runs them, and leaves nothing behind', async () => {
  const [first, second] = await Promise.all([startSshd(), startSshd()]);
  expect(first.fingerprint()).not.toBe(second.fingerprint());
  expect(ssh(first, 'echo "$HOME"').stdout).toBe(`${first.home}\n`);
  const other = { ...first, keyFile: second.keyFile };
  expect(ssh(other, 'true').status).toBe(255);
  const folder = dirname(first.home);
  await Promise.all([first.close(), second.close()]);
  expect(existsSync(folder)).toBe(false);
  expect(ssh(first, 'true').status).toBe(255);
});

it('stops and starts listening, and swaps its key', async () => {
  const server = await startSshd();
  try {
    const before = server.fingerprint();
    await server.stopListening();
    expect(ssh(server, 'true').stderr).toContain('refused');
    await server.startListening();
    expect(ssh(server, 'exit 3').status).toBe(3);
    // sshd ends a session a moment after its client is gone.
    while (server.sessions().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await server.swapHostKey();
    expect(server.fingerprint()).not.toBe(before);
    await server.restoreHostKey();
    expect(server.fingerprint()).toBe(before);
  } finally {
    await server.close();
  }
});

it('gives each host a separate address, or a separate port without networks', async () => {
  const bed = await createHosts(3);
  try {
    const places = bed.hosts.map((host) => `${host.address}:${host.port}`);
    expect(new Set(places).size).toBe(3);
    for (const host of bed.hosts) expect(ssh(host, 'echo in').stdout).toBe('in\n');
    if (canMakeNetworks()) expect(new Set(bed.hosts.map((host) => host.address)).size).toBe(3);
    else expect(() => bed.hosts[0]?.pullCable()).toThrow('no cable');
  } finally {
    await bed.close();
  }
});

it.skipIf(!canMakeNetworks())('cleans up after a crashed test process', async () => {
  const module = JSON.stringify(new URL('./index.ts', import.meta.url).href);
  const crash = `const { createHosts } = await import(${module}); await createHosts(2); process.stdout.write('up'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', crash], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const prefix = `kpn${child.pid?.toString(36)}-`;
  const left = () =>
    [...readdirSync('/run/netns'), ...readdirSync('/sys/class/net')].filter((name) => name.startsWith(prefix));
  const servers = () => processesOf(`/${child.pid}-sshd-`);
  expect(left().length).toBeGreaterThan(2);
  expect(servers()).toHaveLength(2);
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;

  // Each process checks once, when it creates its first folder.
  const next = `const { startSshd } = await import(${module}); await (await startSshd()).close();`;
  execFileSync(process.execPath, ['--input-type=module', '-e', next]);
  expect(left()).toEqual([]);
  while (servers().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
});
