import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TargetDescription } from '../../../../shared/model/target.ts';
import type { Reach, TargetSession } from '../target.ts';
import { directly, problemOf } from '../testing/servers.ts';
import { storageTarget } from './index.ts';
import { parseStorage } from './reading.ts';

/** Runs scripts in a shell on this machine, with only the programs in `path`. */
const shell = (command: readonly string[], path?: string): Reach => ({
  ...directly,
  exec: async (script) => {
    const [file = '', ...args] = command;
    const env = path === undefined ? process.env : { PATH: path };
    const { stdout, stderr, status } = spawnSync(file, args, { input: script, env, encoding: 'utf8' });
    return { stdout, stderr, ...(status === null ? {} : { code: status }) };
  },
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kneepoint-storage-target-'));
  mkdirSync(join(folder, 'bin'));
  spawnSync('busybox', ['--install', '-s', join(folder, 'bin')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(['sh', 'busybox'] as const)('a storage path asked by %s', (name) => {
  const reach = (): Reach =>
    name === 'sh' ? shell(['/bin/sh', '-s']) : shell([join(folder, 'bin/sh'), '-s'], join(folder, 'bin'));
  const open = async (path: string): Promise<TargetSession> => {
    const session = await storageTarget.open?.(storageTarget.config.parse({ path }), undefined, reach());
    if (!session) throw new Error('It did not open.');
    return session;
  };
  const settingsOf = async (path: string): Promise<Map<string, string>> => {
    const session = await open(path);
    const description = TargetDescription.parse(await session.describe());
    for (const { why } of description.settings) expect(why).toMatch(/\.$/);
    return new Map(description.settings.map((setting) => [setting.name, setting.value]));
  };

  test('a directory is described by its file system, whatever its name', async () => {
    const odd = join(folder, `odd "name'; $(touch x) ${name}`);
    mkdirSync(odd);
    const settings = await settingsOf(odd);
    const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n');
    expect(mounts.some((line) => line.includes(` - ${settings.get('file system')} `))).toBe(true);
    expect(settings.get('mount options')).toMatch(/\brw\b/);
    expect(Number(settings.get('free'))).toBeGreaterThan(0);
    expect(Number(settings.get('size'))).toBeGreaterThan(Number(settings.get('free')));
    expect(readdirSync(odd)).toEqual([]);
    const session = await open(odd);
    expect(await session.ping()).toBeGreaterThan(0);
    expect(await session.countRows('anything')).toBeUndefined();
    await session.close();
  });

  test('a directory in memory is not durable, and a link is followed', async () => {
    const link = join(folder, `link-${name}`);
    symlinkSync('/dev/shm', link);
    const session = await open(link);
    const description = await session.describe();
    expect(description).toMatchObject({
      product: 'Directory',
      version: 'tmpfs',
      flavour: expect.stringContaining('/dev/shm'),
      durability: { level: 'unsafe', settings: [{ name: 'file system', value: 'tmpfs', level: 'unsafe' }] },
    });
    expect(await session.settings?.()).toEqual([]);
    expect(await session.counters()).toEqual({});
  });

  const disk = readdirSync('/sys/class/block').find((each) => {
    // Other tests attach and detach loop devices at the same time.
    if (each.startsWith('loop')) return false;
    const isThere = statSync(`/dev/${each}`, { throwIfNoEntry: false })?.isBlockDevice() === true;
    return isThere && Number(readFileSync(`/sys/class/block/${each}/size`, 'utf8')) > 0;
  });
  test.skipIf(disk === undefined)('a block device is described by its queue and counters', async () => {
    const session = await open(`/dev/${disk}`);
    const description = await session.describe();
    expect(description).toMatchObject({ product: 'Block device', version: disk, durability: { level: 'unknown' } });
    const settings = new Map((await session.settings?.())?.map((setting) => [setting.name, setting]));
    expect(settings.get('rotational')?.value).toMatch(/^[01]$/);
    expect(settings.get('logical_block_size')).toMatchObject({ change: 'fixed', source: 'kernel' });
    expect(settings.get('nr_requests')).toMatchObject({ change: 'dynamic' });
    const sectors = Number(readFileSync(`/sys/class/block/${disk}/size`, 'utf8'));
    expect(description.settings).toContainEqual(
      expect.objectContaining({ name: 'size', value: String(sectors * 512) }),
    );
    const counters = await session.counters();
    expect(counters.read_ios).toBeGreaterThanOrEqual(0);
    expect(counters.write_ios).toBeGreaterThanOrEqual(0);
  });

  test('a missing path and a file are refused', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const [path, words] of [
      [join(folder, 'missing'), 'was not found on its host'],
      [file, 'neither a folder nor a block device'],
    ] as const) {
      expect(await problemOf(open(path))).toMatchObject({
        code: 'target-unreachable',
        message: expect.stringContaining(words),
      });
    }
  });
});

test('a mount without barriers is not durable, and truncated output is reported', async () => {
  const output = [
    ['kind', 'directory'],
    ['real', '/srv/my data'],
    ['writable', 'yes'],
    [
      'df',
      'Filesystem Type 1024-blocks Used Available Capacity Mounted on',
      '/dev/sda1 ext4 1000 400 500 45% /srv/my data',
    ],
    ['inodes', 'Filesystem Inodes IUsed IFree IUse% Mounted on', '/dev/sda1 100 40 60 40% /srv/my data'],
    ['mounts', '30 1 8:1 / /srv/my\\040data rw,noatime shared:1 - ext4 /dev/sda1 rw,nobarrier'],
    ['block', 'sda1', '2048', 'sda', '1 2 3 4 5 6 7 8 9 10 11'],
    ['end'],
  ]
    .map(([name, ...lines]) => [`@@n0 ${name}`, ...lines].join('\n'))
    .join('\n');
  expect(parseStorage(output, 'n0')).toMatchObject({
    filesystem: { type: 'ext4', freeBytes: 500 * 1024, freeInodes: 60, mount: '/srv/my data' },
    mountOptions: ['rw', 'noatime', 'nobarrier'],
    device: { name: 'sda1', disk: 'sda', sizeBytes: 2048 * 512 },
  });
  const nonce = /@@([0-9a-f]{16}) kind/;
  const changedReach = (change: (text: string) => string): Reach => ({
    ...directly,
    exec: async (script) => ({ stdout: change(output.replaceAll('n0', nonce.exec(script)?.[1] ?? '')), stderr: '' }),
  });
  const config = storageTarget.config.parse({ path: '/srv/my data' });
  const session = await storageTarget.open?.(
    config,
    undefined,
    changedReach((text) => text),
  );
  expect((await session?.describe())?.durability).toMatchObject({
    level: 'unsafe',
    why: expect.stringContaining('mount option = nobarrier'),
  });
  const broken = changedReach((text) => text.slice(0, text.indexOf('@@', 100)));
  expect(await problemOf(Promise.resolve(storageTarget.open?.(config, undefined, broken)))).toMatchObject({
    message: expect.stringContaining('stopped responding'),
  });
});
