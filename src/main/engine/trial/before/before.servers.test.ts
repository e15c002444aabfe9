import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { aloneWithKernel } from '../../../../../e2e/testbed/alone.ts';
import { createLocalMachine } from '../../hosts/local.ts';
import { dropCaches } from './caches.ts';
import { hostIdleCheck, untilIdle } from './idle.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'kneepoint-before-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const machine = createLocalMachine();
const { signal } = new AbortController();
const BYTES = 96 * 1024 ** 2;
const cachedKib = async (): Promise<number> =>
  Number(/^Cached:\s+(\d+)/m.exec(await readFile('/proc/meminfo', 'utf8'))?.[1]);

it('drops the cached pages of a file, as counted by the kernel', () =>
  aloneWithKernel(async () => {
    const file = path.join(folder, 'cached');
    writeFileSync(file, Buffer.alloc(BYTES, 1));
    await readFile(file);
    const before = await cachedKib();
    const [dropped] = await dropCaches(machine, signal);
    expect(dropped).toMatchObject({ code: 'caches-dropped', severity: 'note' });
    expect(before - (await cachedKib())).toBeGreaterThan((BYTES / 1024) * 0.8);
  }));

it('waits until this computer has written its dirty pages', async () => {
  const clock = { monotonic: () => performance.now() };
  const waiting = { clock, signal, asked: () => false, pollMs: 100 };
  const limits = { dirty: 16, writes: 1e6 };
  writeFileSync(path.join(folder, 'dirty'), Buffer.alloc(BYTES, 2));
  const quiet = hostIdleCheck(machine, limits, signal);
  const flush = machine.exec('sleep 0.3; sync', { signal });
  const [finding] = await untilIdle(quiet, 60, waiting);
  await flush;
  expect(finding?.code).toBe('waited-until-quiet');
});
